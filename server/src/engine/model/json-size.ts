// In charge of the size of a value as JSON, computed without writing the text: a value whose parts are shared may be far
// larger as text.
import { NodeFailure } from '../../nodes/node-type.ts'

/**
 * The most bytes of JSON that one call of a node may return. The embedded database writes on the thread that answers
 * requests, at 20 to 50 ms a megabyte, and no request is served meanwhile.
 */
export const outputLimits = { postgres: 8 * 1024 * 1024, embedded: 1024 * 1024 } as const
export const outputsTooLarge = (limit: number): string =>
  limit < outputLimits.postgres
    ? `The outputs are larger than ${megabytes(limit)}. Make it give less, or run Atelier on PostgreSQL, which takes ${megabytes(outputLimits.postgres)}.`
    : `The outputs are larger than ${megabytes(limit)}. Make it give less.`
/** The most bytes of JSON that one call may have as inputs. */
const inputLimit = 256 * 1024 * 1024

const sizes = new WeakMap<object, number>()
/** The size of a smaller value is computed again each time: that is faster than a look-up. */
const remembered = 64

/** Bytes of a JSON value as text, escapes not counted. Each part that is shared is measured once. */
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

/** Refuses inputs that are too large to be processed. */
export function refuseLargeInputs(inputs: Record<string, unknown>, limit = inputLimit): void {
  const size = jsonSize(inputs)
  if (size <= limit) return
  throw new NodeFailure(`Its inputs are ${megabytes(size)}, and ${megabytes(limit)} is the most. Give it less.`)
}
