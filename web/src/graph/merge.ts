// In charge of merging two versions of a graph, `mine` and `theirs`, which were both made from the same earlier version. A change
// by only one side is kept; if both sides changed the same node, note or frame, the user chooses one side. So does the user where one
// side removed a node at which a wire of the other begins. The wires into a node are chosen together with the node, so that they fit
// its inputs. A node that one side renamed is the same node, and goes together with what the other changed of it. Pure.
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
import { type Circle, withoutCircles } from './merge-circles.ts'
import { finalIds, type NamedDoc, withCommonIds, withFinalIds } from './merge-names.ts'
import {
  idsOf,
  joinedUnit,
  mapped,
  type Names,
  otherOf,
  type Side,
  sideOf,
  sidesOf,
  type Unit,
  type Units,
  unitsOf,
  type Versions,
  wireWords,
} from './merge-parts.ts'
import { withoutUnfedEach } from './unfed-each.ts'

/** A member of a node or annotation, as text, that differs between both sides; null for the side that does not have the member. */
type Row = { name: string } & Record<Side, string | null>
/**
 * A node, note or frame for which the user chooses a side. `id`: the common id of a node, which stays the same whatever is chosen.
 * `gone`: the side that removed it; null if both still have it. `wires`: if one side removed it, the wires that begin at it, in words;
 * they are left out if it is.
 */
export type Clash = { id: string; name: string; gone: Side | null; rows: Row[]; wires: string[] }
/**
 * `alone`: for each side, the names of the nodes, notes and frames that only this side changed, added or removed. `circles`: circles
 * that are in the merged graph, but in neither side's.
 */
export type Merge = { clashes: Clash[]; alone: Record<Side, string[]>; circles: Circle[] }
export type Choices = ReadonlyMap<string, Side>
/** A choice, and between what it was made: the later version of somebody else may say something else of the same node. */
export type Chosen = ReadonlyMap<string, { side: Side; between: string }>
/** The names of the links that are left out where they are part of a circle which only both sides together make. */
export type LeftOut = ReadonlySet<string>

const none: LeftOut = new Set()

/** What the user has to decide. It depends on earlier choices, because these say which wires there are. */
export function mergeOf(given: Versions<Doc>, choices: Choices, leftOut: LeftOut = none): Merge {
  const docs = withCommonIds(given)
  const units = mapped(docs, allUnitsOf)
  const { kept, clashes } = resolved(units, choices)
  const ids = idsOf(units)
  const { nameOf, titleOf, listedOf } = wordsOf(docs, units, finalIds(kept, units.theirs))
  const aloneOf = (wanted: Side) =>
    ids.flatMap((id) => {
      const { content, name } = sidesOf(mapped(units, (some) => some.get(id)))
      const isAlone = content === wanted || name === wanted
      // The removal of a node from which a wire leads is not listed: it is the choice.
      const isRemoval = clashes.has(id) && content !== 'clash' && name !== 'clash'
      return isAlone && !isRemoval ? [listedOf(id, name === wanted)] : []
    })
  const begun = Map.groupBy(
    [...kept.values()].flatMap(({ wires }) => wires.flatMap((raw) => readEdge(raw) ?? [])),
    ({ from }) => from.node,
  )
  const clashed = ids
    .filter((id) => clashes.has(id))
    .map((id) => {
      const { gone, rows } = clashOf(id, units, nameOf)
      const wires = gone === null ? [] : (begun.get(id) ?? []).map((edge) => wireWords(edge, nameOf))
      return { id, name: titleOf(id), gone, rows, wires }
    })
  const definitions = mapped(docs, ({ definition }) => definition)
  return {
    clashes: clashed,
    alone: { mine: aloneOf('mine'), theirs: aloneOf('theirs') },
    circles: withoutCircles(joinedDefinition(docs, choices), definitions, leftOut, nameOf).circles,
  }
}

