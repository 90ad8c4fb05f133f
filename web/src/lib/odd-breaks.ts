// In charge of characters that end a line and that nobody sees in a field. What is pasted from other programs may have them. Pure.

/**
 * The value with a blank in place of these characters in its texts; line breaks and tabs stay. The service refuses them in texts of
 * one line, but version 0.2.0 stored them. When a record is saved of which the user has changed only a part, they may be in the rest.
 */
export function withoutOddBreaks<T>(value: T): T {
  return JSON.parse(JSON.stringify(value), (_, part) =>
    typeof part === 'string' ? part.replaceAll(/[\u0080-\u009f\u2028\u2029]+/g, ' ') : part,
  )
}
