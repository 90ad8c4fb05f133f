// In charge of parsing JSON from outside services into values that the database can store. Pure.

/** Finds escapes of NUL and of surrogates. Nearly all texts have none, so that they can be parsed as they are. */
const perhapsUnfit = /\\u(?:0000|[dD][89a-fA-F])/
/** Matches each escape. The group is there only for the escape of a NUL, or of a surrogate that is not in a pair of escapes. */
const anyEscape =
  /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|(u0000|u[dD][89a-fA-F][\da-fA-F]{2})|.)/gs

/**
 * Parses JSON; undefined if `text` is not JSON. In texts and names of the value, U+FFFD takes the place of the characters that the
 * database cannot store: NUL and lone surrogates. `text` must not contain these characters itself, but may contain their escapes,
 * such as `\u0000`. The escapes are replaced before parsing: going through the parsed value would take many times as long.
 */
export function parseStorable(text: string): unknown {
  try {
    return JSON.parse(perhapsUnfit.test(text) ? text.replace(anyEscape, storableEscape) : text)
  } catch {
    return undefined
  }
}

const storableEscape = (found: string, unfit: string | undefined): string =>
  unfit === undefined ? found : String.raw`\ufffd`
