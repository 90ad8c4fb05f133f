// In charge of the bodies of successful responses: an envelope around the data, which is an object or JSON text from the database.

/** JSON text that the database has made; the response contains it unchanged, and the service does not parse it. */
export class JsonText {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** JSON text that is made in parts, for a response that may be too large for memory. Each part is sent as soon as it is made. */
export class JsonParts {
  readonly parts: Iterable<string>
  constructor(parts: Iterable<string>) {
    this.parts = parts
  }

  /** Returns the text in pieces of about 64 KB. */
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
  /** The URL of the record. If the URL is set, `data` is not sent, because the caller wanted a minimal response. */
  location?: string
  etag?: string
  /** Set if the data can change while its revision stays the same; then `If-None-Match` never results in a 304. */
  volatile?: true
  message?: string | null
  /** Sentences about what failed although the request as a whole succeeded; null or left out if nothing failed. */
  errors?: readonly string[] | null
}

/** The members of the envelope that follow the data. */
export type Closing = Pick<Answer, 'message' | 'errors'>

/** The parts of a JSON text that are sent before the whole text has been read: strings, or buffers that never split a character. */
type TextParts = AsyncGenerator<string | Buffer, Closing>

export class JsonStream {
  readonly parts: TextParts
  constructor(parts: TextParts) {
    this.parts = parts
  }

  /** Returns the response in pieces: strings are joined into pieces of about 64 KB; each buffer is a piece of its own. */
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

/** Returns the ETag for a revision of a record. */
export const etagOf = (revision: number): string => `"${revision}"`

const textOf = (data: unknown): string => (data instanceof JsonText ? data.text : JSON.stringify(data))

const opening = '{"success":true,"data":'
const closing = ({ message = null, errors = null }: Closing): string =>
  `,"message":${JSON.stringify(message)},"errors":${JSON.stringify(errors)}}`

export const envelopeText = (answer: Answer): string => opening + textOf(answer.data) + closing(answer)

export const bareText = ({ data }: Answer): string => textOf(data)