/** What nodes, notes and frames are called where the user decides. `ids`: the ids that the nodes would have in the merged graph. */
function wordsOf(docs: Versions<Doc>, { before, mine, theirs }: Versions<Units>, ids: Names) {
  const formerOf = (id: string) => (before.get(id) ?? mine.get(id) ?? theirs.get(id))?.name ?? id
  // A node that is not in the merged graph: a side may still show it, by the name that it has there.
  const nameOf = (id: string) => ids.get(id) ?? (mine.get(id) ?? theirs.get(id) ?? before.get(id))?.name ?? id
  const renaming = (id: string) => (formerOf(id) === nameOf(id) ? nameOf(id) : `${formerOf(id)} → ${nameOf(id)}`)
  const isNameOpen = (id: string) =>
    sidesOf({ before: before.get(id), mine: mine.get(id), theirs: theirs.get(id) }).name === 'clash' &&
    mine.has(id) &&
    theirs.has(id)
  return {
    nameOf,
    /** The heading of a choice: not with a new name if this is to be chosen. */
    titleOf: (id: string) => annotationIn(docs, id) ?? (isNameOpen(id) ? formerOf(id) : renaming(id)),
    /** In a list of changes, with the former name if it is the change. */
    listedOf: (id: string, isRenamed: boolean) => annotationIn(docs, id) ?? (isRenamed ? renaming(id) : nameOf(id)),
  }
}

/** Notes between what each of these choices is made. */
export function chosenOf(docs: Versions<Doc>, choices: Choices): Chosen {
  const units = mapped(withCommonIds(docs), allUnitsOf)
  return new Map([...choices].map(([id, side]) => [id, { side, between: betweenOf(id, units) }]))
}

/** The choices that still hold: those between what the two sides still say. */
export function stillHeld(docs: Versions<Doc>, chosen: Chosen): Choices {
  const units = mapped(withCommonIds(docs), allUnitsOf)
  const held = [...chosen].filter(([id, { between }]) => betweenOf(id, units) === between)
  return new Map(held.map(([id, { side }]) => [id, side]))
}

/** With common ids in the wires: other choices may change what these nodes are called, and nothing else about this one. */
const betweenOf = (id: string, units: Versions<Units>): string => JSON.stringify(clashOf(id, units, (node) => node))

/** The choices that take one side everywhere, also for what the user has to decide only because of other choices. */
export function allOf(docs: Versions<Doc>, side: Side): Choices {
  let choices: Choices = new Map()
  for (;;) {
    const open = mergeOf(docs, choices).clashes.filter(({ id }) => !choices.has(id))
    if (open.length === 0) return choices
    choices = new Map([...choices, ...open.map(({ id }) => [id, side] as const)])
  }
}

/**
 * The document with the changes of both sides. Where both sides changed the same thing and no choice was made, `mine` is kept. A node
 * that one side removed, and the other left as it was, is kept until it is chosen to go, if a wire begins there. A circle stays until
 * one of its links is left out; it keeps the graph from running, and stands among its issues.
 */
export function merged(given: Versions<Doc>, choices: Choices, leftOut: LeftOut = none): Doc {
  const docs = withCommonIds(given)
  const definition = mergedDefinition(docs, choices, leftOut)
  const positions = mergedPositions(
    mapped(docs, ({ positions }) => positions),
    rawNodes(definition),
  )
  const annotations = mergedAnnotations(
    mapped(docs, ({ annotations }) => annotations),
    choices,
  )
  const both = { definition, positions: apart(positions, docs), annotations }
  const named = withFinalIds(both, mergedIds(docs, choices), docs)
  return sameValue(named, given.theirs) ? given.theirs : named
}

/** The ids that the nodes of `mine` have in the merged document, where these are others. */
export function newIds(given: Versions<Doc>, choices: Choices): Names {
  const docs = withCommonIds(given)
  const renamed = [...mergedIds(docs, choices)].map(([id, now]) => [docs.mine.names.get(id) ?? id, now] as const)
  return new Map(renamed.filter(([id, now]) => id !== now && Object.hasOwn(rawNodes(given.mine.definition), id)))
}

