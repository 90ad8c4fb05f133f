// In charge of a second service with the OpenAI API, such as vLLM, Ollama or LM Studio, in addition to OpenAI itself.
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
