// In charge of exporting files of a run to a card: planning what they become, adding creatives for them, and recording their provenance.
import type { ExportPlan, Provenance, RunExport } from '@atelier/contract/exports.ts'
import type { FileValue } from '@atelier/contract/graph/definition.ts'
import { neededFor } from '@atelier/contract/graph/graph-order.ts'
import { readDefinition } from '@atelier/contract/graph/graph-rules.ts'
import { runRefuses } from '@atelier/contract/graph/run-rules.ts'
import { Refusal } from '@atelier/contract/wire/errors.ts'
import { sql } from 'kysely'
import type { Static } from 'typebox'
import { callOf } from '../../engine/model/inputs.ts'
import { withOwnInputs } from '../../engine/model/marks.ts'
import { createModel } from '../../engine/model/run-model.ts'
import { type UnitState, unitKey } from '../../engine/model/units.ts'
import { variantIn } from '../../engine/model/variant.ts'
import { readRolls } from '../../engine/store/marks.ts'
import { type LockedRun, type RunRow, updateRun } from '../../engine/store/runs.ts'
import { readUnits } from '../../engine/store/unit-store.ts'
import { goneType } from '../../nodes/gone-type.ts'
import { termOf } from '../../nodes/images/marks.ts'
import type { FindType } from '../../nodes/node-type.ts'
import type { Actor } from '../../platform/actor.ts'
import { type Db, tellChanged } from '../../platform/db.ts'
import { keepFileMarks } from '../marks/store.ts'
import type { LockedTask } from '../tasks/store.ts'
import {
  type Asked,
  chooseOutputs,
  indexOf,
  itemOf,
  type Output,
  outputKey,
  placeKey,
  placeOf,
} from './choose-outputs.ts'

/** A file that has been prepared for an export, with the members of its provenance that are known before the export. */
export type Prepared = {
  /** The digest of the file as the run made it. If the file was signed, `file` is the signed file, which has another digest. */
  digest: string
  file: FileValue
} & Pick<Static<typeof Provenance>, 'ai' | 'source_type' | 'labels' | 'signed_by' | 'unsigned_because'>

/** Prepared files. The key of a file is what `outputKey` returns for its output. */
export type PreparedFiles = ReadonlyMap<string, Prepared>

/** Adds a creative with this file to the locked card, and returns the creative's id. */
export type MakeCreative = (file: FileValue, variant: Output['variant']) => Promise<string>

/**
 * Returns the members of a new creative. If `variant` is undefined, the variant is chosen only when the creative is added.
 */
export const creativeOf = ({ digest }: FileValue, variant: Output['variant']) => ({
  file: digest,
  ...(variant === undefined ? {} : { variation_num: variant }),
})

/** Throws if the run's files cannot be exported now. */
export function refuseExport(run: RunRow): void {
  const refusal = runRefuses.export(run)
  if (refusal)
    throw new Refusal(
      refusal,
      run.deleted_at === null
        ? `The run ${run.id} is ${run.status}; only a run at rest exports.`
        : `The run ${run.id} is deleted; undelete it before you export it.`,
    )
}

/** Reads all units of the nodes whose outputs are requested, and of all nodes on which these depend, directly or indirectly. */
export const readBehind = (db: Db, run: RunRow, asked: readonly Asked[]): Promise<UnitState[]> => {
  const nodes = asked.map(({ node_id }) => node_id)
  return readUnits(db, run.id, { whole: new Set([...nodes, ...neededFor(readDefinition(run.definition), nodes)]) })
}

type Exported = { id: string; name: string; variation_num: number | null; isDeleted: boolean }

/** Returns the card's creatives that exports of the run made, deleted ones included. The map's keys are those of `placeKey`. */
export async function readExported(db: Db, runId: string, taskId: string): Promise<Map<string, Exported>> {
  const rows = await db
    .selectFrom('exports as e')
    .innerJoin('creatives as c', 'c.id', 'e.creative_id')
    .select(['e.node_id', 'e.port', 'e.item', 'c.id', 'c.name', 'c.variation_num', 'c.deleted_at'])
    .where('e.run_id', '=', runId)
    .where('e.task_id', '=', taskId)
    .execute()
  return new Map(
    rows.map(({ id, name, variation_num, deleted_at, ...place }) => [
      placeKey(place),
      { id, name, variation_num, isDeleted: deleted_at !== null },
    ]),
  )
}

/** The members of a card that an export needs: its id, and the variants to which files can belong. */
type Card = Pick<LockedTask, 'id' | 'variants'>

/**
 * Returns the variant for a file: the one that the request gives (null: no variant), otherwise the variant of the run, if the card
 * still has that variant. If the result is undefined, the creative gets the variant of the next planned name.
 */
