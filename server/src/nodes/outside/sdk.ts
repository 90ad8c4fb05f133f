// In charge of calling the models in the AI SDK's provider packages through the interfaces of `models.ts`. This code calls the
// packages directly, because the SDK's own functions, such as `generateText`, repeat paid calls.
import { setTimeout as wait } from 'node:timers/promises'
import type {
  ImageModelV4,
  ImageModelV4File,
  LanguageModelV4,
  SharedV4Warning,
  SpeechModelV4,
  TranscriptionModelV4,
  Experimental_VideoModelV4 as VideoModelV4,
} from '@ai-sdk/provider'
import { wordsOf } from '../../platform/operator-error.ts'
import { NodeFailure } from '../node-type.ts'
import { isTokenCount, tokensSaid } from './bookable.ts'
import { type Connection, createExchange, type Exchange } from './exchange.ts'
import type {
  ChatReply,
  ChatRequest,
  ImageRequest,
  Made,
  Media,
  ModelCall,
  ProviderModels,
  SpeechRequest,
  TranscriptionReply,
  TranscriptionRequest,
  Usage,
  VideoRequest,
} from './models.ts'
import { plainText } from './send.ts'

/** The options with which a provider's package is set up for one call. */
export type Link = { apiKey: string; baseURL: string; fetch: typeof globalThis.fetch; pollMs: number }

type Written = Awaited<ReturnType<LanguageModelV4['doGenerate']>>
type VideoOptions = Parameters<NonNullable<VideoModelV4['doStart']>>[0]
type VideoStatus =
  | { status: 'pending' }
  | { status: 'error'; error: string }
  | { status: 'completed'; videos: Video[]; warnings: SharedV4Warning[] }

/**
 * The members of a video model that are used here. This is a type of its own, because video models are still experimental in the
 * SDK's specification, and the packages follow different releases of it.
 */
type VideoMaker = {
  doStart?(options: VideoOptions): PromiseLike<{ operation: unknown; warnings: SharedV4Warning[] }>
  doStatus?(options: { operation: unknown; abortSignal?: AbortSignal }): PromiseLike<VideoStatus>
}

/** A package: for each kind of model, a function from the model's name to the model; absent if the package has no such models. */
export type Package = {
  image?(model: string): ImageModelV4
  chat?(model: string): LanguageModelV4
  speech?(model: string): SpeechModelV4
  transcription?(model: string): TranscriptionModelV4
  video?(model: string): VideoMaker
}

/** The kinds of models that packages support. */
type PackageModels = Omit<ProviderModels, 'workflow'>

export type PackageRules = {
  /** The kinds of models that the provider has. */
  kinds: readonly (keyof PackageModels)[]
  /**
   * Absent: image models take a size in pixels. A list: instead, they take one of these ratios. `any`: they take any ratio, and
   * `imageOptions` adds the size in pixels.
   */
  ratios?: readonly string[] | 'any'
  /** Further options for a call of an image model. */
  imageOptions?(
    request: ImageRequest,
    link: Pick<Link, 'pollMs'>,
  ): Parameters<ImageModelV4['doGenerate']>[0]['providerOptions']
  /**
   * The price that the provider states for a picture, as a sentence and in millionths of a currency; null if it states none.
   */
  priceOf?(metadata: unknown): { words: string; cost: NonNullable<Usage['cost']> } | null
  /** Reads the error of a job from a reply of the provider; null if the reply says nothing about an error. */
  verdict?(body: string): string | null
}

/** The result of a call, the package's warnings about it, and the provider's price as a sentence. */
type Outcome<T> = { made: T; warnings: readonly SharedV4Warning[]; price?: string | null; usage?: Usage }
type Call = {
  own: Package
  model: string
  context: ModelCall
  exchange: Exchange
  connection: Connection
  rules: PackageRules
}

