// In charge of the retention window's SQL predicate and of what is told once it is over.
import { Refusal } from '@atelier/contract/errors.ts'
import { sql } from 'kysely'

/** Rows that are live, or were deleted less than the window ago. */
export const inRetention = (table: string, seconds: number) =>
  sql<boolean>`(${sql.ref(`${table}.deleted_at`)} is null
    or ${sql.ref(`${table}.deleted_at`)} > now() - make_interval(secs => ${seconds}))`

export const retentionOver = (what: string): Refusal =>
  new Refusal('retention_over', `The ${what} was deleted longer ago than the retention window; it cannot come back.`)
