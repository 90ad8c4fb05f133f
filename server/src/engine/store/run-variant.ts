// In charge of finding out, and storing, for which variant of its task a run was made. Rows of runs from earlier versions do not
// say it.
import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'
import { signatureOf } from '../model/signature.ts'
import { variantIn } from '../model/variant.ts'
import { type Ancestor, readLineage } from './lineage.ts'
import { type RunRow, setColumns } from './runs.ts'

/**
 * The variant of a run whose definition at its creation was `definition`; 0 for the whole task. A definition that is that of the
 * graph, unchanged, was written for no variant, even if people chose a variant in the graph itself.
 */
export function variantMadeFor({ copied_from, forked_signature }: Ancestor, definition: unknown): number {
  const isOfGraph = copied_from === null && signatureOf(definition) === forked_signature
  return isOfGraph ? 0 : (variantIn(definition) ?? 0)
}

/**
 * The variant of a run, by the rows of its lineage (see `readLineage`) or by the first checkpoint of the run that was made of the
 * graph. Null if neither says it.
 */
export async function knownVariant(db: Db, lineage: readonly Ancestor[]): Promise<number | null> {
  const stored = lineage.find(({ for_variant }) => for_variant !== null)
  if (stored) return stored.for_variant
  const first = lineage.at(-1)
  if (!first) return null
  const made = await db
    .selectFrom('checkpoints')
    .select(sql<unknown>`content -> 'definition'`.as('definition'))
    .where('subject_id', '=', first.id)
    .where('kind', '=', 'created')
    .executeTakeFirst()
  return made === undefined ? null : variantMadeFor(first, made.definition)
}

/** Stores the variant of a run whose first checkpoint is about to be removed. That of a fork may be known only from its original. */
export async function keepVariant(tx: Db, run: Pick<RunRow, 'id' | 'for_variant'>): Promise<void> {
  if (run.for_variant !== null) return
  const found = await knownVariant(tx, await readLineage(tx, run.id))
  if (found !== null) await setColumns(tx, run.id, { for_variant: found })
}
