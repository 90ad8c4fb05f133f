// In charge of merging two versions of a graph that have the same origin: a change that only one of them has is taken over, and
// if both changed a node, a note or a frame, the person chooses. A node and the wires into it are chosen together, so that they
// fit each other. Pure.
import { isPlainObject } from '@atelier/contract/graph/definition.ts'
import { type Annotation, type Annotations, annotationName, wordsOfAnnotation } from '../canvas/annotations.ts'
import { sameValue } from '../canvas/diff.ts'
import { type Positions, type Raw, rawEdges, rawNodes, readEdge, withParts } from '../canvas/doc.ts'
import type { Doc } from '../canvas/layout.ts'
import type { Box } from '../canvas/places.ts'

export type Side = 'mine' | 'theirs'
/** `before`: the common ancestor of both versions. */
export type Versions<T> = Record<'before' | Side, T>
/** The difference in words; null: this version does not have the node. */
type Row = { name: string } & Record<Side, string | null>
/** A node or annotation that both versions changed, with its name. `gone`: which side removed it. */
export type Clash = { id: string; name: string; gone: Side | null; rows: Row[] }
/** `alone`: the names of everything that only one side changed. */
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

/** The document with the changes of both. If both changed something and nothing was chosen, my version stays. */
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
  // A wire out of a node that one side removed is dropped.
  const edges = kept.flatMap(([, { wires }]) => wires.filter((raw) => isFromOneOf(nodes, raw)))
  const others = mapped(versions, ({ nodes: _nodes, edges: _edges, ...rest }): Raw => rest)
  return withParts(mergedMembers(others), { nodes, edges: [...edges, ...oddEdges(versions)] })
}

/** A node that both sides moved is placed where I moved it. */
const mergedPositions = (positions: Versions<Positions>): Positions =>
  Object.fromEntries(
    Object.keys({ ...positions.theirs, ...positions.mine }).flatMap((id) => {
      const ones = mapped(positions, (places) => places[id])
      const at = ones[sideOf(ones) === 'theirs' ? 'theirs' : 'mine'] ?? ones.theirs
      return at ? [[id, at] as const] : []
    }),
  )

/** Texts are chosen like nodes; if both sides moved an annotation, it is placed where I moved it. */
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

/** Which side changed it; null if both are equal. */
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
  const annotation = mine.annotations[id] ?? theirs.annotations[id] ?? before.annotations[id]
  return annotation ? annotationName(annotation) : id
}

/** Each node with the edges into it, in their order, since the order matters. */
function unitsOf(definition: Raw): Units {
  const units = new Map<string, { node: unknown; wires: unknown[] }>()
  for (const [id, node] of Object.entries(rawNodes(definition))) units.set(id, { node, wires: [] })
  for (const raw of rawEdges(definition)) units.get(readEdge(raw)?.to.node ?? '')?.wires.push(raw)
  return units
}

/** In the order of my version, followed by those that only their version has. */
const idsOf = ({ mine, theirs, before }: Versions<Units>): string[] => [
  ...new Set([...mine.keys(), ...theirs.keys(), ...before.keys()]),
]

function isFromOneOf(nodes: Raw, raw: unknown): boolean {
  const edge = readEdge(raw)
  return edge !== null && Object.hasOwn(nodes, edge.from.node)
}

/** Edges that cannot be parsed, or that end at no node, are kept unchanged. */
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
  // If one side removed the node, the change of the other side is shown beside that.
  const [one, other] = gone === null ? [texts.mine, texts.theirs] : [texts.before, texts[otherOf(gone)]]
  const names = [...new Set([...one.keys(), ...other.keys()])].filter((name) => one.get(name) !== other.get(name))
  const textIn = (side: Side, name: string) => texts[side].get(name) ?? null
  return { gone, rows: names.map((name) => ({ name, mine: textIn('mine', name), theirs: textIn('theirs', name) })) }
}

const otherOf = (side: Side): Side => (side === 'mine' ? 'theirs' : 'mine')

/** The content of a node in words: a text for each param, input and other member, and one for the edges into it. */
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
