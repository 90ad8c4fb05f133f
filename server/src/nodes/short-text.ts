// In charge of making a text short and storable, so that it can be a message about a node. Pure.

/** The maximum length, in code points, of an error or message of a node. */
export const mostCodePoints = 2000

/** The text with U+FFFD in place of the characters that the database cannot store: NUL and lone surrogates. */
export const storableText = (text: string): string => text.replaceAll('\0', '\ufffd').toWellFormed()

/** The text as `storableText` returns it; if it is too long for a message, its beginning, which ends with an ellipsis. */
export function shortText(text: string): string {
  // A code point is at most two units of a string, so these are enough to see whether the text is too long. The rest of a long
  // text, which may have millions of characters, is not looked at.
  const points = [...text.slice(0, 2 * mostCodePoints + 2)]
  return storableText(points.length <= mostCodePoints ? text : `${points.slice(0, mostCodePoints - 1).join('')}…`)
}
