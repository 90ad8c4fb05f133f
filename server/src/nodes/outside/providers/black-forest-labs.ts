// In charge of Black Forest Labs: pictures and videos from the FLUX models.
import { isPlainObject } from '@atelier/contract/graph/definition.ts'
import { isBookable } from '../bookable.ts'
import type { Provider } from '../provider.ts'
import { parse } from '../refusal.ts'
import { packageModels } from '../sdk.ts'

/**
 * How long the package waits for a job. The time limit of a call is shorter, so that the engine ends the call before the package
 * gives up the job; a later start then continues with the job.
 */
const longestMs = 3_600_000

/** A credit of Black Forest Labs costs USD 0.01: https://docs.bfl.ai/quick_start/pricing, read 2026-11-23. */
const microsPerCredit = 10_000

export const blackForestLabs: Provider = {
  name: 'bfl',
  title: 'Black Forest Labs',
  url: 'https://api.bfl.ai/v1',
  check: (url, key) => ({ url: `${url}/credits`, headers: { 'x-key': key } }),
  models: (connection) =>
    packageModels(
      connection,
      async ({ pollMs, ...link }) => {
        const { createBlackForestLabs } = await import('@ai-sdk/black-forest-labs')
        return createBlackForestLabs({ ...link, pollIntervalMillis: pollMs, pollTimeoutMillis: longestMs })
      },
      {
        kinds: ['image', 'edit', 'video'],
        ratios: 'any',
        imageOptions: ({ size }) => {
          const [width = 0, height = 0] = size.split('x').map(Number)
          return { blackForestLabs: { outputFormat: 'png', ...(size === 'auto' ? {} : { width, height }) } }
        },
        priceOf: (metadata) => {
          const own = isPlainObject(metadata) ? metadata.blackForestLabs : null
          const [image]: unknown[] = isPlainObject(own) && Array.isArray(own.images) ? own.images : []
          if (!isPlainObject(image) || typeof image.cost !== 'number') return null
          const amount = image.cost * microsPerCredit
          if (!isBookable(amount)) return null
          const words = `Black Forest Labs says that it cost ${image.cost} of its credits.`
          return { words, cost: { currency: 'USD', amount } }
        },
        verdict: (body) => {
          const said = parse(body)
          const status = isPlainObject(said) ? (said.status ?? said.state) : null
          if (status === 'Request Moderated' || status === 'Content Moderated')
            return 'it declined the request by its rules on content. Change the prompt or the pictures.'
          if (status === 'Error' || status === 'Failed') return 'it says that the job failed.'
          return status === 'Task not found' ? 'it no longer knows the job.' : null
        },
      },
    ),
}
