// In charge of finding the items that start requests name, and errors in these requests: in the names of nodes and items, in
// inputs for units, in choices of takes, and in the id of the run whose results are to be reused.
import { type Definition, definitionLimits } from '@atelier/contract/graph/definition.ts'
import { callSchema, infoOf } from '@atelier/contract/graph/edge-rules.ts'
import { downstreamOf, neededFor } from '@atelier/contract/graph/graph-order.ts'
import type { NodeTypes } from '@atelier/contract/graph/graph-rules.ts'
import { schemaFaults } from '@atelier/contract/graph/schema-check.ts'
import type { Invocation, RunStart } from '@atelier/contract/runs.ts'
import type { ValidationError } from '@atelier/contract/wire/errors.ts'
import { errorAt, missingBecause, valueError } from '@atelier/contract/wire/validation-errors.ts'
import type { Db } from '../../platform/db.ts'
import { isUuid } from '../../platform/ids.ts'
import type { NodeSummary } from '../model/node-summary.ts'
import type { UnitName } from '../model/units.ts'
import { type RunRow, readRunRow } from '../store/runs.ts'
import { findItems } from '../store/unit-store.ts'
import { findSeedItems } from './seed-items.ts'

export type FoundItem = UnitName & { position: number }

/** A node or an item as a start request names it. */
export type Named = Pick<Invocation, 'node_id' | 'item'>

const itemOf = ({ node_id, item }: Named): { node: string; position: number }[] =>
  item === null || item === undefined ? [] : [{ node: node_id, position: item }]

export const findItem = (items: readonly FoundItem[], { node_id, item }: Named): FoundItem | undefined =>
  items.find(({ node, position }) => node === node_id && position === item)

/**
 * Finds the items that a start request names. `own`: those of the run itself. `items`: these, and those of the run whose results
 * the start reuses, at nodes whose items this run does not know yet, because it has not executed them.
 */
export async function findNamed(
  tx: Db,
  run: Pick<RunRow, 'id' | 'seed_run_id' | 'task_id'>,
  { from_run, regenerate = [], choose = [] }: RunStart,
  definition: Definition,
  summaries: ReadonlyMap<string, NodeSummary>,
): Promise<{ own: FoundItem[]; items: FoundItem[] }> {
  const units = [...regenerate, ...choose]
  const named = units.flatMap(itemOf)
  const own = await findItems(tx, run.id, named)
  const { nodes } = definition
  const unknown = named.filter(
    ({ node }) => Object.hasOwn(nodes, node) && (nodes[node]?.each ?? []).length > 0 && !isKnown(summaries.get(node)),
  )
  const asked = { fromRun: from_run ?? null, named: units.map(({ node_id }) => node_id) }
  return { own, items: [...own, ...(await findSeedItems(tx, run, definition, asked, unknown))] }
}

const isKnown = (summary: NodeSummary | undefined): boolean => summary !== undefined && summary.itemCount !== null

export const notThere = (loc: (string | number)[], why: string, input: unknown): ValidationError =>
  errorAt(loc, valueError(why), input)

export const unknownNodes = (
  ids: readonly string[],
  { nodes }: Definition,
  loc: (string | number)[],
): ValidationError[] =>
  ids.flatMap((id, index) =>
    Object.hasOwn(nodes, id) ? [] : [notThere([...loc, index], `the definition has no node “${id}”`, id)],
  )

/**
 * The targets of a start: those that the request names, or else those that the run was prepared for. Prepared targets that the
 * definition no longer has are left out.
 */
export function targetsOf(
  { targets, targets_prepared }: Pick<RunRow, 'targets' | 'targets_prepared'>,
  asked: RunStart,
  { nodes }: Definition,
): readonly string[] {
  if (asked.targets !== undefined) return asked.targets
  return targets_prepared ? targets.filter((id) => Object.hasOwn(nodes, id)) : []
}

/**
 * An error if the run was prepared for targets, all of which the definition no longer has, and the request names none. Without
 * this error the start would execute every node, which may cost much more than the start that was prepared.
 */
