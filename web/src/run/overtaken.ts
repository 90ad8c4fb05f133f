// In charge of what a user is told whose answer was refused, because the question was answered or changed at the same moment. Pure.
import { busy } from '@atelier/contract/graph/run-rules.ts'
import { CallError } from '@atelier/contract/wire/calls.ts'
import { sameValue } from '../canvas/diff.ts'
import { answerWords } from './gate-words.ts'
import type { Run } from './queries.ts'
import type { Question } from './questions.ts'

const codes = ['no_open_question', 'question_changed', 'run_deleted', 'run_exported'] as const
type Code = (typeof codes)[number]

/** The code of an error by which an answer is refused for what has happened to its question or run; null for any other error. */
export const overtakingCode = (error: unknown): Code | null =>
  error instanceof CallError ? (codes.find((code) => code === error.code) ?? null) : null

type Sent = {
  question: Question
  answer: unknown
  /** Whether a text of the answer is kept, so that the page shows it to be copied, or it is still in its field. */
  isKept: boolean
}
type Words = { title: string; message: string }

/** The words for a refused answer. `run`: as it is now; null if it could not be read. */
export function overtakenWords(code: Code, sent: Sent, run: Pick<Run, 'status' | 'answers'> | null): Words {
  const { question, answer } = sent
  const { kind, title } = question.request
  const taken = run?.answers[answerKey(question)]
  if (code === 'no_open_question' && taken !== undefined) {
    if (isAnsweredSo(question, answer, run))
      return { title: 'Answered already', message: `“${title}” has the answer that you gave: nothing is lost.` }
    const words = inWords(kind, taken)
    const theirs = words === null ? 'Their answer counts.' : `Their answer counts: ${words}.`
    return { title: 'Somebody else answered first', message: `“${title}”: ${theirs} ${notSent(sent)}` }
  }
  return { title: 'Not answered', message: `${whyNot(code, title, run)} ${notSent(sent)}${whatNext(code)}` }
}

/** Whether the run has this very answer, as after an earlier press whose response was lost. */
export const isAnsweredSo = (question: Question, answer: unknown, run: Pick<Run, 'answers'> | null): boolean =>
  sameValue(run?.answers[answerKey(question)], answer)

const answerKey = ({ node, item }: Question): string => (item === null ? node : `${node}/${item}`)

/** An answer as a few words, such as `option 2`; null for an edited value, which may be long. */
function inWords(kind: Question['request']['kind'], answer: unknown): string | null {
  const words = answerWords(`gate.${kind}`, answer)
  if ('value' in words) return null
  const head = words.head.charAt(0).toLowerCase() + words.head.slice(1)
  return words.note === '' ? head : `${head}, with the note “${words.note}”`
}

function notSent({ question, answer, isKept }: Sent): string {
  const words = isKept ? null : inWords(question.request.kind, answer)
  const what = words === null ? 'Yours was not sent' : `Yours was not sent: ${words}`
  return isKept ? `${what}. What you wrote is still on this page.` : `${what}.`
}

function whyNot(code: Code, title: string, run: Pick<Run, 'status'> | null): string {
  if (code === 'question_changed') return `What “${title}” asks about was made anew while you answered.`
  if (code === 'run_deleted') return 'Somebody deleted the run while you answered.'
  if (code === 'run_exported') return 'Somebody exported from the run while you answered, so it is a record now.'
  if (run && busy(run.status)) return `What “${title}” asks about is being made anew, and then it asks again.`
  return run?.status === 'cancelled'
    ? 'Somebody stopped the run while you answered.'
    : `“${title}” does not ask any more.`
}

const whatNext = (code: Code): string =>
  code === 'question_changed' ? ' Look at it as it is now, and answer again.' : ''
