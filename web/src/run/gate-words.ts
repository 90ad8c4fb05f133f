// In charge of words that the kinds of questions share, and of an answer in words.
import { isPlainObject } from '@atelier/contract/graph/definition.ts'

/** The reason why a question can be neither answered nor rolled again while a roll is under way. */
export const isMadeAnew = 'It is being made anew.'

/** An answer in words: its `head`, and the note that came with it; a `value` that a user has checked is shown as it is. */
type AnswerWords = { head: string; note: string } | { value: unknown }

/** Says what an answer to a gate of this type means. What does not fit the type is shown as it is. */
export function answerWords(type: string, answer: unknown): AnswerWords {
  if (!isPlainObject(answer)) return { value: answer }
  const { selected, approved, note } = answer
  if (type === 'gate.choose' && Array.isArray(selected) && selected.every((one) => typeof one === 'number'))
    return { head: pickedWords(selected), note: '' }
  if (type === 'gate.approve' && typeof approved === 'boolean')
    return { head: approved ? 'Approved' : 'Not approved', note: typeof note === 'string' ? note : '' }
  return { value: type === 'gate.edit' && 'value' in answer ? answer.value : answer }
}

function pickedWords(selected: readonly number[]): string {
  if (selected.length === 0) return 'None'
  return `${selected.length === 1 ? 'Option' : 'Options'} ${selected.map((index) => index + 1).join(', ')}`
}
