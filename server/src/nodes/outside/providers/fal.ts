// In charge of fal: all image, video and speech models that it hosts.
import type { Provider } from '../provider.ts'
import { packageModels } from '../sdk.ts'

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
      },
    ),
}
