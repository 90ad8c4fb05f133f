// In charge of Anthropic: text from the Claude models.
import { isPlainObject } from '@atelier/contract/graph/definition.ts'
import { namesIn } from '../model-lists.ts'
import type { Provider } from '../provider.ts'
import { packageModels } from '../sdk.ts'

const headersOf = (key: string) => ({ 'x-api-key': key, 'anthropic-version': '2023-06-01' })

export const anthropic: Provider = {
  name: 'anthropic',
  title: 'Anthropic',
  url: 'https://api.anthropic.com/v1',
  check: (url, key) => ({ url: `${url}/models?limit=1`, headers: headersOf(key) }),
  list: {
    page: (url, key, after) => ({
      url: `${url}/models?limit=1000${after === null ? '' : `&after_id=${encodeURIComponent(after)}`}`,
      headers: headersOf(key ?? ''),
    }),
    read: (body) => {
      const { data, has_more: hasMore, last_id: last } = isPlainObject(body) ? body : {}
      const models = namesIn(data, 'id').map((id) => ({ id, kinds: ['chat'] as const }))
      return { models, after: hasMore === true && typeof last === 'string' ? last : null }
    },
  },
  models: (connection) =>
    packageModels(
      connection,
      async (link) => {
        const { createAnthropic } = await import('@ai-sdk/anthropic')
        return { chat: createAnthropic(link).languageModel }
      },
      { kinds: ['chat'] },
    ),
}
