// In charge of how node types see models: one interface for each kind of model, whatever the provider.
import type { NodeContext } from '../node-type.ts'

/** A file that is sent to or received from a model. */
export type Media = { bytes: Uint8Array; mediaType: string }

/** What a call needs from its node. `credits`: the price of the call once the provider has done its work. */
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
  /** Null: the model's default. */
  temperature: number | null
  maxTokens: number | null
  /** The JSON Schema of the reply; null: the reply is text. */
  schema: Record<string, unknown> | null
}

/** `refusal`: the model's reason for declining. `tokens`: null where the provider does not say. */
export type ChatReply = { text: string | null; refusal: string | null; tokens: number | null; isCut: boolean }

export type SpeechRequest = { text: string; voice: string; instructions: string }
export type TranscriptionRequest = { audio: Media }
export type Segment = { text: string; start: number; end: number }
export type TranscriptionReply = { text: string; segments: Segment[]; language: string | null }

export type VideoRequest = {
  prompt: string
  /** For example `9:16`; null: the model's default. */
  aspectRatio: string | null
  seconds: number | null
  firstFrame: Media | null
  lastFrame: Media | null
}

/** A workflow in its provider's format, with values for some fields. A file is uploaded first, and its field gets its name. */
export type WorkflowRequest = {
  workflow: Readonly<Record<string, { class_type: string; inputs: Record<string, unknown> }>>
  values: readonly { node: string; field: string; value: string | number | boolean | Media }[]
  /** The maximum time for the job at the provider, including waiting in the queue; the job is then stopped. */
  seconds: number
}

/** `seconds`: how long the provider's machine worked on the job; null where the provider does not say. */
export type WorkflowReply = { files: Media[]; seconds: number | null }

/** The provider's token count, and its stated price in millionths of a currency; each null where it says nothing. */
export type Usage = {
  tokens: { sent: number; made: number } | null
  cost: { currency: string; amount: number } | null
}

/**
 * The result of a model call. `note`: a message from the provider for the user, such as the price, or an option that
 * the provider does not know. `isCharged`: an earlier attempt was already charged for this result.
 */
export type Made<T> = { made: T; note: string | null; usage: Usage | null; isCharged: boolean }

/** Calls a model with one paid request. */
type Ask<Request, Reply> = (model: string, request: Request, call: ModelCall) => Promise<Made<Reply>>

/** The kinds of models that a provider has; a kind that it does not have is absent. */
export type ProviderModels = {
  image?: Ask<ImageRequest, Buffer>
  /** The same as `image`, but for requests with references. */
  edit?: Ask<ImageRequest, Buffer>
  chat?: Ask<ChatRequest, ChatReply>
  speech?: Ask<SpeechRequest, Media>
  transcription?: Ask<TranscriptionRequest, TranscriptionReply>
  video?: Ask<VideoRequest, Media>
  workflow?: Ask<WorkflowRequest, WorkflowReply>
}
