// In charge of `image.generate`: a picture from an image model.

import { setTimeout as wait } from 'node:timers/promises'
import { isPlainObject } from '@atelier/contract/definition.ts'
import Type from 'typebox'
import type { Dispatcher } from 'undici'
import { defineNode, File, gives, takes } from './define.ts'
import type { PictureWorkers } from './images/workers.ts'
import { fillIn, templateSchema } from './liquid.ts'
import { type NodeContext, NodeFailure } from './node-type.ts'
import { type OpenAi, providerKey, withoutProvider } from './outside/openai.ts'
import { retryAfter, send } from './outside/send.ts'

const sizes = ['1024x1024', '1024x1536', '1536x1024', '1792x1024', '1024x1792', '512x512', 'auto'] as const
const price = 10
const limit = 40_000_000
const fetches = 4

type Needs = { openai: OpenAi | null; workers: PictureWorkers; agent: Dispatcher }

export const imageGenerate = ({ openai, workers, agent }: Needs) => {
  const settings = openai?.settings ?? null
  return defineNode({
    type: 'image.generate',
    title: 'Generate image',
    summary: 'Asks an image model for a picture.',
    group: 'generate',
    help: `
Write what is to be seen: subject, light, framing, style, and what must not be there. Words in the picture are better set
by **Render ad** than by a model. Leave room for them: “empty space at the left”.

The same prompt is paid once: later runs take the picture from the cache, until somebody re-rolls it. Bring it to
placements with **Resize**.`,
    params: {
      model: Type.String({
        title: 'Model',
        description: 'Left empty, the one the operator chose.',
        default: '',
        maxLength: 100,
        examples: ['gpt-image-1'],
      }),
      prompt: templateSchema('Prompt', 'What is to be seen. {{ names }} are inputs of the node.', '{{ prompt }}', [
        'A steel bottle on a rock at sunrise, wide empty sky at the left, photo',
      ]),
      size: Type.Unsafe<(typeof sizes)[number]>({
        type: 'string',
        enum: [...sizes],
        title: 'Size',
        description: 'Which of them there are depends on the model.',
        default: '1024x1024',
      }),
      quality: Type.String({
        title: 'Quality',
        description: 'As the model calls it, such as low, medium, high; left empty, its own choice.',
        default: '',
        maxLength: 20,
        examples: ['high'],
      }),
    },
    inputs: {
      prompt: takes({ title: 'Prompt', description: 'Stands for {{ prompt }} in the prompt.', schema: Type.String() }),
    },
    openInputs: true,
    outputs: { image: gives('Picture', 'The picture that was made.', File) },
    credits: { least: price, most: price, note: `${price} for each picture.` },
    retrySafe: false,
    concurrency: 4,
    timeoutSeconds: 600,
    unavailable: () => withoutProvider(settings),
    provider: ({ model }) => providerKey(settings, model || (settings?.imageModel ?? '')),
    run: async ({ params, inputs, unit, signal, checkpoint, saveCheckpoint, files }) => {
      if (openai === null) throw new NodeFailure(withoutProvider(null) ?? '')
      const prompt = fillIn(params.prompt, inputs).trim()
      if (prompt === '') throw new NodeFailure('The prompt is empty. Write one, or lead a text to “Prompt”.')
      let address = typeof checkpoint?.url === 'string' ? checkpoint.url : null
      let bytes: Buffer | null = null
      if (address === null) {
        const { model, size, quality } = params
        const asked = {
          model: model || openai.settings.imageModel,
          prompt,
          n: 1,
          size,
          ...(quality === '' ? {} : { quality }),
        }
        const made = read(await openai.post('/images/generations', asked, { unit, signal }))
        if (typeof made === 'string') {
          // Paid for from here on: a later attempt fetches it rather than have another one made.
          await saveCheckpoint({ url: made })
          address = made
        } else bytes = made
      }
      bytes ??= await fetchPicture(address ?? '', openai, agent, signal)
      return { outputs: { image: await store(bytes, { workers, files, signal }) }, credits: price }
    },
  })
}

/** The bytes, or the address they can be had at. */
function read(answer: Record<string, unknown>): Buffer | string {
  const [first]: unknown[] = Array.isArray(answer.data) ? answer.data : []
  const { b64_json: base64, url } = isPlainObject(first) ? first : {}
  if (typeof base64 === 'string' && base64 !== '') return Buffer.from(base64, 'base64')
  if (typeof url === 'string' && URL.canParse(url)) return url
  throw new NodeFailure('The provider answered without a picture.', { outcome: 'unknown' })
}

/** It is paid for, and fetching it costs nothing: tried a few times before the call fails with that said. */
async function fetchPicture(url: string, openai: OpenAi, agent: Dispatcher, signal: AbortSignal): Promise<Buffer> {
  const data = /^data:image\/[a-z+]+;base64,(.*)$/s.exec(url)
  if (data) return Buffer.from(data[1] ?? '', 'base64')
  const host = new URL(url).host
  // A local service hands out pictures from itself: it is trusted with that as it is with the prompt.
  const isItself = host === new URL(openai.settings.baseUrl).host
  for (let attempt = 1; ; attempt++) {
    try {
      return await fetchOnce(url, isItself ? openai.agent : agent, `The place the picture is at (${host})`, signal)
    } catch (error) {
      if (!(error instanceof NodeFailure)) throw error
      const paid = new NodeFailure(`${error.message} The picture was paid for.`, { outcome: 'unknown', cause: error })
      if (error.again === null || attempt === fetches) throw paid
      await wait(Math.min(error.again.afterSeconds * 1000, 50 * 4 ** attempt), undefined, { signal }).catch(() => {
        throw paid
      })
    }
  }
}

async function fetchOnce(url: string, agent: Dispatcher, who: string, signal: AbortSignal): Promise<Buffer> {
  const sent = await send({ url, agent, signal, limit, who, hasEffect: false, redirects: 3 })
  if (sent.status === 200) return sent.body
  const isPassing = sent.status === 429 || sent.status >= 500
  throw new NodeFailure(
    `${who} answered ${sent.status}.`,
    isPassing ? { again: { afterSeconds: retryAfter(sent.headers, 10) } } : {},
  )
}

type Storing = Pick<NodeContext, 'files' | 'signal'> & { workers: PictureWorkers }

/** Stored by what the bytes are, not by what the provider calls them. */
async function store(bytes: Buffer, { workers, files, signal }: Storing) {
  const { format } = await workers.inspect(bytes, signal).catch((cause: unknown) => {
    if (signal.aborted) throw cause
    throw new NodeFailure('The provider made something that is no picture.', { outcome: 'unknown', cause })
  })
  const kinds: Record<string, string> = { png: 'png', jpeg: 'jpeg', webp: 'webp', heif: 'avif' }
  const kind = kinds[format]
  if (kind === undefined)
    throw new NodeFailure(`The provider made a picture of a kind that is not kept (${format}).`, { outcome: 'unknown' })
  return files.write(bytes, `image/${kind}`, `generated.${kind === 'jpeg' ? 'jpg' : kind}`)
}
