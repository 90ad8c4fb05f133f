// In charge of Google: pictures and text from Gemini, video from Veo, and speech.
import { isPlainObject } from '@atelier/contract/graph/definition.ts'
import type { ModelKind } from '@atelier/contract/graph/model-catalogue.ts'
import type { Provider } from '../provider.ts'
import { parse } from '../refusal.ts'
import { packageModels } from '../sdk.ts'
import { plainText } from '../send.ts'

/** The kinds of a model. Google's list states only the methods by which a model is called; its name shows what the model makes. */
function kindsBy(id: string, methods: readonly unknown[]): ModelKind[] {
  if (methods.includes('predictLongRunning')) return id.startsWith('veo') ? ['video'] : []
  if (methods.includes('predict')) return id.startsWith('imagen') ? ['image'] : []
  if (!methods.includes('generateContent') || /embedding|live|native-audio|robotics|computer-use/.test(id)) return []
  if (/-image/.test(id)) return ['image', 'edit']
  return /-tts/.test(id) ? ['speech'] : ['chat']
}

/** Why a video job has failed, as its state says; null if it has not failed, and for replies of any other kind. */
function jobError(body: string): string | null {
  const said = parse(body)
  if (!isPlainObject(said) || said.done !== true) return null
  if (isPlainObject(said.error)) return `it says that the job failed: ${plainText(String(said.error.message), 300)}`
  const { generatedSamples: samples, raiMediaFilteredReasons: reasons } = Object(
    Object(said.response).generateVideoResponse,
  )
  const hasVideo =
    Array.isArray(samples) && samples.some((one: unknown) => typeof Object(Object(one).video).uri === 'string')
  if (hasVideo) return null
  const why = Array.isArray(reasons) ? plainText(reasons.join(' '), 300) : ''
  return `it made no video${why === '' ? '.' : `: ${why}`}`
}

export const google: Provider = {
  name: 'google',
  title: 'Google',
  url: 'https://generativelanguage.googleapis.com/v1beta',
  check: (url, key) => ({ url: `${url}/models?pageSize=1`, headers: { 'x-goog-api-key': key } }),
  list: {
    page: (url, key, after) => ({
      url: `${url}/models?pageSize=1000${after === null ? '' : `&pageToken=${encodeURIComponent(after)}`}`,
      headers: key === null ? {} : { 'x-goog-api-key': key },
    }),
    read: (body) => {
      const { models, nextPageToken: next } = isPlainObject(body) ? body : {}
      const listed = (Array.isArray(models) ? models : []).filter(isPlainObject).flatMap((one) => {
        const { name, supportedGenerationMethods: methods } = one
        if (typeof name !== 'string') return []
        const id = plainText(name.replace(/^models\//, ''), 200)
        return [{ id, kinds: kindsBy(id, Array.isArray(methods) ? methods : []) }]
      })
      return { models: listed, after: typeof next === 'string' && next !== '' ? next : null }
    },
  },
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
        verdict: jobError,
      },
    ),
}
