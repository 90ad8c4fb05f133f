// In charge of merging two versions of a graph, `mine` and `theirs`, which were both made from the same earlier version. A change
// by only one side is kept; if both sides changed the same node, note or frame, the user chooses one side. The wires into a node
// are chosen together with the node, so that they fit its inputs. Pure.
import { isPlainObject } from '@atelier/contract/graph/definition.ts'
import {
  type Annotation,
  type Annotations,
  annotationName,
  annotationOf,
  wordsOfAnnotation,
} from '../canvas/annotations.ts'
import { sameValue } from '../canvas/diff.ts'
import { type Positions, type Raw, rawEdges, rawNodes, readEdge, withParts } from '../canvas/doc.ts'
import type { Doc } from '../canvas/layout.ts'
import type { Box } from '../canvas/places.ts'

export type Side = 'mine' | 'theirs'
/** `before`: the earlier version from which both sides were made. */
export type Versions<T> = Record<'before' | Side, T>
/** A member of a node or annotation, as text, that differs between both sides; null for the side that does not have the member. */
type Row = { name: string } & Record<Side, string | null>
/** A node, note or frame that both sides changed. `gone`: the side that removed it; null if both still have it. */
export type Clash = { id: string; name: string; gone: Side | null; rows: Row[] }
/** `alone`: for each side, the names of the nodes, notes and frames that only this side changed, added or removed. */
export type Merge = { clashes: Clash[]; alone: Record<Side, string[]> }
export type Choices = ReadonlyMap<string, Side>

type Unit = { node: unknown; wires: readonly unknown[] }
type Units = ReadonlyMap<string, Unit>

export function mergeOf(docs: Versions<Doc>): Merge {
  const units = mapped(docs, allUnitsOf)
  const nameOf = (id: string) => nameIn(docs, id)
  const verdicts = idsOf(units).map((id) => ({ id, side: sideOf(mapped(units, (some) => some.get(id))) }))
  const of = (wanted: ReturnType<typeof sideOf>) => verdicts.flatMap(({ id, side }) => (side === wanted ? [id] : []))
  return {
    clashes: of('clash').map((id) => ({ id, name: nameOf(id), ...clashOf(id, units) })),
    alone: { mine: of('mine').map(nameOf), theirs: of('theirs').map(nameOf) },
  }
}

/** The document with the changes of both sides. Where both sides changed the same thing and no choice was made, `mine` is kept. */
export function merged(docs: Versions<Doc>, choices: Choices): Doc {
  const definition = mergedDefinition(
    mapped(docs, ({ definition }) => definition),
    choices,
  )
  const positions = mergedPositions(mapped(docs, ({ positions }) => positions))
  const annotations = mergedAnnotations(
    mapped(docs, ({ annotations }) => annotations),
    choices,
  )
  const both = { definition, positions, annotations }
  return sameValue(both, docs.theirs) ? docs.theirs : both
}

function mergedDefinition(versions: Versions<Raw>, choices: Choices): Raw {
  const units = mapped(versions, unitsOf)
  const kept = idsOf(units).flatMap((id) => {
    const ones = mapped(units, (some) => some.get(id))
    const side = sideOf(ones)
    const unit = ones[side === 'clash' ? (choices.get(id) ?? 'mine') : (side ?? 'mine')]
    return unit ? [[id, unit] as const] : []
  })
  const nodes = Object.fromEntries(kept.map(([id, { node }]) => [id, node]))
  // Leaves out wires that start at a node which the merged graph does not have.
  const edges = kept.flatMap(([, { wires }]) => wires.filter((raw) => isFromOneOf(nodes, raw)))
  const others = mapped(versions, ({ nodes: _nodes, edges: _edges, ...rest }): Raw => rest)
  return withParts(mergedMembers(others), { nodes, edges: [...edges, ...oddEdges(versions)] })
}

/** The positions of all nodes; if both sides moved a node, the position of `mine` is kept. */
const mergedPositions = (positions: Versions<Positions>): Positions =>
  Object.fromEntries(
    Object.keys({ ...positions.theirs, ...positions.mine }).flatMap((id) => {
      const ones = mapped(positions, (places) => places[id])
      const at = ones[sideOf(ones) === 'theirs' ? 'theirs' : 'mine'] ?? ones.theirs
      return at ? [[id, at] as const] : []
    }),
  )

/** Text and colour are chosen as for nodes. If both sides moved or resized an annotation, the position and size of `mine` stay. */
const mergedAnnotations = (versions: Versions<Annotations>, choices: Choices): Annotations =>
  Object.fromEntries(
    Object.keys({ ...versions.theirs, ...versions.mine }).flatMap((id) => {
      const ones = mapped(versions, (some) => some[id])
      const side = sideOf(mapped(ones, (one) => one && wordsOfAnnotation(one)))
      const chosen = ones[side === 'clash' ? (choices.get(id) ?? 'mine') : (side ?? 'mine')]
      if (!chosen) return []
      const boxes = mapped(ones, (one) => one && boxOf(one))
      const box = boxes[sideOf(boxes) === 'theirs' ? 'theirs' : 'mine'] ?? boxes.theirs
      return [[id, { ...chosen, ...box }] as const]
    }),
  )