export function goneTargetsProblems(
  run: Pick<RunRow, 'targets' | 'targets_prepared'>,
  asked: RunStart,
  definition: Definition,
): ValidationError[] {
  const isGone = run.targets_prepared && run.targets.length > 0 && targetsOf(run, asked, definition).length === 0
  if (!isGone || asked.targets !== undefined) return []
  const names = run.targets.map((id) => `“${id}”`).join(', ')
  const why = `this run was prepared for ${names}, which its definition no longer has. Name other targets, or [] for everything`
  return [errorAt(['body', 'targets'], missingBecause(why), asked)]
}

/** Errors of the units that a request names: nodes and items that do not exist, and nodes that the targets do not need. */
export function unitProblems(
  units: readonly Named[],
  definition: Definition,
  targets: readonly string[],
  { items, member }: { items: readonly FoundItem[]; member: string },
): ValidationError[] {
  const scope = neededFor(definition, targets)
  return units.flatMap(({ node_id, item }, index) => {
    const loc = ['body', member, index]
    if (!Object.hasOwn(definition.nodes, node_id)) {
      return [notThere([...loc, 'node_id'], `the definition has no node “${node_id}”`, node_id)]
    }
    if (!scope.has(node_id)) {
      return [notThere([...loc, 'node_id'], `the node “${node_id}” is not needed for the targets`, node_id)]
    }
    if (item === null || item === undefined || findItem(items, { node_id, item })) return []
    return [notThere([...loc, 'item'], `the node “${node_id}” has no item ${item} in this run`, item)]
  })
}

export async function seedProblems(tx: Db, fromRun: string | null | undefined): Promise<ValidationError[]> {
  if (fromRun === null || fromRun === undefined) return []
  const seed = isUuid(fromRun) ? await readRunRow(tx, fromRun) : undefined
  return seed && seed.deleted_at === null ? [] : [notThere(['body', 'from_run'], `there is no run ${fromRun}`, fromRun)]
}

/** Errors of inputs that the request sets on units, which are checked against the ports of the units' types. */
export function inputProblems(
  regenerate: readonly Invocation[],
  { nodes }: Definition,
  types: NodeTypes,
): ValidationError[] {
  return regenerate.flatMap(({ node_id, inputs }, index) => {
    const node = Object.hasOwn(nodes, node_id) ? nodes[node_id] : undefined
    const info = node && infoOf(node, types)
    if (!info || !inputs) return []
    const loc = ['body', 'regenerate', index, 'inputs']
    if (Buffer.byteLength(JSON.stringify(inputs)) > definitionLimits.paramsBytes)
      return [notThere(loc, `they have at most ${definitionLimits.paramsBytes} bytes as JSON`, null)]
    return Object.entries(inputs).flatMap(([port, value]) => {
      const schema = callSchema(info, port)
      if (schema === null) return [notThere([...loc, port], `“${node?.type}” has no input “${port}”`, port)]
      if (typeof schema !== 'object') return []
      return schemaFaults(schema, value).map((fault) => ({ ...fault, loc: [...loc, port, ...fault.loc] }))
    })
  })
}

/**
 * Errors in choices of takes. A choice is refused if its take could not be used without paying again: every choice, if the
 * start takes over the results of another run; a choice for a unit that the start also rolls again; and a choice for a node
 * downstream of nodes that the start rolls again or sets to a take. Two choices for one unit are an error too.
 */
export function mixedProblems(
  { choose = [], regenerate = [], from_run }: RunStart,
  definition: Definition,
): ValidationError[] {
  const namesOf = (units: readonly Named[]) => units.map(({ node_id }) => node_id)
  const known = [...namesOf(regenerate), ...namesOf(choose)].filter((id) => Object.hasOwn(definition.nodes, id))
  const after = downstreamOf(definition, known)
  const isSame = (a: Named, b: Named) => a.node_id === b.node_id && (a.item ?? null) === (b.item ?? null)
  return choose.flatMap((one, index) => {
    const refuse = (msg: string) => [notThere(['body', 'choose', index], msg, one.node_id)]
    if (from_run) return refuse('a start that takes over another run goes back to no takes')
    if (choose.findIndex((other) => isSame(one, other)) < index) return refuse('it is named twice')
    if (
      regenerate.some((other) => isSame(one, other) || (other.node_id === one.node_id && (other.item ?? null) === null))
    )
      return refuse('the same start rolls it again')
    return after.has(one.node_id) ? refuse('the same start changes what it is made of') : []
  })
}
