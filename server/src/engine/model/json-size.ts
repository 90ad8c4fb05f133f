// In charge of computing the size of a value as JSON without creating the text. If several parts of a value are the same
// object, the text contains that object several times, so it may be far larger than the value in memory.
import { NodeFailure } from '../../nodes/node-type.ts'

/**
 * The maximum bytes of JSON that one call of a node may return. The embedded database writes on the thread that serves
 * requests: while it writes, for 20 to 50 ms per megabyte, no request is served.
 */
export const outputLimits = { postgres: 8 * 1024 * 1024, embedded: 1024 * 1024 } as const
export const outputsTooLarge = (limit: number): string =>
  limit < outputLimits.postgres
    ? `The outputs are larger than ${megabytes(limit)}. Make it give less, or run Atelier on PostgreSQL, which takes ${megabytes(outputLimits.postgres)}.`
    : `The outputs are larger than ${megabytes(limit)}. Make it give less.`
/** The maximum bytes of JSON of one call's inputs. */
const inputLimit = 256 * 1024 * 1024

const sizes = new WeakMap<object, number>()
/** Sizes up to this many bytes are not cached, because computing them again takes very little time. */
const remembered = 64

/**
 * The bytes of a value's JSON text, without the characters that escape sequences add. An object that occurs several times in
 * the value is counted each time but, unless it is small, measured only once.
 */
export function jsonSize(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value) + 2
  if (typeof value !== 'object' || value === null) return String(value).length
  const known = sizes.get(value)
  if (known !== undefined) return known
  let size = 2
  if (Array.isArray(value)) for (const element of value) size += jsonSize(element) + 1
  else
    for (const [name, member] of Object.entries(value))
      if (member !== undefined) size += Buffer.byteLength(name) + jsonSize(member) + 4
  if (size > remembered) sizes.set(value, size)
  return size
}

export const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1_048_576)} MB`

/** Throws if the inputs of a call are too large to be processed. */
export function refuseLargeInputs(inputs: Record<string, unknown>, limit = inputLimit): void {
  const size = jsonSize(inputs)
  if (size <= limit) return
  throw new NodeFailure(`Its inputs are ${megabytes(size)}, and ${megabytes(limit)} is the most. Give it less.`)
}
