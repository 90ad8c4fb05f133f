// In charge of successful bodies: the envelope around data that is an object or already JSON text from the database.

/** JSON text made by the database; it goes to the socket as it is. */
export class JsonText {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** JSON text made in parts, by an answer that may be too large to be held whole: it is sent as it is made. */
export class JsonParts {
  readonly parts: Iterable<string>
  constructor(parts: Iterable<string>) {
    this.parts = parts
  }

  /** The text in pieces of about 64 KB. */
  *pieces(): Generator<string, undefined> {
    let length = 0
    let pending: string[] = []
    for (const part of this.parts) {
      pending.push(part)
      length += part.length
      if (length < 65_536) continue
      yield pending.join('')
      pending = []
      length = 0
    }
    if (length > 0) yield pending.join('')
  }
}

/** What a handler returns. */
export type Answer = {
  data: unknown
  /** Where the record is: `data` is not sent, since the caller would rather not have all of it. */
  location?: string
  etag?: string
  /** It changes without a write of its own: `If-None-Match` is never answered with 304. */
  volatile?: true
  message?: string | null
  /** What is wrong with what was done all the same, in sentences. */
  errors?: readonly string[] | null
}

/** What of an envelope stands after the data. */
export type Closing = Pick<Answer, 'message' | 'errors'>

/** JSON text that is read as it is sent: strings, and bytes of whole characters. */
type TextParts = AsyncGenerator<string | Buffer, Closing>

export class JsonStream {
  readonly parts: TextParts
  constructor(parts: TextParts) {
    this.parts = parts
  }

  /** The answer in pieces of about 64 KB; what comes as bytes is sent as it comes. */
  async *pieces(isEnveloped: boolean): AsyncGenerator<string | Buffer, undefined> {
    let pending = isEnveloped ? opening : ''
    let next = await this.parts.next()
    for (; !next.done; next = await this.parts.next()) {
      const isText = typeof next.value === 'string'
      if (isText) pending += next.value
      if (pending.length >= 65_536 || (!isText && pending !== '')) {
        yield pending
        pending = ''
      }
      if (!isText) yield next.value
    }
    yield pending + (isEnveloped ? closing(next.value) : '')
  }
}

export const json = (text: string): JsonText => new JsonText(text)

/** The ETag of a revision. */
export const etagOf = (revision: number): string => `"${revision}"`

const textOf = (data: unknown): string => (data instanceof JsonText ? data.text : JSON.stringify(data))

const opening = '{"success":true,"data":'
const closing = ({ message = null, errors = null }: Closing): string =>
  `,"message":${JSON.stringify(message)},"errors":${JSON.stringify(errors)}}`

export const envelopeText = (answer: Answer): string => opening + textOf(answer.data) + closing(answer)

export const bareText = ({ data }: Answer): string => textOf(data)