/** The models of a provider, called through its package. `load` imports the package, which happens only in a call. */
export function packageModels(connection: Connection, load: (link: Link) => Promise<Package>, rules: PackageRules) {
  const by =
    <Request, T>(make: (request: Request, call: Call) => Promise<Outcome<T>>, keeps = true) =>
    async (model: string, request: Request, context: ModelCall): Promise<Made<T>> => {
      const exchange = createExchange(connection, context, { verdict: rules.verdict, keeps })
      const { url, key, pollMs } = connection
      try {
        const own = await load({ apiKey: key ?? 'none', baseURL: url, fetch: exchange.fetch, pollMs })
        const call = { own, model, context, exchange, connection, rules }
        const { made, warnings, price = null, usage = null } = await make(request, call)
        return { made, note: noteOf(warnings, price), usage, isCharged: exchange.isCharged(), charge: exchange.charge }
      } catch (error) {
        throw await failureOf(error, { connection, exchange, context })
      }
    }
  const all: Required<PackageModels> = {
    ...{ image: by(paint), edit: by(paint), chat: by(write, false) },
    ...{ speech: by(speak), transcription: by(transcribe), video: by(film) },
  }
  return Object.fromEntries(rules.kinds.map((kind) => [kind, all[kind]])) as PackageModels
}

async function paint(
  request: ImageRequest,
  { own, model, context, connection, rules }: Call,
): Promise<Outcome<Buffer>> {
  const { size, note } = sizeOf(request.size, rules.ratios)
  const { images, warnings, providerMetadata, usage } = await theirs(own.image, model).doGenerate({
    ...{ prompt: request.prompt, n: 1, seed: undefined, ...size },
    files: request.references.length === 0 ? undefined : request.references.map(fileOf),
    mask: request.mask === null ? undefined : fileOf(request.mask),
    providerOptions: rules.imageOptions?.(request, connection) ?? {},
    abortSignal: context.signal,
  })
  const [image] = images
  if (image === undefined) throw new Error('there is no picture in its answer')
  const added: SharedV4Warning[] = note === null ? [] : [{ type: 'other', message: note }]
  const said = rules.priceOf?.(providerMetadata) ?? null
  return {
    made: bytesOf(image),
    warnings: [...warnings, ...added],
    price: said?.words ?? null,
    usage: { tokens: tokensSaid(usage?.inputTokens, usage?.outputTokens), cost: said?.cost ?? null },
  }
}

async function write(request: ChatRequest, { own, model, context }: Call): Promise<Outcome<ChatReply>> {
  const { system, prompt, temperature, maxTokens, schema } = request
  const written = await theirs(own.chat, model).doGenerate({
    prompt: [
      ...(system === '' ? [] : [{ role: 'system' as const, content: system }]),
      { role: 'user', content: [{ type: 'text', text: prompt }] },
    ],
    ...(temperature === null ? {} : { temperature }),
    ...(maxTokens === null ? {} : { maxOutputTokens: maxTokens }),
    ...(schema === null ? {} : { responseFormat: { type: 'json', schema } }),
    abortSignal: context.signal,
  })
  const { inputTokens, outputTokens } = written.usage
  const usage = { tokens: tokensSaid(inputTokens.total, outputTokens.total), cost: null }
  return { made: chatOf(written), warnings: written.warnings, usage }
}

async function speak(request: SpeechRequest, { own, model, context }: Call): Promise<Outcome<Media>> {
  const { text, voice, instructions } = request
  const { audio, warnings } = await theirs(own.speech, model).doGenerate({
    text,
    ...(voice === '' ? {} : { voice }),
    ...(instructions === '' ? {} : { instructions }),
    abortSignal: context.signal,
  })
  const bytes = bytesOf(audio)
  return { made: { bytes, mediaType: audioType(bytes) }, warnings }
}

