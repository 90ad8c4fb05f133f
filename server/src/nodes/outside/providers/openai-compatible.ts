// In charge of a service with OpenAI's API, such as vLLM, Ollama or LM Studio, that is used in addition to the provider `openai`.
import { openAiList } from '../model-lists.ts'
import type { Provider } from '../provider.ts'
import { packageModels } from '../sdk.ts'

export const openAiCompatible: Provider = {
  name: 'compatible',
  title: 'The OpenAI-compatible service',
  url: null,
  check: (url, key) => ({ url: `${url}/models`, headers: { authorization: `Bearer ${key}` } }),
  list: openAiList(() => null),
  models: (connection) =>
    packageModels(
      connection,
      async (link) => {
        const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
        const own = createOpenAICompatible({ ...link, name: 'compatible', supportsStructuredOutputs: true })
        return { image: own.imageModel, chat: own.chatModel }
      },
      { kinds: ['image', 'chat'] },
    ),
}
