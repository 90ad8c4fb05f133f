// In charge of what models are to node types: one interface for each kind of model, whoever provides it.
import type { NodeContext } from '../node-type.ts'

/** A file as models take and give it. */
export type Media = { bytes: Uint8Array; mediaType: string }

/** What a call needs of the node that makes it. `credits`: what it costs as soon as the provider has done its work. */
export type ModelCall = Pick<NodeContext, 'unit' | 'seed' | 'signal' | 'checkpoint' | 'saveCheckpoint' | 'progress'> & {
  credits: number
}

export type ImageRequest = {
  prompt: string
  /** `auto`, or width x height in pixels. */
  size: string
  /** As the model calls it; empty: its own choice. */
  quality: string
  /** Pictures to start from; a model that makes pictures from words alone is given none. */
  references: readonly Media[]
  /** Where the first of them is to be changed; null: anywhere. */
  mask: Media | null
}

export type ChatRequest = {
  system: string
  prompt: string
  /** Null: the model's own. */
  temperature: number | null
  maxTokens: number | null
  /** The JSON Schema of the reply; null: text. */
  schema: Record<string, unknown> | null
}

/** `refusal`: why the model declined, in its words. `tokens`: null where the provider does not say. */
export type ChatReply = { text: string | null; refusal: string | null; tokens: number | null; isCut: boolean }

export type SpeechRequest = { text: string; voice: string; instructions: string }
export type TranscriptionRequest = { audio: Media }
export type Segment = { text: string; start: number; end: number }
export type TranscriptionReply = { text: string; segments: Segment[]; language: string | null }

export type VideoRequest = {
  prompt: string
  /** Such as `9:16`; null: the model's own. */
  aspectRatio: string | null
  seconds: number | null
  firstFrame: Media | null
  lastFrame: Media | null
}

/** A workflow by its provider's own names, with values for some of its fields. A file is sent ahead, and goes by a name. */
export type WorkflowRequest = {
  workflow: Readonly<Record<string, { class_type: string; inputs: Record<string, unknown> }>>
  values: readonly { node: string; field: string; value: string | number | boolean | Media }[]
  /** How long it may take there, waiting included; then it is stopped. */
  seconds: number
}

/** `seconds`: how long the machine worked on it; null where it does not say. */
export type WorkflowReply = { files: Media[]; seconds: number | null }

/** What the provider counted, and what it says it costs, in millionths of a currency; null where it says nothing. */
export type Usage = {
  tokens: { sent: number; made: number } | null
  cost: { currency: string; amount: number } | null
}

/**
 * What a model made. `note`: what the provider says about it that a person should know, such as its price or an option it
 * does not know. `isCharged`: an earlier attempt has been charged for it already.
 */
export type Made<T> = { made: T; note: string | null; usage: Usage | null; isCharged: boolean }

/** A call of a model: it costs one request. */
type Ask<Request, Reply> = (model: string, request: Request, call: ModelCall) => Promise<Made<Reply>>

/** What a provider offers; a kind that is absent it does not have. */
export type ProviderModels = {
  image?: Ask<ImageRequest, Buffer>
  /** As `image`, for requests with references. */
  edit?: Ask<ImageRequest, Buffer>
  chat?: Ask<ChatRequest, ChatReply>
  speech?: Ask<SpeechRequest, Media>
  transcription?: Ask<TranscriptionRequest, TranscriptionReply>
  video?: Ask<VideoRequest, Media>
  workflow?: Ask<WorkflowRequest, WorkflowReply>
}
