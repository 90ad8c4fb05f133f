// In charge of testing given tasks against a rule group, with the same result as in the feeds.
import type { ValidationError } from '@atelier/contract/wire/errors.ts'
import { CompiledQuery } from 'kysely'
import type { Db } from '../../../platform/db.ts'
import { type ParsedGroup, parseFilter } from './filter-parse.ts'
import { compileFilter } from './filter-sql.ts'

/** Allowed values of the deployment's vocabularies, by vocabulary name. */
export type Vocabularies = Readonly<Record<string, readonly string[]>>

/** A rule group from a request body; null selects everything. The `loc` of an error starts inside the group. */
export function readRuleGroup(
  query: unknown,
  vocabularies: Vocabularies,
): { group: ParsedGroup | null } | { errors: ValidationError[] } {
  if (query === null || query === undefined) return { group: null }
  const parsed = parseFilter(JSON.stringify(query), vocabularies)
  if (!('errors' in parsed)) return parsed
  return { errors: parsed.errors.map((error) => ({ ...error, loc: error.loc.slice(2) })) }
}

/** The tasks among these that a group selects, in the order of their ids. */
export async function selectTasks(db: Db, ids: readonly string[], group: ParsedGroup | null): Promise<string[]> {
  if (group === null || ids.length === 0) return [...ids].toSorted()
  const values: unknown[] = [[...ids]]
  const condition = compileFilter(group, (value) => `$${values.push(value)}`, 't')
  const text = `select t.id from tasks t where t.id = any($1::uuid[]) and ${condition} order by t.id`
  const { rows } = await db.executeQuery<{ id: string }>(CompiledQuery.raw(text, values))
  return rows.map(({ id }) => id)
}
