// In charge of sending messages of PostgreSQL's protocol to PGlite, and of reading the messages that it returns.
import { messages, type PGlite, protocol } from '@electric-sql/pglite'

export type BackendMessage = messages.BackendMessage

/** Sends messages to one PGlite, and passes on the notifications that come with what they return. */
export type MessageSender = {
  /** Returns PostgreSQL's messages; throws the error if there is one among them. */
  send(parts: readonly Uint8Array[]): Promise<BackendMessage[]>
  listen(channel: string, onNotice: (payload: string) => void): Promise<void>
}

/** The size of the buffer that is kept between two calls, in bytes; more than most responses need. */
const keptBytes = 65_536

/**
 * PGlite's own `execProtocolStream` copies a long response about five times, outside of V8's heap, where the garbage of six readers of a
 * large run grew to 80 MB before V8 collected it. Here the parts of a response are collected in a buffer that is used again; only a
 * response that is longer than this buffer allocates memory, which is freed at once.
 */
export function messagesTo(pglite: PGlite): MessageSender {
  const listeners = new Map<string, Set<(payload: string) => void>>()
  const kept = new Uint8Array(keptBytes)
  const notify = ({ channel, payload }: messages.NotificationResponseMessage) => {
    for (const onNotice of listeners.get(channel) ?? []) queueMicrotask(() => onNotice(payload))
  }
  return {
    async send(parts) {
      let received = kept
      let length = 0
      const collect = (bytes: Uint8Array) => {
        if (length + bytes.length > received.length) received = moved(received, length, length + bytes.length)
        // The bytes are in the memory of the database, which writes the next ones over them.
        received.set(bytes, length)
        length += bytes.length
      }
      await pglite.execProtocolRawStream(Buffer.concat(parts), { syncToFs: false, onRawData: collect })
      const answer: BackendMessage[] = []
      // The parser copies a part of a buffer, and uses a whole one as it is.
      const response = received === kept ? kept.subarray(0, length) : received.buffer.transfer(length)
      new protocol.Parser().parse(response, (message) => {
        answer.push(message)
        if (message instanceof messages.NotificationResponseMessage) notify(message)
      })
      if (response instanceof ArrayBuffer) response.transfer(0)
      for (const message of answer) if (message instanceof messages.DatabaseError) throw message
      return answer
    },
    async listen(channel, onNotice) {
      // PGlite passes on the notifications that come with the statements which it sends itself, such as `commit`.
      await pglite.listen(channel, onNotice)
      listeners.set(channel, (listeners.get(channel) ?? new Set()).add(onNotice))
    },
  }
}

/** A buffer of twice the necessary length with these bytes; the memory of the one before is freed unless that is kept. */
function moved(bytes: Uint8Array<ArrayBuffer>, length: number, necessary: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(necessary * 2)
  larger.set(bytes.subarray(0, length))
  if (bytes.length > keptBytes) bytes.buffer.transfer(0)
  return larger
}
