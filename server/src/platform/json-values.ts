// In charge of the limit on the number of values in a JSON body. Each value takes time to parse, check and store, and the process
// cannot serve other requests during that time: a body with 4 MB of empty objects blocked it for several seconds.
import { maxDepth } from './json-syntax.ts'

/** The most values (objects, lists, texts, numbers and so on) of a body. The largest graph has about 100,000. */
export const mostValues = 250_000
/** A body of at most this many bytes needs no counting: each value has at least one byte, so there cannot be too many of them. */
const shortBytes = mostValues

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c]
const [list, listEnd, object, objectEnd] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Whether a JSON text has more values than a body may have. Texts are skipped. If the JSON is not valid or is nested too deeply, the
 * result may be false: then the parser says what is wrong.
 */
export function hasTooManyValues(bytes: Buffer): boolean {
  if (bytes.length <= shortBytes) return false
  let count = 1
  let depth = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === quote) {
      at = endOfText(bytes, at)
      if (at === -1) return false
    } else if (byte === comma || byte === list || byte === object) {
      count++
      if (count > mostValues) return true
      if (byte !== comma && ++depth > maxDepth) return false
    } else if (byte === listEnd || byte === objectEnd) depth--
  }
  return false
}

/** Returns the position of the quotation mark that ends the text which begins at `at`; -1 if the text does not end. */
function endOfText(bytes: Buffer, at: number): number {
  for (let end = bytes.indexOf(quote, at + 1); end !== -1; end = bytes.indexOf(quote, end + 1)) {
    let escapes = 0
    while (bytes[end - 1 - escapes] === backslash) escapes++
    if (escapes % 2 === 0) return end
  }
  return -1
}