/** The ids that nodes have in the merged document, by their common ids. */
function mergedIds(docs: Versions<NamedDoc>, choices: Choices): Names {
  const units = mapped(docs, unitsOf)
  return finalIds(resolved(units, choices).kept, units.theirs)
}

function mergedDefinition(docs: Versions<NamedDoc>, choices: Choices, leftOut: LeftOut): Raw {
  const joined = joinedDefinition(docs, choices)
  const sides = mapped(docs, ({ definition }) => definition)
  return withoutUnfedEach(withoutCircles(joined, sides, leftOut).definition, joined)
}

/** The nodes and wires of both sides, also wires that make a circle. */
function joinedDefinition(docs: Versions<NamedDoc>, choices: Choices): Raw {
  const units = mapped(docs, unitsOf)
  const versions = mapped(docs, ({ definition }) => definition)
  const { kept } = resolved(units, choices)
  const ordered = idsOf(units).flatMap((id) => {
    const unit = kept.get(id)
    return unit ? [[id, unit] as const] : []
  })
  const nodes = Object.fromEntries(ordered.map(([id, { node }]) => [id, node]))
  const wires = ordered.flatMap(([, unit]) => unit.wires)
  // Leaves out wires that start at a node which the merged graph does not have.
  const edges = wires.filter((raw) => isFromOneOf(nodes, raw))
  const others = mapped(versions, ({ nodes: _nodes, edges: _edges, ...rest }): Raw => rest)
  const joined = withParts(mergedMembers(others), { nodes, edges: [...edges, ...oddEdges(versions)] })
  return withoutUnfedEach(joined, { nodes, edges: wires })
}

/**
 * Decides which nodes, notes and frames are kept, each with its wires, and for which of them the user chooses a side: those that both
 * sides changed, and those that one side removed although a kept wire begins there. Where no choice was made, `mine` stands of the
 * former, and the latter are kept, so that their wires are not lost.
 */
function resolved(units: Versions<Units>, choices: Choices): { kept: Units; clashes: ReadonlySet<string> } {
  const kept = new Map<string, Unit>()
  const clashes = new Set<string>()
  const keep = (id: string, unit: Unit | undefined) => {
    if (unit) kept.set(id, unit)
  }
  for (const id of idsOf(units)) {
    const ones = mapped(units, (some) => some.get(id))
    if (Object.values(sidesOf(ones)).includes('clash')) clashes.add(id)
    keep(id, joinedUnit(ones, choices.get(id) ?? 'mine'))
  }
  // The loop also reaches nodes that are added during it, whose own wires may begin at further removed nodes.
  for (const id of sourcesIn(kept)) {
    const owner = units.mine.has(id) ? 'mine' : 'theirs'
    // A node that neither side has was removed by both, or the wire never had a beginning.
    if (kept.has(id) || clashes.has(id) || !units[owner].has(id)) continue
    clashes.add(id)
    keep(id, units[choices.get(id) ?? owner].get(id))
  }
  return { kept, clashes }
}

/** The node at which each wire begins, also of units that are added meanwhile. */
function* sourcesIn(units: Units): Generator<string> {
  for (const { wires } of units.values()) {
    yield* wires.flatMap((raw) => readEdge(raw)?.from.node ?? [])
  }
}

/** The positions of all nodes; if both sides moved a node, the position of `mine` is kept. */
const mergedPositions = (positions: Versions<Positions>, nodes: Raw): Positions =>
  Object.fromEntries(
    Object.keys({ ...positions.theirs, ...positions.mine }).flatMap((id) => {
      const ones = mapped(positions, (places) => places[id])
      const moved = ones[sideOf(ones) === 'theirs' ? 'theirs' : 'mine']
      // A node that one side removed, but that is kept, stays where the other has it.
      const at = moved ?? (Object.hasOwn(nodes, id) ? (ones.mine ?? ones.theirs) : undefined)
      return at ? [[id, at] as const] : []
    }),
  )

/**
 * The positions, with each node moved that would lie exactly on another which comes before it, unless the two lie so in a version of
 * either side. The merge brings two there if, for example, one side has put a node of another type in the place of one that the other
 * side has changed: the one below could not be seen, and would still be paid for.
 */
