// In charge of Replicate: all image and video models that it hosts.
import { isPlainObject } from '@atelier/contract/graph/definition.ts'
import type { Provider } from '../provider.ts'
import { parse } from '../refusal.ts'
import { packageModels } from '../sdk.ts'
import { plainText } from '../send.ts'

export const replicate: Provider = {
  name: 'replicate',
  title: 'Replicate',
  url: 'https://api.replicate.com/v1',
  check: (url, key) => ({ url: `${url}/account`, headers: { authorization: `Bearer ${key}` } }),
  models: (connection) =>
    packageModels(
      connection,
      async ({ apiKey, ...link }) => {
        const { createReplicate } = await import('@ai-sdk/replicate')
        const own = createReplicate({ ...link, apiToken: apiKey })
        return { image: own.image, video: own.video }
      },
      {
        kinds: ['image', 'edit', 'video'],
        ratios: ['1:1', '2:3', '3:2', '3:4', '4:3', '4:5', '5:4', '9:16', '16:9', '21:9', '9:21'],
        // With `maxWaitTimeInSeconds: 1`, Replicate replies after a second at most, even if the job is not done. So the job's id is
        // saved before the call waits for the result.
        imageOptions: (_, { pollMs }) => ({
          replicate: { maxWaitTimeInSeconds: 1, pollIntervalMillis: pollMs, maxPollAttempts: 100_000 },
        }),
        verdict: (body) => {
          const said = parse(body)
          if (!isPlainObject(said)) return null
          if (said.status === 'canceled') return 'the job was cancelled there.'
          if (said.status !== 'failed') return null
          return `it says that the job failed${typeof said.error === 'string' ? `: ${plainText(said.error, 300)}` : ''}.`
        },
      },
    ),
}
