// In charge of reading the Range header (RFC 9110 §14), which asks for one range of a file's bytes.
import type { ByteRange } from '../byte-store.ts'

/**
 * Returns the requested range of a file with `size` bytes. Null means that the whole file is sent, because the header is missing or
 * malformed, or contains several ranges or another unit. `unsatisfiable` means that the file has no byte in the range.
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
