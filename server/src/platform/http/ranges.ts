// In charge of the Range header (RFC 9110 §14): one range of bytes, or the whole file.
import type { ByteRange } from '../byte-store.ts'

/**
 * The requested range of a file with `size` bytes. Null means the whole file: no range, several ranges, another unit or a
 * malformed header. `unsatisfiable` means that the file has no byte in the range.
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
