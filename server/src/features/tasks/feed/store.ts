// In charge of deciding which of some given tasks satisfy a rule group. The result is the same as in a filtered feed.
import type { ValidationError } from '@atelier/contract/wire/errors.ts'
import { CompiledQuery } from 'kysely'
import type { Db } from '../../../platform/db.ts'
import { type ParsedGroup, parseFilter } from './filter-parse.ts'
import { compileFilter } from './filter-sql.ts'

/** The values that a deployment allows in each vocabulary, by the name of the vocabulary. */
export type Vocabularies = Readonly<Record<string, readonly string[]>>

/** Parses a rule group from a request body; null selects every task. The `loc` of an error is relative to the rule group. */
export function readRuleGroup(
  query: unknown,
  vocabularies: Vocabularies,
): { group: ParsedGroup | null } | { errors: ValidationError[] } {
  if (query === null || query === undefined) return { group: null }
  const parsed = parseFilter(JSON.stringify(query), vocabularies)
  if (!('errors' in parsed)) return parsed
  return { errors: parsed.errors.map((error) => ({ ...error, loc: error.loc.slice(2) })) }
}

/** Returns the ids of the tasks that the group selects, sorted. */
export async function selectTasks(db: Db, ids: readonly string[], group: ParsedGroup | null): Promise<string[]> {
  if (group === null || ids.length === 0) return [...ids].toSorted()
  const values: unknown[] = [[...ids]]
  const condition = compileFilter(group, (value) => `$${values.push(value)}`, 't')
  const text = `select t.id from tasks t where t.id = any($1::uuid[]) and ${condition} order by t.id`
  const { rows } = await db.executeQuery<{ id: string }>(CompiledQuery.raw(text, values))
  return rows.map(({ id }) => id)
}
