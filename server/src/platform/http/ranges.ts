// In charge of the Range header (RFC 9110 §14): one range of bytes, or the whole.
import type { ByteRange } from '../byte-store.ts'

/**
 * The range a request asks for of so many bytes, or null for the whole: where it asks for none, for several, in other
 * units, or in a way that cannot be read. `unsatisfiable` where no byte of it is there.
 */
export function rangeOf(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | null {
  const [, first, last] = /^bytes=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(header ?? '') ?? []
  if (first === undefined || last === undefined || first + last === '') return null
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 }
  }
  const start = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < start) return null
  return start >= size ? 'unsatisfiable' : { start, end }
}
