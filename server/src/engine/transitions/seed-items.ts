// In charge of finding the items that a start names but that its run has not executed yet: those of the run whose results it reuses.
import type { Definition } from '@atelier/contract/graph/definition.ts'
import { downstreamOf } from '@atelier/contract/graph/graph-order.ts'
import { readDefinition } from '@atelier/contract/graph/graph-rules.ts'
import { canonicalJson } from '../../platform/canonical-json.ts'
import type { Db } from '../../platform/db.ts'
import { isUuid } from '../../platform/ids.ts'
import { type UnitName, unitKey } from '../model/units.ts'
import { readersOfTask } from '../model/variant.ts'
import { readAnswers, readRolls } from '../store/marks.ts'
import { type RunRow, readRunRow } from '../store/runs.ts'
import { findItems } from '../store/unit-store.ts'
import { changedNodes } from './changed-nodes.ts'

type Run = Pick<RunRow, 'id' | 'seed_run_id' | 'task_id'>

/**
 * `fromRun`: the run that the request names; without it, the seed is the run that this one was made from. `named`: the nodes of
 * which the request rolls or chooses anything.
 */
type Asked = { fromRun: string | null; named: readonly string[] }

/**
 * Finds the items of the seed at these positions. They count only at nodes for which this run begins with the same items, at the same
 * positions: otherwise it would roll, and pay for, another item than the request means.
 */
export async function findSeedItems(
  tx: Db,
  run: Run,
  definition: Definition,
  asked: Asked,
  positions: readonly { node: string; position: number }[],
) {
  const seedId = asked.fromRun ?? run.seed_run_id
  if (positions.length === 0 || seedId === null || !isUuid(seedId)) return []
  const seed = await readRunRow(tx, seedId)
  if (!seed) return []
  const differing = changedNodes(readDefinition(seed.definition), definition)
  const sources = [
    ...asked.named,
    ...(seed.task_id === run.task_id ? [] : readersOfTask(definition)),
    ...(await differentlyMarked(tx, run.id, seedId, asked.fromRun !== null)),
  ]
  const others = differing.union(downstreamOf(definition, sources))
  return findItems(
    tx,
    seedId,
    positions.filter(({ node }) => !others.has(node)),
  )
}

/**
 * Returns the nodes whose rolls or answers differ between the two runs. `copies`: whether the start copies rolls and answers that only
 * the seed has; then these are no difference.
 */
async function differentlyMarked(tx: Db, runId: string, seedId: string, copies: boolean): Promise<string[]> {
  const [own, others] = [await readMarks(tx, runId), await readMarks(tx, seedId)]
  const keys = copies ? own.keys() : new Set([...own.keys(), ...others.keys()])
  return [...keys].flatMap((key) => {
    const [one, other] = [own.get(key), others.get(key)]
    const node = one?.node ?? other?.node
    return node === undefined || one?.text === other?.text ? [] : [node]
  })
}

async function readMarks(tx: Db, runId: string): Promise<Map<string, { node: string; text: string }>> {
  const rolls = (await readRolls(tx, runId)).map((one) => markOf('roll', one, [one.roll, one.inputs]))
  const answers = (await readAnswers(tx, runId)).map((one) => markOf('answer', one, [one.asked, one.answer]))
  return new Map([...rolls, ...answers])
}

const markOf = (kind: string, unit: UnitName, what: unknown) =>
  [`${kind}\n${unitKey(unit)}`, { node: unit.node, text: canonicalJson(what) }] as const
