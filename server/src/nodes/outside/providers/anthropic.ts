// In charge of Anthropic: text of the Claude models.
import type { Provider } from '../provider.ts'
import { packageModels } from '../sdk.ts'

export const anthropic: Provider = {
  name: 'anthropic',
  title: 'Anthropic',
  url: 'https://api.anthropic.com/v1',
  check: (url, key) => ({
    url: `${url}/models?limit=1`,
    headers: { 'x-api-key': key, 'anthropic-version': '2023-06-01' },
  }),
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
