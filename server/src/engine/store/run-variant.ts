// In charge of finding out for which variant of its task a run was made if its row does not say so, because an earlier version of
// Atelier created it.
import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'
import { signatureOf } from '../model/signature.ts'
import { variantIn } from '../model/variant.ts'
import { type RunRow, setColumns } from './runs.ts'

type Made = Pick<RunRow, 'id' | 'copied_from' | 'forked_signature' | 'for_variant'>

/**
 * The variant of a run whose definition at its creation was `definition`; 0 for the whole task. A definition that is that of the
 * graph, unchanged, was written for no variant, even if people chose a variant in the graph itself.
 */
export function variantMadeFor({ copied_from, forked_signature }: Made, definition: unknown): number {
  const isOfGraph = copied_from === null && signatureOf(definition) === forked_signature
  return isOfGraph ? 0 : (variantIn(definition) ?? 0)
}

/** Finds the variant in the first checkpoint of a run. Null if that checkpoint was removed. */
export async function variantAtCreation(db: Db, run: Made): Promise<number | null> {
  const made = await db
    .selectFrom('checkpoints')
    .select(sql<unknown>`content -> 'definition'`.as('definition'))
    .where('subject_id', '=', run.id)
    .where('kind', '=', 'created')
    .executeTakeFirst()
  return made === undefined ? null : variantMadeFor(run, made.definition)
}

/**
 * Stores the variant of a run whose first checkpoint is about to be removed. That of a fork is left: it is the variant of its
 * original, whose own history may still tell it.
 */
export async function keepVariant(tx: Db, run: Made): Promise<void> {
  if (run.for_variant !== null || run.copied_from !== null) return
  const found = await variantAtCreation(tx, run)
  if (found !== null) await setColumns(tx, run.id, { for_variant: found })
}
