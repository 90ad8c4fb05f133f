// In charge of the `search` parameter: deciding what a search term means, and building SQL conditions for it.
import { foldText } from '@atelier/contract/fold.ts'
import type { Bind } from './filter-sql.ts'

/** What to search for. `folded` is folded in the same way as the stored `search_text`; `nothing`: no task can match the term. */
export type Search = { kind: 'number'; number: number } | { kind: 'text'; folded: string } | { kind: 'nothing' }

const largestNumber = 2_147_483_647

/**
 * Decides what a term means: a term of digits is always a task number; any other term is part of a name. Null: there is no term.
 */
export function readSearch(raw: string | null): Search | null {
  if (raw === null || raw === '') return null
  if (/^[0-9]+$/.test(raw)) {
    const number = Number(raw)
    return number <= largestNumber ? { kind: 'number', number } : { kind: 'nothing' }
  }
  const folded = foldText(raw)
  // Names have no line breaks, and `search_text` has each name on a line of its own; so a term with a line break cannot match.
  return folded.includes('\n') ? { kind: 'nothing' } : { kind: 'text', folded }
}

/**
 * Returns the condition that a task has this number. It uses the expression of the unique index, so one index lookup finds the
 * task.
 */
export const hasNumber = (number: number, bind: Bind): string => `t.number + 0 = ${bind(number, 'integer')}::integer`

const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&')

/** Returns the condition that a task's name or generated name contains the term. It is exact, but no index helps to check it. */
export const hasTerm = (folded: string, bind: Bind): string =>
  `t.search_text like ${bind(`%${escapeLike(folded)}%`, 'text')}::text`

/**
 * Returns all distinct groups of three successive characters in a term; a term of up to three characters is returned as it is. The
 * search index contains the groups of one, two and three characters of each name.
 */
function gramsOf(folded: string): string[] {
  const characters = [...folded]
  if (characters.length <= 3) return [folded]
  return [...new Set(characters.slice(2).map((_, at) => characters.slice(at, at + 3).join('')))]
}

/**
 * Returns the condition that a task's names contain all of the term's groups. More tasks satisfy it than satisfy `hasTerm`, but an
 * index finds them fast.
 */
export const hasGrams = (folded: string, bind: Bind): string =>
  `search_grams(t.search_text) @> ${bind(gramsOf(folded), 'text[]')}::text[]`

/**
 * A condition that is always true, and that PostgreSQL does not let parallel workers evaluate. Without it, the planner expects
 * thousands of rows, since it does not know how rare a group of characters is, and starts parallel workers. Starting them takes
 * longer than finding the few rows.
 */
export const byOneProcess = 'pg_backend_pid() is not null'
