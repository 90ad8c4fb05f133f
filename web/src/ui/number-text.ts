// In charge of reading texts that users type for numbers, without changing a digit of them. Pure.

/** Whether the text is written just as the number that it stands for would be: `19.90` and `1e400` are not. */
export const isWrittenNumber = (text: string): boolean => text.trim() !== '' && String(Number(text)) === text.trim()

/**
 * Returns the number that a text in a field for numbers stands for; undefined if it is none, such as an empty text or a minus sign.
 * A text with more digits than a number can have is a problem: the number would have others.
 */
export function readNumber(text: string): { value: number | undefined; problem: string | null } {
  const number = text.trim() === '' ? Number.NaN : Number(text)
  if (Number.isNaN(number)) return { value: undefined, problem: null }
  // Any 15 digits stay the same in a number, and more may not. Zeros at the beginning, and at the end of a fraction, do not count.
  const short = text.includes('.') ? text.trim().replace(/0+$/, '') : text
  const digits = short.replace(/\D/g, '').replace(/^0+/, '')
  if (digits.length <= 15 || isWrittenNumber(text)) return { value: number, problem: null }
  return { value: undefined, problem: `${text.trim()} has too many digits for a number, so it is not saved.` }
}
