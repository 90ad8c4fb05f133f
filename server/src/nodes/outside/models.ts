// In charge of how node types see models: one interface for each kind of model, whatever the provider.
import type { NodeContext } from '../node-type.ts'

/** A file that is sent to or received from a model. */
export type Media = { bytes: Uint8Array; mediaType: string }

/**
 * What the call of a model needs from the call of the node. `credits`: what to charge if the provider has done the work but its
 * result cannot be used.
 */
export type ModelCall = Pick<NodeContext, 'unit' | 'seed' | 'signal' | 'checkpoint' | 'saveCheckpoint' | 'progress'> & {
  credits: number
}

export type ImageRequest = {
  prompt: string
  /** `auto`, or width x height in pixels. */
  size: string
  /** The quality in the model's own terms; empty: the model chooses. */
  quality: string
  /** Pictures to start from; empty for a model that makes pictures from words alone. */
  references: readonly Media[]
  /** The area of the first reference that may change; null: the whole picture. */
  mask: Media | null
}

export type ChatRequest = {
  system: string
  prompt: string
  /** Null: the model's default. The same holds for `maxTokens`. */
  temperature: number | null
  maxTokens: number | null
  /** The JSON Schema of the reply; null: the reply is text. */
  schema: Record<string, unknown> | null
}

/**
 * `text`: null if the reply has none. `refusal`: the model's reason for declining; null if it did not decline. `tokens`: null if
 * the provider does not say. `isCut`: whether the reply ended at its maximum length.
 */
export type ChatReply = { text: string | null; refusal: string | null; tokens: number | null; isCut: boolean }

export type SpeechRequest = { text: string; voice: string; instructions: string }
export type TranscriptionRequest = { audio: Media }
export type Segment = { text: string; start: number; end: number }
export type TranscriptionReply = { text: string; segments: Segment[]; language: string | null }

export type VideoRequest = {
  prompt: string
  /** For example `9:16`; null: the model's default. For `seconds`, null means the same. */
  aspectRatio: string | null
  seconds: number | null
  firstFrame: Media | null
  lastFrame: Media | null
}

/**
 * A workflow in its provider's format, and `values` to write into its fields. A value that is a file is uploaded before the job is
 * sent, and the name of the uploaded file is written into the field.
 */
export type WorkflowRequest = {
  workflow: Readonly<Record<string, { class_type: string; inputs: Record<string, unknown> }>>
  values: readonly { node: string; field: string; value: string | number | boolean | Media }[]
  /** The maximum time for the job at the provider, including its time in the queue. A job that takes longer is stopped. */
  seconds: number
}

/** `seconds`: how long the provider's machine worked on the job; null if the provider does not say. */
export type WorkflowReply = { files: Media[]; seconds: number | null }

/**
 * `tokens`: how many tokens the provider counted in the request (`sent`) and in the reply (`made`). `cost`: the price that the
 * provider states, in millionths of a currency. Null: the provider does not say.
 */
export type Usage = {
  tokens: { sent: number; made: number } | null
  cost: { currency: string; amount: number } | null
}

/**
 * The result of a model call. `note`: what the user should know about it, such as the provider's price or an option that the model
 * does not know; null: nothing. `isCharged`: an earlier attempt was already charged for this result. `charge`: must be called before
 * the node fails with the price of the call; then a later attempt that gets the same result finds `isCharged` true.
 */
export type Made<T> = {
  made: T
  note: string | null
  usage: Usage | null
  isCharged: boolean
  charge(): Promise<void>
}

/** Calls a model with at most one paid request; with none if an earlier attempt has sent it. */
type Ask<Request, Reply> = (model: string, request: Request, call: ModelCall) => Promise<Made<Reply>>

/** Kind of model → the function that calls a model of this kind; absent if the provider has no such models. */
export type ProviderModels = {
  image?: Ask<ImageRequest, Buffer>
  /** Like `image`, but for requests with at least one picture in `references`. */
  edit?: Ask<ImageRequest, Buffer>
  chat?: Ask<ChatRequest, ChatReply>
  speech?: Ask<SpeechRequest, Media>
  transcription?: Ask<TranscriptionRequest, TranscriptionReply>
  video?: Ask<VideoRequest, Media>
  workflow?: Ask<WorkflowRequest, WorkflowReply>
}
