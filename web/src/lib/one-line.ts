// In charge of texts of one line. What is pasted from other programs may have characters that end a line, and that nobody sees in a
// field. The service refuses them. Pure.

/** The text as one line: a blank in place of control characters and of separators of lines, and none at either end. */
export const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()

/**
 * The value with a blank in place of the characters that are in no line and in no text: version 0.2.0 stored them. A part of a record
 * is sent together with the parts that nobody has changed, and would be refused for these. Line breaks and tabs stay.
 */
export function withoutOddBreaks<T>(value: T): T {
  return JSON.parse(JSON.stringify(value), (_, part) =>
    typeof part === 'string' ? part.replaceAll(/[\u0080-\u009f\u2028\u2029]+/g, ' ') : part,
  )
}
