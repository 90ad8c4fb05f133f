// In charge of what promoting a run writes to its graph, and of whether the graph has changed since the run was made of it. The
// promotion and its plan both ask here.
import { signatureOf } from '../../engine/model/signature.ts'
import { withoutVariant } from '../../engine/model/variant.ts'
import { checkpointAt } from '../../engine/store/checkpoints.ts'
import { type Ancestor, readLineage } from '../../engine/store/lineage.ts'
import { knownVariant, variantMadeFor } from '../../engine/store/run-variant.ts'
import type { RunRow } from '../../engine/store/runs.ts'
import type { Db } from '../../platform/db.ts'
import { readContent } from './snapshot.ts'
import type { GraphRow } from './store.ts'

/** `graphChanged`: whether the graph has another definition than the one of which the run was made. */
export type Promotion = { definition: Record<string, unknown>; graphChanged: boolean }

export async function promotionOf(db: Db, graph: GraphRow, run: RunRow): Promise<Promotion> {
  const lineage = await readLineage(db, run.id)
  const first = lineage.at(-1) ?? run
  const then = await checkpointAt(db, graph, first.created_at)
  const before = then === undefined ? null : readContent(then.content).definition
  // If neither the rows nor the first checkpoint say the variant, it is read from the present definition of the run.
  const variant = (await knownVariant(db, lineage)) ?? variantMadeFor(first, run.definition)
  return {
    definition: variant === 0 ? run.definition : withoutVariant(run.definition, variant, before ?? graph.definition),
    graphChanged: graph.signature !== run.signature && hasChanged(graph, lineage, before),
  }
}

/**
 * Each run in the lineage was made of a definition with its `forked_signature`; a graph that still has one of these has not
 * changed. If the first run was purged, it is not known what that run was made of. Then the definition that the graph had when the
 * oldest of the known runs was made is compared.
 */
function hasChanged(graph: GraphRow, lineage: readonly Ancestor[], before: unknown): boolean {
  if (lineage.some(({ forked_signature }) => forked_signature === graph.signature)) return false
  const isWhole = lineage.at(-1)?.copied_from === null
  return isWhole || before === null || signatureOf(before) !== graph.signature
}
