// In charge of Google: pictures and text of Gemini, video of Veo, and speech.
import type { Provider } from '../provider.ts'
import { packageModels } from '../sdk.ts'

export const google: Provider = {
  name: 'google',
  title: 'Google',
  url: 'https://generativelanguage.googleapis.com/v1beta',
  check: (url, key) => ({ url: `${url}/models?pageSize=1`, headers: { 'x-goog-api-key': key } }),
  models: (connection) =>
    packageModels(
      connection,
      async (link) => {
        const { createGoogle } = await import('@ai-sdk/google')
        const own = createGoogle(link)
        return { image: own.image, chat: own.languageModel, speech: own.speech, video: own.video }
      },
      {
        kinds: ['image', 'edit', 'chat', 'speech', 'video'],
        ratios: ['1:1', '2:3', '3:2', '3:4', '4:3', '4:5', '5:4', '9:16', '16:9', '21:9'],
      },
    ),
}