const boxOf = ({ x, y, width, height }: Annotation): Box => ({ x, y, width, height })

function mergedMembers(versions: Versions<Raw>): Raw {
  const names = Object.keys({ ...versions.theirs, ...versions.mine })
  return Object.fromEntries(
    names.flatMap((name) => {
      const ones = mapped(versions, (raw) => raw[name])
      const value = ones[sideOf(ones) === 'theirs' ? 'theirs' : 'mine']
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

/** The side that has changed a value: `clash` if both changed it in different ways, null if both sides have the same value now. */
function sideOf({ before, mine, theirs }: Versions<unknown>): Side | 'clash' | null {
  if (sameValue(mine, theirs)) return null
  if (sameValue(before, mine)) return 'theirs'
  return sameValue(before, theirs) ? 'mine' : 'clash'
}

function allUnitsOf({ definition, annotations }: Doc): Units {
  const words = Object.entries(annotations).map(
    ([id, one]) => [id, { node: wordsOfAnnotation(one), wires: [] }] as const,
  )
  return new Map([...words, ...unitsOf(definition)])
}

function nameIn({ mine, theirs, before }: Versions<Doc>, id: string): string {
  const annotation = [mine, theirs, before].map(({ annotations }) => annotationOf(annotations, id)).find((one) => one)
  return annotation ? annotationName(annotation) : id
}

/** Each node with the edges that end at it. The edges keep the order of the definition, because this order matters in a run. */
function unitsOf(definition: Raw): Units {
  const units = new Map<string, { node: unknown; wires: unknown[] }>()
  for (const [id, node] of Object.entries(rawNodes(definition))) units.set(id, { node, wires: [] })
  for (const raw of rawEdges(definition)) units.get(readEdge(raw)?.to.node ?? '')?.wires.push(raw)
  return units
}

/** The ids that occur in any of the three versions: those in `mine` first, in its order, then others in `theirs` and `before`. */
const idsOf = ({ mine, theirs, before }: Versions<Units>): string[] => [
  ...new Set([...mine.keys(), ...theirs.keys(), ...before.keys()]),
]

function isFromOneOf(nodes: Raw, raw: unknown): boolean {
  const edge = readEdge(raw)
  return edge !== null && Object.hasOwn(nodes, edge.from.node)
}

/** The edges of both sides that cannot be parsed, or that end at a node which does not exist; they are kept unchanged. */
function oddEdges({ mine, theirs }: Versions<Raw>): unknown[] {
  const oddIn = (definition: Raw) =>
    rawEdges(definition).filter((raw) => {
      const edge = readEdge(raw)
      return edge === null || !Object.hasOwn(rawNodes(definition), edge.to.node)
    })
  const ours = oddIn(mine)
  return [...ours, ...oddIn(theirs).filter((raw) => !ours.some((one) => sameValue(one, raw)))]
}

function clashOf(id: string, units: Versions<Units>): Pick<Clash, 'gone' | 'rows'> {
  const texts = mapped(units, (some) => textsOf(some.get(id)))
  const gone = units.mine.has(id) ? (units.theirs.has(id) ? null : 'theirs') : 'mine'
  // If one side removed the node, the rows show what the other side has changed since `before`.
  const [one, other] = gone === null ? [texts.mine, texts.theirs] : [texts.before, texts[otherOf(gone)]]
  const names = [...new Set([...one.keys(), ...other.keys()])].filter((name) => one.get(name) !== other.get(name))
  const textIn = (side: Side, name: string) => texts[side].get(name) ?? null
  return { gone, rows: names.map((name) => ({ name, mine: textIn('mine', name), theirs: textIn('theirs', name) })) }
}

const otherOf = (side: Side): Side => (side === 'mine' ? 'theirs' : 'mine')

/** The members of a node as texts, by name: each param, each input, each other member, and `wires` for the edges into the node. */
function textsOf(unit: Unit | undefined): Map<string, string> {
  if (!unit) return new Map()
  const { node } = unit
  const members = isPlainObject(node) ? Object.entries(node) : [['value', node] as const]
  const wires = unit.wires.flatMap((raw) => {
    const edge = readEdge(raw)
    return edge ? [`${edge.from.node}.${edge.from.port} → ${edge.to.port}`] : []
  })
  return new Map([
    ...members.flatMap(([name, value]) =>
      (name === 'params' || name === 'inputs') && isPlainObject(value)
        ? Object.entries(value).map(([member, one]) => [member, textOf(one)] as const)
        : [[name, textOf(value)] as const],
    ),
    ...(wires.length > 0 ? [['wires', wires.join('\n')] as const] : []),
  ])
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 1))

const mapped = <T, U>({ before, mine, theirs }: Versions<T>, change: (one: T) => U): Versions<U> => ({
  before: change(before),
  mine: change(mine),
  theirs: change(theirs),
})
