// In charge of what may not be in a text of one line, and of making one line of any text. It has its own file, so that the browser can
// use it without loading the schemas. Pure.

/** For patterns: the control characters of Unicode (its class Cc), and its separators of lines and of paragraphs. */
export const breaking = '\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029'

/** The text as one line: a blank in place of what may not be in a line, and none at either end. */
export const oneLine = (text: string): string => text.replaceAll(new RegExp(`[${breaking}]+`, 'g'), ' ').trim()
