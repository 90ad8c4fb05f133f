// In charge of fake model providers on this machine: their responses follow the schemas in the providers' client packages, and they
// can fail in the ways that a test chooses.
import type { ServerResponse } from 'node:http'
import sharp from 'sharp'
import { json, type Seen, startOutside, text } from './outside.ts'

export const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#123456' } })
  .png()
  .toBuffer()
const base64 = png.toString('base64')
export const mp4 = Buffer.from('\0\0\0\u0018ftypmp42 not a film')
export const mp3 = Buffer.from('ID3 not a song')

export type Answer = (response: ServerResponse, seen: Seen) => void
/** `paid` responds to a request that is paid for, and `look` to a request for the state of a result: the `looks`-th one. */
type Shape = { paid(base: string, seen: Seen): Answer; look?(base: string, seen: Seen, looks: number): Answer }

const picture = text(png, { 'content-type': 'image/png' })
const film = text(mp4, { 'content-type': 'video/mp4' })
const isPicture = ({ path }: Seen) => path.endsWith('/made.png')
const isFilm = ({ path }: Seen) => path.startsWith('/made.mp4')

const shapes: Readonly<Record<string, Shape>> = {
  openai: {
    paid: (_, { path }) => {
      if (path.endsWith('/speech')) return text(mp3, { 'content-type': 'audio/mpeg' })
      if (path.endsWith('/transcriptions'))
        return json({
          text: 'Cold.',
          language: 'english',
          duration: 1,
          segments: [
            {
              id: 0,
              seek: 0,
              start: 0,
              end: 1,
              text: 'Cold.',
              tokens: [],
              temperature: 0,
              avg_logprob: 0,
              compression_ratio: 1,
              no_speech_prob: 0,
            },
          ],
        })
      if (path.endsWith('/completions'))
        return json({
          choices: [{ message: { content: 'Cold.' }, finish_reason: 'stop' }],
          usage: { total_tokens: 12 },
        })
      return json({ created: 1, data: [{ b64_json: base64 }], usage: { total_tokens: 12 } })
    },
  },
  compatible: {
    paid: (_, { path }) =>
      path.endsWith('/completions')
        ? json({
            ...{ id: '1', created: 1, model: 'm' },
            choices: [{ index: 0, message: { role: 'assistant', content: 'Cold.' }, finish_reason: 'stop' }],
            usage: { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 },
          })
        : json({ data: [{ b64_json: base64 }] }),
  },
  anthropic: {
    paid: () =>
      json({
        ...{ type: 'message', id: 'msg_1', model: 'claude', role: 'assistant', stop_sequence: null },
        content: [{ type: 'text', text: 'Cold.' }],
        stop_reason: 'end_turn',
        usage: { input_tokens: 10, output_tokens: 2 },
      }),
  },
  google: {
    paid: (_, { path, body }) => {
      if (path.endsWith(':predictLongRunning')) return json({ name: 'operations/1' })
      const part = /"responseModalities":\["IMAGE"\]/.test(body)
        ? { inlineData: { mimeType: 'image/png', data: base64 } }
        : { text: 'Cold.' }
      return json({
        candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP' }],
        usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 2, totalTokenCount: 12 },
      })
    },
    look: (base, seen, looks) => {
      if (isFilm(seen)) return film
      const video = { uri: `${base}/made.mp4` }
      const response = { generateVideoResponse: { generatedSamples: [{ video }] } }
      return json(looks === 1 ? { name: 'operations/1' } : { name: 'operations/1', done: true, response })
    },
  },
  fal: {
    paid: (base, { path }) =>
      path.includes('film')
        ? json({ request_id: '1', response_url: 'https://queue.fal.run/fal-ai/film/requests/1' })
        : json({ images: [{ url: `${base}/made.png`, content_type: 'image/png' }], seed: 1 }),
    look: (base, seen, looks) => {
      if (isPicture(seen)) return picture
      if (isFilm(seen)) return film
      return looks === 1
        ? json({ detail: 'Request is still in progress' }, 400)
        : json({ video: { url: `${base}/made.mp4`, content_type: 'video/mp4' } })
    },
  },
  replicate: {
    paid: (base) => json({ id: '1', status: 'starting', urls: { get: `${base}/v1/predictions/1` } }, 201),
    look: (base, seen, looks) => {
      if (isPicture(seen)) return picture
      if (isFilm(seen)) return film
      const urls = { get: `${base}/v1/predictions/1` }
      const isDone = looks > 1
      return json({
        id: '1',
        status: isDone ? 'succeeded' : 'processing',
        urls,
        output: isDone ? `${base}/made.png` : null,
      })
    },
  },
  bfl: {
    paid: (base) => json({ id: '1', polling_url: `${base}/v1/get_result?id=1`, cost: 4 }),
    look: (base, seen, looks) => {
      if (isPicture(seen)) return picture
      return json(looks === 1 ? { status: 'Pending' } : { status: 'Ready', result: { sample: `${base}/made.png` } })
    },
  },
}

export type ProviderHere = {
  url: string
  /** Requests that are paid for, in order. */
  paid(): Seen[]
  looks(): Seen[]
}

/**
 * Starts a provider. `paid` and `looks` are its first responses to paid requests and to state requests; null: the usual response.
 */
export async function startProvider(
  name: string,
  paid: readonly (Answer | null)[] = [],
  looks: Answer[] = [],
): Promise<ProviderHere> {
  const shape = shapes[name]
  if (!shape) throw new Error(`no provider ${name}`)
  const [firstPaid, firstLooks] = [[...paid], [...looks]]
  let asked = 0
  const outside = await startOutside((response, seen) => {
    const base = `http://${seen.headers.host}`
    if (seen.method === 'POST') return (firstPaid.shift() ?? shape.paid(base, seen))(response, seen)
    const given = firstLooks.shift()
    if (given) return given(response, seen)
    asked += 1
    const look = shape.look?.(base, seen, asked) ?? json({ message: 'not there' }, 404)
    return look(response, seen)
  })
  const of = (isPaid: boolean) => () => outside.seen.filter(({ method }) => (method === 'POST') === isPaid)
  return { url: outside.url, paid: of(true), looks: of(false) }
}