async function transcribe(
  { audio }: TranscriptionRequest,
  { own, model, context }: Call,
): Promise<Outcome<TranscriptionReply>> {
  const { text, segments, language, warnings } = await theirs(own.transcription, model).doGenerate({
    audio: audio.bytes,
    mediaType: audio.mediaType,
    abortSignal: context.signal,
  })
  const parts = segments.map(({ text: words, startSecond: start, endSecond: end }) => ({ text: words, start, end }))
  return { made: { text, segments: parts, language: language ?? null }, warnings }
}

async function film(
  request: VideoRequest,
  { own, model, context, exchange, connection }: Call,
): Promise<Outcome<Media>> {
  const { signal } = context
  const maker = theirs(own.video, model)
  const { operation, warnings } = await started(maker, request, context)
  for (let looks = 1; ; looks++) {
    const job = await maker.doStatus?.({ operation, abortSignal: signal })
    if (job?.status === 'error') throw new Error(job.error)
    if (job?.status === 'completed') {
      const [video] = job.videos
      if (video === undefined) throw new Error('there is no video in its answer')
      return { made: await videoOf(video, exchange.fetch, signal), warnings: [...warnings, ...job.warnings] }
    }
    context.progress(looks / (looks + 20), 'The provider is at work.')
    await wait(connection.pollMs, undefined, { signal })
  }
}

function chatOf({ content, finishReason, usage }: Pick<Written, 'content' | 'finishReason' | 'usage'>): ChatReply {
  const text = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')
  const isDeclined = finishReason.unified === 'content-filter'
  const counts = [usage.inputTokens.total, usage.outputTokens.total].filter(isTokenCount)
  const tokens = counts.reduce((sum, count) => sum + count, 0)
  return {
    text: isDeclined || content.length === 0 ? null : text,
    refusal: isDeclined ? text || (finishReason.raw ?? 'no reason given') : null,
    tokens: tokens === 0 ? null : tokens,
    isCut: finishReason.unified === 'length',
  }
}

function theirs<M>(make: ((model: string) => M) | undefined, model: string): M {
  if (make === undefined) throw new Error('it has no such models')
  return make(model)
}

function started(maker: VideoMaker, request: VideoRequest, { signal }: ModelCall) {
  if (maker.doStart === undefined || maker.doStatus === undefined) throw new Error('its videos cannot be gone on with')
  const { prompt, aspectRatio, seconds, firstFrame, lastFrame } = request
  const frames = [
    ...(firstFrame === null ? [] : [{ frameType: 'first_frame' as const, image: fileOf(firstFrame) }]),
    ...(lastFrame === null ? [] : [{ frameType: 'last_frame' as const, image: fileOf(lastFrame) }]),
  ]
  return maker.doStart({
    ...{ prompt, n: 1, resolution: undefined, fps: undefined, seed: undefined },
    aspectRatio: isRatio(aspectRatio) ? aspectRatio : undefined,
    duration: seconds ?? undefined,
    image: firstFrame === null ? undefined : fileOf(firstFrame),
    // A first frame without a last frame is sent only as `image`: all models accept that parameter, not all accept `frameImages`.
    frameImages: lastFrame === null ? undefined : frames,
    ...{ inputReferences: undefined, generateAudio: undefined, providerOptions: {}, abortSignal: signal },
  })
}

type Video = { type: string; url?: string; data?: string | Uint8Array; mediaType?: string }

async function videoOf(video: Video, fetch: typeof globalThis.fetch, signal: AbortSignal): Promise<Media> {
  const mediaType = video.mediaType ?? 'video/mp4'
  if (video.data !== undefined) return { bytes: bytesOf(video.data), mediaType }
  if (video.url === undefined) throw new Error('there is no video in its answer')
  const response = await fetch(video.url, { signal })
  if (!response.ok) throw new Error(`the place the video is at answered ${response.status}`)
  return { bytes: new Uint8Array(await response.arrayBuffer()), mediaType }
}

const fileOf = ({ bytes, mediaType }: Media): Extract<ImageModelV4File, { type: 'file' }> => ({
  type: 'file',
  data: bytes,
  mediaType,
})