function variantOf({ variant }: Output, run: Pick<RunRow, 'definition'>, { variants }: Card): Output['variant'] {
  if (variant !== undefined) return variant
  const own = variantIn(run.definition)
  return variants.some(({ variation_num }) => variation_num === own) ? own : undefined
}

export type Exporting = {
  tx: Db
  run: LockedRun
  task: Card
  actor: Actor
  find: FindType
  make: MakeCreative
  prepared: PreparedFiles
}

/**
 * Exports outputs of a locked run to the card of a locked task that is not deleted. An output that already has a creative on the
 * card gets no second one. Returns the names of those existing creatives that are deleted.
 */
export async function exportOutputs(
  { tx, run, task, actor, find, make, prepared }: Exporting,
  asked: RunExport['outputs'],
): Promise<string[]> {
  const units = await readBehind(tx, run, asked)
  const outputs = chooseOutputs(units, asked)
  const inputsOf = await inputsByUnit(tx, run, units, find)
  const before = await readExported(tx, run.id, task.id)
  const there = new Set(before.keys())
  for (const output of outputs) {
    const { unit } = output
    const place = placeOf(output)
    if (there.has(placeKey(place))) continue
    there.add(placeKey(place))
    const inputs = inputsOf.get(unitKey(unit)) ?? {}
    const { ready, provenance } = await accountOf({ tx, run, actor, prepared }, output, inputs)
    const creativeId = await make(ready.file, variantOf(output, run, task))
    await tx
      .insertInto('exports')
      .values({ run_id: run.id, task_id: task.id, ...place, creative_id: creativeId, at: run.now })
      .execute()
    await tx
      .updateTable('creatives')
      .set({ provenance: JSON.stringify(provenance) })
      .where('id', '=', creativeId)
      .execute()
    tellChanged(tx, 'creative', creativeId)
  }
  await markExported(tx, run)
  const meant = new Set(outputs.map((output) => placeKey(placeOf(output))))
  return [...before].flatMap(([key, { name, isDeleted }]) => (isDeleted && meant.has(key) ? [name] : []))
}

/** Marks the run as exported. From now on the run is never changed, since it is the record of how files on cards were made. */
const markExported = (tx: Db, run: LockedRun): Promise<void> =>
  updateRun(tx, run.id, { exported_at: sql`coalesce(exported_at, ${run.now}::timestamptz)` }, run.now)

/** Stores the source type of an output's prepared file, if it is known, and returns the file with its provenance. */
async function accountOf(
  { tx, run, actor, prepared }: Pick<Exporting, 'tx' | 'run' | 'actor' | 'prepared'>,
  output: Output,
  inputs: Record<string, unknown>,
) {
  const ready = preparedOf(prepared, output)
  if (ready.source_type !== null) await keepFileMarks(tx, ready.file.digest, termOf(ready.source_type))
  return {
    ready,
    provenance: provenanceOf(run, output, { inputs, credits: await creditsOf(tx, output.unit), ready }, actor),
  }
}

/** Returns one file of a locked run, with its provenance, for a creative that exists already. Marks the run as exported. */
export async function outputFor(
  { tx, run, actor, find, prepared }: Pick<Exporting, 'tx' | 'run' | 'actor' | 'find' | 'prepared'>,
  asked: Asked,
): Promise<{ file: string; provenance: Static<typeof Provenance> }> {
  const units = await readBehind(tx, run, [asked])
  const [output] = chooseOutputs(units, [asked])
  if (!output) throw new Refusal('run_busy', 'The run has no such file any more.')
  const inputsOf = await inputsByUnit(tx, run, units, find)
  const account = await accountOf({ tx, run, actor, prepared }, output, inputsOf.get(unitKey(output.unit)) ?? {})
  await markExported(tx, run)
  return { file: account.ready.file.digest, provenance: account.provenance }
}

/** Returns the prepared file of an output. Throws if the run has made another file for this output since the preparation. */
function preparedOf(prepared: PreparedFiles, output: Output): Prepared {
  const found = prepared.get(outputKey(output))
  if (found?.digest === output.file.digest) return found
  throw new Refusal('run_busy', 'The run has changed while its files were made ready; export it again.')
}

type Planning = {
  /** Returns the names and variants that new creatives would get, in the order of `wanted`. */
  nextPlaces(wanted: readonly Output['variant'][]): Promise<{ name: string; variation_num: number | null }[]>
  /** Returns how much of an output a model made. */
  aiOf(output: Output): Promise<Prepared['ai']>
}

