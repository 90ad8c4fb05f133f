// In charge of `image.generate`: a picture from an image model.
import { isPlainObject } from '@atelier/contract/definition.ts'
import Type, { type Static } from 'typebox'
import type { Dispatcher } from 'undici'
import { defineNode, File, gives, takes } from './define.ts'
import type { PictureWorkers } from './images/workers.ts'
import { fillIn, templateSchema } from './liquid.ts'
import type { ProviderSettings } from './node-options.ts'
import { type NodeContext, NodeFailure } from './node-type.ts'
import { fetchPicture } from './outside/fetch-picture.ts'
import { imageSizePattern, sizeFault } from './outside/image-sizes.ts'
import { type OpenAi, providerKey, withoutProvider } from './outside/openai.ts'

const price = 10

const params = {
  model: Type.String({
    title: 'Model',
    description: 'Left empty, the one the operator chose.',
    default: '',
    maxLength: 100,
    examples: ['gpt-image-2.5-sunburst'],
  }),
  prompt: templateSchema('Prompt', 'What is to be seen. {{ names }} are inputs of the node.', '{{ prompt }}', [
    'A steel bottle on a rock at sunrise, wide empty sky at the left, photo',
  ]),
  size: Type.String({
    title: 'Size',
    description: 'Width x height in pixels, or auto. Which there are depends on the model.',
    default: '1024x1024',
    pattern: imageSizePattern,
    maxLength: 11,
    examples: ['1024x1536', '1536x1024', '1008x1792', 'auto'],
  }),
  quality: Type.String({
    title: 'Quality',
    description: 'As the model calls it, such as low, medium, high; left empty, its own choice.',
    default: '',
    maxLength: 20,
    examples: ['high'],
  }),
}

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

The models of the \`gpt-image-2\` family make any size whose sides are multiples of 16, up to 3840x2160 and 3 to 1: 1008x1792
for stories, 1024x1280 for feeds. A size that a model is known not to take is refused before anything is sent.

The same prompt is paid once: later runs take the picture from the cache, until somebody re-rolls it. Bring it to
placements with **Resize**.`,
    params,
    inputs: {
      prompt: takes({ title: 'Prompt', description: 'Stands for {{ prompt }} in the prompt.', schema: Type.String() }),
    },
    openInputs: true,
    outputs: { image: gives('Picture', 'The picture that was made.', File) },
    credits: { least: price, most: price, note: `${price} for each picture.` },
    retrySafe: false,
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
        const asked = requestOf(params, prompt, openai.settings)
        const made = read(await openai.post('/images/generations', asked, { unit, signal }))
        if (typeof made === 'string') {
          // Paid for from here on: a later attempt fetches it rather than have another one made.
          await saveCheckpoint({ url: made })
          address = made
        } else bytes = made
      }
      bytes ??= await fetchPicture(address ?? '', { openai, agent, signal, credits: price })
      const model = params.model || openai.settings.imageModel
      return { outputs: { image: await store(bytes, model, { workers, files, signal }) }, credits: price }
    },
  })
}

type Params = Static<Type.TObject<typeof params>>

function requestOf({ model: named, size, quality }: Params, prompt: string, settings: ProviderSettings) {
  const model = named || settings.imageModel
  const fault = sizeFault(model, size)
  if (fault !== null) throw new NodeFailure(`${fault} Nothing was sent.`)
  return { model, prompt, n: 1, size, ...(quality === '' ? {} : { quality }) }
}

/** The bytes, or the address they can be had at. */
function read(answer: Record<string, unknown>): Buffer | string {
  const [first]: unknown[] = Array.isArray(answer.data) ? answer.data : []
  const { b64_json: base64, url } = isPlainObject(first) ? first : {}
  if (typeof base64 === 'string' && base64 !== '') return Buffer.from(base64, 'base64')
  if (typeof url === 'string' && URL.canParse(url)) return url
  throw new NodeFailure('The provider answered without a picture. It was paid for.', { credits: price })
}

type Storing = Pick<NodeContext, 'files' | 'signal'> & { workers: PictureWorkers }

/** Stored by what the bytes are, not by what the provider calls them, and with what made them written into them. */
async function store(picture: Buffer, model: string, { workers, files, signal }: Storing) {
  const marked = workers.mark({ picture, sourceType: 'trainedAlgorithmicMedia', model }, signal)
  const { bytes, format } = await marked.catch((cause: unknown) => {
    if (signal.aborted) throw cause
    throw new NodeFailure('The provider made something that is no picture. It was paid for.', { credits: price, cause })
  })
  const kinds: Record<string, string> = { png: 'png', jpeg: 'jpeg', webp: 'webp', heif: 'avif' }
  const kind = kinds[format]
  if (kind === undefined)
    throw new NodeFailure(`The provider made a picture of a kind that is not kept (${format}). It was paid for.`, {
      credits: price,
    })
  return files.write(bytes, `image/${kind}`, `generated.${kind === 'jpeg' ? 'jpg' : kind}`)
}