const bytesOf = (data: string | Uint8Array): Buffer =>
  typeof data === 'string' ? Buffer.from(data, 'base64') : Buffer.from(data)

const isRatio = (text: string | null): text is `${number}:${number}` => text !== null && /^\d+:\d+$/.test(text)
const isSize = (text: string): text is `${number}x${number}` => /^\d+x\d+$/.test(text)

/**
 * The size or the ratio to send, depending on what the provider takes. `note`: a sentence that says which ratio is sent, if the
 * provider takes only certain ratios; null otherwise.
 */
function sizeOf(size: string, ratios: PackageRules['ratios']) {
  const none = { size: { size: undefined, aspectRatio: undefined }, note: null }
  if (!isSize(size)) return none
  if (ratios === undefined) return { size: { size, aspectRatio: undefined }, note: null }
  if (ratios === 'any') return { size: { size: undefined, aspectRatio: ratioOf(size) }, note: null }
  const shapeOf = (ratio: string): number => {
    const [width = 1, height = 1] = ratio.split(/[x:]/).map(Number)
    return Math.log(width / height)
  }
  const away = (ratio: string): number => Math.abs(shapeOf(ratio) - shapeOf(size))
  const [nearest = null] = ratios.toSorted((a, b) => away(a) - away(b))
  if (!isRatio(nearest)) return none
  const isExact = away(nearest) < 0.01
  const note = `This model takes proportions, not pixels: it was asked for ${nearest}${isExact ? '' : `, which is nearest to ${size}`}. Resize makes the exact size.`
  return { size: { size: undefined, aspectRatio: nearest }, note }
}

/** The ratio of a size: `1024x1536` is `2:3`. */
function ratioOf(size: `${number}x${number}`): `${number}:${number}` {
  const [width = 1, height = 1] = size.split('x').map(Number)
  const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b))
  const by = divisor(width, height)
  return `${width / by}:${height / by}`
}

function noteOf(warnings: readonly SharedV4Warning[], price: string | null): string | null {
  const words = warnings.map((warning) => {
    if (warning.type === 'other') return warning.message
    const details = 'details' in warning ? warning.details : undefined
    const feature = 'feature' in warning ? warning.feature : warning.type
    return details ?? `The model does not know “${feature}”.`
  })
  const all = [...(price === null ? [] : [price]), ...words]
  return all.length === 0 ? null : plainText(all.join(' '), 1000)
}

/** The media type of an audio file, from its first bytes: packages do not report the type. */
function audioType(bytes: Buffer): string {
  const head = bytes.subarray(0, 12).toString('latin1')
  if (head.startsWith('RIFF')) return 'audio/wav'
  if (head.startsWith('OggS')) return 'audio/ogg'
  if (head.startsWith('fLaC')) return 'audio/flac'
  return head.startsWith('ID3') || bytes[0] === 0xff ? 'audio/mpeg' : 'application/octet-stream'
}

type Failed = { connection: Connection; exchange: Exchange; context: ModelCall }

/**
 * Converts an error of a package to a `NodeFailure` that says whether the call was paid for. Only the message of the error is
 * kept, without the key, because the error itself contains the request. After an abort, the error is returned unchanged.
 */
async function failureOf(error: unknown, { connection, exchange, context }: Failed): Promise<unknown> {
  if (context.signal.aborted) return error
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (cause instanceof NodeFailure) return cause
  const { title, key } = connection
  const message = wordsOf(error)
  const words = plainText(key === null ? message : message.replaceAll(key, '…'), 300)
  if (!exchange.isSent()) return new NodeFailure(`${title} cannot be asked for this: ${words} Nothing was sent.`)
  if (exchange.isCharged()) return new NodeFailure(`${title}: ${words} It was paid for before.`)
  await exchange.charge()
  return new NodeFailure(`${title} answered with something that is of no use: ${words} It was paid for.`, {
    credits: context.credits,
  })
}
