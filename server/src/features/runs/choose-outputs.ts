// In charge of finding the files of a run that a request for an export means, and of naming the place of each in the run. Pure.
import type { RunExport } from '@atelier/contract/exports.ts'
import { type FileValue, isFileValue } from '@atelier/contract/graph/definition.ts'
import { Invalid, type ValidationError } from '@atelier/contract/wire/errors.ts'
import { errorAt, valueError } from '@atelier/contract/wire/validation-errors.ts'
import { hasOutputs, type UnitState } from '../../engine/model/units.ts'

/** A file of a run, and the output that contains it. `index` is the file's position if the output is a list, otherwise null. */
type Made = { unit: UnitState; port: string; index: number | null; file: FileValue }
/**
 * A file to export. `variant` is the variant that the request gives for the file: null if the request says that the file is of no
 * variant, undefined if the request does not say.
 */
export type Output = Made & { variant: number | null | undefined }

export type Asked = RunExport['outputs'][number]

/**
 * Returns the requested files in the requested order; a file that is requested several times is returned as the first time. If
 * something in the request is wrong, throws one error that lists everything that is wrong with it.
 */
export function chooseOutputs(units: readonly UnitState[], asked: readonly Asked[]): Output[] {
  const unitsOf = Map.groupBy(units, ({ node }) => node)
  const made = new Map([...new Set(asked.map(({ node_id }) => node_id))].map((id) => [id, madeBy(unitsOf.get(id))]))
  const errors: ValidationError[] = []
  const chosen = new Map<Made, Output>()
  for (const [index, one] of asked.entries()) {
    const found = filesFor(made.get(one.node_id), one, ['body', 'outputs', index])
    if ('error' in found) errors.push(found.error)
    for (const file of 'files' in found ? found.files : [])
      if (!chosen.has(file)) chosen.set(file, { ...file, variant: one.variation_num })
  }
  if (errors.length > 0) throw new Invalid(errors)
  return [...chosen.values()]
}

/**
 * The files of a node by port: all in order, and by item. A request may name hundreds of the thousands of files of a node, and each of
 * them is found without going through all the others.
 */
type FilesOfNode = ReadonlyMap<string, { all: Made[]; byItem: ReadonlyMap<number, Made[]> }>

function madeBy(units: readonly UnitState[] | undefined): FilesOfNode | undefined {
  const byPort = units && Map.groupBy(units.filter(hasOutputs).flatMap(filesOf), ({ port }) => port)
  return byPort && new Map([...byPort].map(([port, all]) => [port, { all, byItem: Map.groupBy(all, positionOf) }]))
}

const positionOf = (made: Made): number => itemOf(made) ?? 0

type Found = { files: readonly Made[] } | { error: ValidationError }

/** `made`: the files of the node; undefined if the run has no such node. */
function filesFor(made: FilesOfNode | undefined, asked: Asked, loc: (string | number)[]): Found {
  const { node_id, port, item = null, index = null } = asked
  const wrong = (member: string, why: string, input: unknown): Found => ({
    error: errorAt([...loc, member], valueError(why), input),
  })
  if (!made) return wrong('node_id', `the run has no node “${node_id}”`, node_id)
  const ports = [...made.keys()]
  if (port && !made.has(port)) return wrong('port', `the node “${node_id}” has no file at “${port}”`, port)
  if (!port && ports.length > 1)
    return wrong('port', `the node “${node_id}” has files at ${ports.join(', ')}: name one`, port ?? null)
  const atPort = made.get(port || (ports[0] ?? ''))
  if (item === null) {
    if (index !== null) return wrong('index', 'it is a place in the list of one item: name the item', index)
    return atPort ? { files: atPort.all } : wrong('node_id', `the node “${node_id}” has made no file`, node_id)
  }
  const ofItem = atPort?.byItem.get(item)
  if (!ofItem) return wrong('item', `the node “${node_id}” has no file at item ${item}`, item)
  const files = index === null ? ofItem : ofItem.filter((one) => indexOf(one) === index)
  if (files.length > 0) return { files }
  return wrong('index', `item ${item} of the node “${node_id}” has no file at index ${index}`, index)
}

/** Returns the files at the unit's ports. A port's output may be a file or a list of files. */
function filesOf(unit: UnitState): Made[] {
  return Object.entries(unit.outputs ?? {}).flatMap(([port, value]): Made[] => {
    if (isFileValue(value)) return [{ unit, port, index: null, file: value }]
    if (!Array.isArray(value)) return []
    return value.flatMap((element: unknown, index) =>
      isFileValue(element) ? [{ unit, port, index, file: element }] : [],
    )
  })
}

/** Identifies an output in its run; the place of an output never changes. */
type Place = { node_id: string; port: string; item: string }

export const placeOf = ({ unit, port, index }: Made): Place => ({
  node_id: unit.node,
  port,
  item: index === null ? unit.item : `${unit.item}#${index}`,
})

export const placeKey = ({ node_id, port, item }: Place): string => JSON.stringify([node_id, port, item])

/** Returns a key that identifies an output in its run. */
export const outputKey = (output: Output): string => placeKey(placeOf(output))

/**
 * Returns the `item` of an output as the contract defines it: the position of the unit's item; for a unit without an item, the
 * position of the file in the list at the port; null if the port has a single file.
 */
export const itemOf = ({ unit, index }: Made): number | null => unit.position ?? index

/**
 * Returns the `index` of an output as the contract defines it: the position of the file in the list that the unit's item gave; null
 * if the item gave a single file. It is null for a unit without an item too, since `itemOf` already tells its files apart.
 */
export const indexOf = ({ unit, index }: Made): number | null => (unit.position === null ? null : index)

/** Returns how many files this place names; more than one if an item gave several files and `index` does not say which one. */
export function countFiles(units: readonly UnitState[], asked: Asked): number {
  const found = filesFor(madeBy(units.filter(({ node }) => node === asked.node_id)), asked, [])
  return 'files' in found ? found.files.length : 0
}
