// In charge of the `search` parameter: what a term asks for, and the SQL conditions it stands for.
import { foldText } from '@atelier/contract/fold.ts'
import type { Bind } from './filter-sql.ts'

/** What a term asks for. `folded` is in the form `search_text` is stored in. */
export type Search = { kind: 'number'; number: number } | { kind: 'text'; folded: string } | { kind: 'nothing' }

const largestNumber = 2_147_483_647

/** A term of only digits is a task number and nothing else; anything else is part of a name. */
export function readSearch(raw: string | null): Search | null {
  if (raw === null || raw === '') return null
  if (/^[0-9]+$/.test(raw)) {
    const number = Number(raw)
    return number <= largestNumber ? { kind: 'number', number } : { kind: 'nothing' }
  }
  const folded = foldText(raw)
  // Names have no line breaks, and the search text is a line for each: no term may match across them.
  return folded.includes('\n') ? { kind: 'nothing' } : { kind: 'text', folded }
}

/** The very expression of the unique index: one lookup, whether the task is live or deleted. */
export const hasNumber = (number: number, bind: Bind): string => `t.number + 0 = ${bind(number, 'integer')}::integer`

const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&')

/** Whether the name's line or the generated name's line has the term; looks at the row alone. */
export const hasTerm = (folded: string, bind: Bind): string =>
  `t.search_text like ${bind(`%${escapeLike(folded)}%`, 'text')}::text`

/** Distinct runs of three characters of a term, or the term itself where it is shorter: what the search index knows. */
function gramsOf(folded: string): string[] {
  const characters = [...folded]
  if (characters.length <= 3) return [folded]
  return [...new Set(characters.slice(2).map((_, at) => characters.slice(at, at + 3).join('')))]
}

/** Whether the runs of the term are in the search index; implied by `hasTerm`, which it is the quick way to. */
export const hasGrams = (folded: string, bind: Bind): string =>
  `search_grams(t.search_text) @> ${bind(gramsOf(folded), 'text[]')}::text[]`

/**
 * True, and the rows it is asked of are gathered by one process. The planner knows nothing of how rare a run is: it takes
 * one run alone for thousands of rows and starts workers, which takes longer than finding the few there are. PostgreSQL
 * lets no worker ask for the process it talks to.
 */
export const byOneProcess = 'pg_backend_pid() is not null'
