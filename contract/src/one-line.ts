// In charge of what may not be in a text of one line, and of making one line of any text. It has its own file, so that the browser can
// use it without loading the schemas. Pure.

/** For patterns: the control characters of Unicode (its class Cc), and its separators of lines and of paragraphs. */
export const breaking = '\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029'

/** For patterns: the characters that turn the direction of writing around for what follows them, also beyond the end of their text. */
export const turning = '\\u202a-\\u202e\\u2066-\\u2069'

/** The text without characters that turn the direction of writing. Letters that are written from right to left stay so. */
export const withoutTurns = (text: string): string => text.replaceAll(new RegExp(`[${turning}]+`, 'g'), '')

/** The text as one line: a blank in place of what may not be in a line, and none at either end. */
export const oneLine = (text: string): string => text.replaceAll(new RegExp(`[${breaking}]+`, 'g'), ' ').trim()
