// In charge of fal: all image, video and speech models that it hosts.
import { isPlainObject } from '@atelier/contract/graph/definition.ts'
import { namesIn } from '../model-lists.ts'
import type { Provider } from '../provider.ts'
import { parse } from '../refusal.ts'
import { packageModels } from '../sdk.ts'
import { plainText } from '../send.ts'

export const fal: Provider = {
  name: 'fal',
  title: 'fal',
  url: 'https://fal.run',
  fixed: ['https://fal.run', 'https://queue.fal.run'],
  models: (connection) =>
    packageModels(
      connection,
      async (link) => {
        const { createFal } = await import('@ai-sdk/fal')
        // Without this header, fal repeats a failed job up to ten times.
        const own = createFal({ ...link, headers: { 'x-fal-no-retry': '1' } })
        return { image: own.image, speech: own.speech, transcription: own.transcription, video: own.video }
      },
      {
        kinds: ['image', 'edit', 'speech', 'transcription', 'video'],
        imageOptions: ({ references }) => (references.length > 1 ? { fal: { useMultipleImages: true } } : {}),
        // For a job that has failed, `detail` is a list of errors; for a job that is not done yet, it is a text.
        verdict: (body) => {
          const said = parse(body)
          const errors = namesIn(isPlainObject(said) ? said.detail : null, 'msg')
          return errors.length === 0 ? null : `it says that the job failed: ${plainText(errors.join('; '), 300)}`
        },
      },
    ),
}
