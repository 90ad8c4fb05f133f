// In charge of sending messages of PostgreSQL's protocol to PGlite, and of reading the messages that it returns.
import { messages, type PGlite, protocol } from '@electric-sql/pglite'

export type BackendMessage = messages.BackendMessage

/** Sends messages to one PGlite, and passes on the notifications among the messages that it returns. */
export type MessageSender = {
  /** Sends these messages and returns the messages with which PostgreSQL responds; throws if one of them reports an error. */
  send(parts: readonly Uint8Array[]): Promise<BackendMessage[]>
  listen(channel: string, onNotice: (payload: string) => void): Promise<void>
}

/** The size of the buffer that is kept between two calls, in bytes; more than most responses need. */
const keptBytes = 65_536

/**
 * PGlite's own `execProtocolStream` copies a long response about five times, outside of V8's heap: with six readers of a large run,
 * these copies grew to 80 MB before V8 freed them. Here the parts of a response are collected in a buffer that is used again and
 * again. Only a response that is longer than this buffer allocates memory, which is freed at once.
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
        // These bytes lie in the database's memory, where the next part of the response will overwrite them; so they are copied.
        received.set(bytes, length)
        length += bytes.length
      }
      await pglite.execProtocolRawStream(Buffer.concat(parts), { syncToFs: false, onRawData: collect })
      const answer: BackendMessage[] = []
      // The parser copies a view of a part of a buffer, but not a whole buffer. A short response is passed as a view of `kept`: it
      // has to be copied, because the next response overwrites `kept`. A long one has a buffer of its own and is passed as a whole.
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
      // PGlite itself passes on notifications that arrive with statements which PGlite sends, such as `commit`; `send` passes on
      // all others, to `listeners`.
      await pglite.listen(channel, onNotice)
      listeners.set(channel, (listeners.get(channel) ?? new Set()).add(onNotice))
    },
  }
}

/**
 * Copies the first `length` bytes to a new buffer of twice the necessary length, and frees the old buffer. The buffer that is kept
 * between calls, which is never longer than `keptBytes`, is not freed.
 */
function moved(bytes: Uint8Array<ArrayBuffer>, length: number, necessary: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(necessary * 2)
  larger.set(bytes.subarray(0, length))
  if (bytes.length > keptBytes) bytes.buffer.transfer(0)
  return larger
}