function apart(positions: Positions, { mine, theirs }: Versions<Doc>): Positions {
  const placed: Record<string, Positions[string]> = {}
  const there = new Map<string, string[]>()
  const liesSo = (one: string, other: string) =>
    [mine, theirs].some(({ positions: own }) => samePlace(own[one], own[other]))
  for (const [id, wish] of Object.entries(positions)) {
    const othersAt = ({ x, y }: Positions[string]) => there.get(`${x} ${y}`) ?? []
    let at = wish
    while (othersAt(at).some((other) => !liesSo(other, id))) at = { x: at.x + asideBy, y: at.y + asideBy }
    there.set(`${at.x} ${at.y}`, [...othersAt(at), id])
    placed[id] = at
  }
  return placed
}

const samePlace = (one: Positions[string] | undefined, other: Positions[string] | undefined): boolean =>
  one !== undefined && other !== undefined && one.x === other.x && one.y === other.y

/** How far aside a node is moved, in each direction: so far that both can be seen. */
const asideBy = 40

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

function allUnitsOf({ annotations, ...doc }: NamedDoc): Units {
  const words = Object.entries(annotations).map(
    ([id, one]) => [id, { node: wordsOfAnnotation(one), wires: [], name: id }] as const,
  )
  return new Map([...words, ...unitsOf(doc)])
}

/** What a note or frame is called; null if there is none with this id. */
function annotationIn({ mine, theirs, before }: Versions<Doc>, id: string): string | null {
  const found = [mine, theirs, before].map(({ annotations }) => annotationOf(annotations, id)).find((one) => one)
  return found ? annotationName(found) : null
}

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

function clashOf(id: string, units: Versions<Units>, nameOf: (id: string) => string): Pick<Clash, 'gone' | 'rows'> {
  const ones = mapped(units, (some) => some.get(id))
  const texts = mapped(ones, (one) => textsOf(one, nameOf))
  const gone = ones.mine ? (ones.theirs ? null : 'theirs') : 'mine'
  // If one side removed the node, the rows show what the other side has changed since `before`.
  const [one, other] = gone === null ? [texts.mine, texts.theirs] : [texts.before, texts[otherOf(gone)]]
  const { content, name: named } = sidesOf(ones)
  // What only one side changed is kept without a choice, be it the name or all else.
  const isOpen = (name: string) => gone !== null || (name === nameRow ? named : content) === 'clash'
  const names = [...new Set([...one.keys(), ...other.keys()])].filter(
    (name) => isOpen(name) && one.get(name) !== other.get(name),
  )
  const textIn = (side: Side, name: string) => texts[side].get(name) ?? null
  return { gone, rows: names.map((name) => ({ name, mine: textIn('mine', name), theirs: textIn('theirs', name) })) }
}

/** The row of a node's own name, with spaces, so that no input can be called like it. */
const nameRow = 'name of the node'

/**
 * The members of a node as texts, by name: its own name, each param, each input, each other member, and `wires` for the edges into the
 * node, which begin at nodes as `nameOf` calls them.
 */
function textsOf(unit: Unit | undefined, nameOf: (id: string) => string): Map<string, string> {
  if (!unit) return new Map()
  const { node, name } = unit
  const members = isPlainObject(node) ? Object.entries(node) : [['value', node] as const]
  const wires = unit.wires.flatMap((raw) => {
    const edge = readEdge(raw)
    return edge ? [`${nameOf(edge.from.node)}.${edge.from.port} → ${edge.to.port}`] : []
  })
  return new Map([
    [nameRow, name] as const,
    ...members.flatMap(([name, value]) =>
      (name === 'params' || name === 'inputs') && isPlainObject(value)
        ? Object.entries(value).map(([member, one]) => [member, textOf(one)] as const)
        : [[name, textOf(value)] as const],
    ),
    ...(wires.length > 0 ? [['wires', wires.join('\n')] as const] : []),
  ])
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 1))