/** Returns a preview of an export: for each file, the creative that the card already has, or the name of the new creative. */
export async function planExport(
  db: Db,
  run: RunRow,
  task: Card,
  asked: RunExport['outputs'],
  { nextPlaces, aiOf }: Planning,
): Promise<ExportPlan> {
  const outputs = chooseOutputs(
    await readUnits(db, run.id, { whole: new Set(asked.map(({ node_id }) => node_id)) }),
    asked,
  )
  const there = await readExported(db, run.id, task.id)
  const keys = outputs.map((output) => placeKey(placeOf(output)))
  const fresh = new Map<string, Output>()
  for (const [index, output] of outputs.entries()) {
    const key = keys[index] ?? ''
    if (!(there.has(key) || fresh.has(key))) fresh.set(key, output)
  }
  const places = await nextPlaces([...fresh.values()].map((output) => variantOf(output, run, task)))
  const placeAt = new Map([...fresh.keys()].map((key, index) => [key, places[index]]))
  const files: ExportPlan['files'] = []
  for (const [index, output] of outputs.entries()) {
    const key = keys[index] ?? ''
    const creative = there.get(key)
    const { unit, port } = output
    const { name = '', variation_num = null } = creative ?? placeAt.get(key) ?? {}
    const ai = await aiOf(output)
    files.push({
      node_id: unit.node,
      port,
      item: itemOf(output),
      index: indexOf(output),
      name,
      variation_num,
      creative_id: creative?.id ?? null,
      ai,
    })
  }
  return { files }
}

/** Returns the credits that making a unit's files cost, in this run or, if the cache had them, in the call that made them. */
async function creditsOf(tx: Db, unit: UnitState): Promise<number> {
  if (unit.status !== 'cached' || unit.cacheKey === null) return unit.credits
  const kept = await tx.selectFrom('node_cache').select('credits').where('key', '=', unit.cacheKey).executeTakeFirst()
  return kept?.credits ?? 0
}

function provenanceOf(
  run: LockedRun,
  output: Output,
  { inputs, credits, ready }: { inputs: Record<string, unknown>; credits: number; ready: Prepared },
  actor: Actor,
): Static<typeof Provenance> {
  const { unit, port } = output
  const spec = readDefinition(run.definition).nodes[unit.node]
  return {
    run_id: run.id,
    graph_id: run.graph_id,
    generation: run.generation,
    node_id: unit.node,
    node_type: spec?.type ?? '',
    node_version: spec?.version ?? 1,
    port,
    item: itemOf(output),
    index: indexOf(output),
    params: spec?.params ?? {},
    inputs,
    status: unit.status,
    credits,
    ai: ready.ai,
    source_type: ready.source_type,
    labels: ready.labels,
    file: ready.file.digest,
    signed_by: ready.signed_by,
    unsigned_because: ready.unsigned_because,
    exported_at: run.now,
    exported_by: actor.userId ?? actor.tokenId,
  }
}

/** Returns, by unit key, the values that the call of each unit received at its input ports. */
export async function inputsByUnit(
  db: Db,
  run: Pick<RunRow, 'id' | 'definition'>,
  units: readonly UnitState[],
  find: Exporting['find'],
): Promise<Map<string, Record<string, unknown>>> {
  const rolls = new Map((await readRolls(db, run.id)).map((roll) => [unitKey(roll), roll]))
  const definition = readDefinition(run.definition)
  const known = new Map(units.map((unit) => [unitKey(unit), unit]))
  // The run's own targets are not used, since they may already be those of its next start.
  const targets = [...new Set(units.map(({ node }) => node))]
  // A finished run may contain node types that this process does not know any more.
  const findOrGone: FindType = (type, version) => find(type, version) ?? goneType(definition, type, version)
  const model = createModel({ definition, targets, find: findOrGone, known, stillHolds: () => true })
  await model.schedule()
  const edgesInto = Map.groupBy(definition.edges, ({ to }) => to.node)
  const found = new Map<string, Record<string, unknown>>()
  for (const node of model.nodes.values()) {
    const edges = (edgesInto.get(node.id) ?? []).filter(({ from }) => model.nodes.has(from.node))
    const call = callOf({ id: node.id, node: node.spec, type: node.type }, edges, (id) => {
      const before = model.nodes.get(id)
      if (!before) throw new Error(`The node ${id} is not part of the run.`)
      return { id, node: before.state, items: before.items }
    })
    if (call.kind === 'once') found.set(unitKey(node.state), withOwnInputs(call.inputs, rolls, node.state))
    if (call.kind === 'each') {
      for (const [position, item] of node.items?.units ?? []) {
        const own = call.at(position)
        if (own.kind === 'call') found.set(unitKey(item), withOwnInputs(own.inputs, rolls, item))
      }
    }
  }
  return found
}
