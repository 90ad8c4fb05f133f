// In charge of what a response says about the takes of a node, or of one item of a node.
import { readDefinition } from '@atelier/contract/graph/graph-rules.ts'
import type { Takes } from '@atelier/contract/runs.ts'
import { Refusal } from '@atelier/contract/wire/errors.ts'
import type { FindType } from '../../nodes/node-type.ts'
import type { Db } from '../../platform/db.ts'
import { answerLimit } from '../model/run-bounds.ts'
import { readRollsOf } from '../store/marks.ts'
import type { RunRow } from '../store/runs.ts'
import { listTakes } from '../store/takes.ts'
import { findItems } from '../store/unit-store.ts'
import { keyAsOf, type PlacedUnit } from '../transitions/takes.ts'

const limits = { count: 100, bytes: answerLimit }

/** Finds the own unit of a node or, if `item` is given, the item with this present index. Throws if it does not exist. */
export async function findUnit(db: Db, run: RunRow, node: string, item: number | undefined): Promise<PlacedUnit> {
  if (!Object.hasOwn(readDefinition(run.definition).nodes, node))
    throw new Refusal('not_found', `The run ${run.id} has no node “${node}”.`)
  if (item === undefined) return { node, item: '', position: null }
  const [found] = await findItems(db, run.id, [{ node, position: item }])
  if (!found) throw new Refusal('not_found', `The node “${node}” of the run ${run.id} has no item ${item}.`)
  return found
}

export async function readTakes(db: Db, run: RunRow, unit: PlacedUnit, find: FindType): Promise<Takes> {
  const rows = await listTakes(db, run.id, unit, limits)
  const [roll] = await readRollsOf(db, run.id, [unit])
  const keyAs = rows.length === 0 ? null : await keyAsOf(db, run, find, [unit])
  const takes: Takes['takes'] = []
  for (const { key, roll: rolled, ...row } of rows) {
    const outdated = keyAs !== null && (await keyAs(unit, { roll: rolled, inputs: row.inputs })) !== key
    takes.push({ id: key, ...row, outdated })
  }
  return { inputs: roll?.inputs ?? null, takes }
}
