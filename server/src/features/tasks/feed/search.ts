// In charge of the `search` parameter: what a term searches for, and its SQL conditions.
import { foldText } from '@atelier/contract/fold.ts'
import type { Bind } from './filter-sql.ts'

/** What a term searches for. `folded` has the form in which `search_text` is stored. */
export type Search = { kind: 'number'; number: number } | { kind: 'text'; folded: string } | { kind: 'nothing' }

const largestNumber = 2_147_483_647

/** A term that has only digits is a task number and nothing else; any other term is part of a name. */
export function readSearch(raw: string | null): Search | null {
  if (raw === null || raw === '') return null
  if (/^[0-9]+$/.test(raw)) {
    const number = Number(raw)
    return number <= largestNumber ? { kind: 'number', number } : { kind: 'nothing' }
  }
  const folded = foldText(raw)
  // Names have no line breaks, and `search_text` has one line for each name: a term must not match across lines.
  return folded.includes('\n') ? { kind: 'nothing' } : { kind: 'text', folded }
}

/** The same expression as in the unique index, so that one index lookup finds the task, live or deleted. */
export const hasNumber = (number: number, bind: Bind): string => `t.number + 0 = ${bind(number, 'integer')}::integer`

const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&')

/** Whether the name or the generated name contains the term; needs only the row itself. */
export const hasTerm = (folded: string, bind: Bind): string =>
  `t.search_text like ${bind(`%${escapeLike(folded)}%`, 'text')}::text`

/** The distinct sequences of three characters of a term, or the term itself if it is shorter: the entries of the search index. */
function gramsOf(folded: string): string[] {
  const characters = [...folded]
  if (characters.length <= 3) return [folded]
  return [...new Set(characters.slice(2).map((_, at) => characters.slice(at, at + 3).join('')))]
}

/** Whether the search index has all sequences of the term: weaker than `hasTerm`, but a fast way to find candidates. */
export const hasGrams = (folded: string, bind: Bind): string =>
  `search_grams(t.search_text) @> ${bind(gramsOf(folded), 'text[]')}::text[]`

/**
 * A condition that is always true and keeps the statement in one process. The planner does not know how rare a sequence is: it
 * expects thousands of rows and starts parallel workers, which takes longer than finding the few rows. PostgreSQL does not let
 * workers evaluate this function.
 */
export const byOneProcess = 'pg_backend_pid() is not null'
