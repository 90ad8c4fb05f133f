// In charge of showing, at a gate of a run or at an item of one, what it was answered.
import { answerWords } from './gate-words.ts'
import { Value } from './value.tsx'

/** `type`: the type of the gate. `answer`: undefined if there is none. */
export function AnswerSection({ type, answer }: { type: string; answer: unknown }) {
  if (answer === undefined) return null
  const words = answerWords(type, answer)
  return (
    <section>
      <h3 className="side-title">Answer</h3>
      {'value' in words ? (
        <Value value={words.value} />
      ) : (
        <>
          <div className="value-text">{words.head}</div>
          {words.note === '' ? null : <Value value={words.note} />}
        </>
      )}
    </section>
  )
}
