// In charge of nodes that got other names, which are their ids, in one of two versions of a graph that are merged. It finds these nodes,
// gives each node the same id in all versions while they are merged, and decides which id it has in the merged graph. Pure.
import { isPlainObject } from '@atelier/contract/graph/definition.ts'
import { freeId } from '../canvas/clip.ts'
import { sameValue } from '../canvas/diff.ts'
import { rawEdges, rawNodes, readEdge } from '../canvas/doc.ts'
import type { Doc } from '../canvas/layout.ts'
import type { Names, Units, Versions } from './merge-parts.ts'
import { withIds } from './node-ids.ts'

/** `names`: the ids that nodes have in this version itself, by their common ids, where the two differ. */
export type NamedDoc = Doc & { names: Names }

const none: Names = new Map()

/**
 * The versions with common ids: a node of `before` has its id there in both sides, whatever it is called in them. A node that a side
 * has added under the former name of a renamed one gets an id that no node can have.
 */
export function withCommonIds(docs: Versions<Doc>): Versions<NamedDoc> {
  const { before } = docs
  const renamed = { mine: renamesIn(before, docs.mine), theirs: renamesIn(before, docs.theirs) }
  const mark = unusedMark(Object.values(docs))
  return {
    before: { ...before, names: none },
    mine: withCommon(docs.mine, renamed.mine, mark),
    theirs: withCommon(docs.theirs, renamed.theirs, mark),
  }
}

function withCommon(doc: Doc, renamed: Names, mark: string): NamedDoc {
  if (renamed.size === 0) return { ...doc, names: none }
  const common = new Map([...renamed].map(([former, id]) => [id, former]))
  for (const former of renamed.keys()) if (!common.has(former)) common.set(former, `${mark}${former}`)
  const nodes = rawNodes(doc.definition)
  // A position that was left over under the former name is not that of any node.
  const placed = Object.entries(doc.positions).filter(([id]) => Object.hasOwn(nodes, id) || !renamed.has(id))
  const moved = withIds({ ...doc, positions: Object.fromEntries(placed) }, common)
  return { ...moved, names: new Map([...common].map(([id, shared]) => [shared, id])) }
}

/** What no id begins with. Valid ids of nodes contain no slash, but others are kept as well. */
function unusedMark(docs: readonly Doc[]): string {
  let mark = 'new/'
  while (docs.some(({ definition }) => Object.keys(rawNodes(definition)).some((id) => id.startsWith(mark))))
    mark = `${mark}/`
  return mark
}

/**
 * The nodes of `before` that have another id in `after`, with this id. Neither version says so, and it is inferred: a node that is gone
 * and a new one are the same if they have the same type and lie exactly at the same place, as a new node never does by chance. So are
 * they if both say the same, and the new one has no place, because a script wrote it, or the same wires, of which there must be one: it
 * was renamed and moved. Where several nodes could be meant, none is.
 */
export function renamesIn(before: Doc, after: Doc): Names {
  const swapped = swapsIn(before, after)
  const reused = new Set(swapped.values())
  const [old, now] = [rawNodes(before.definition), rawNodes(after.definition)]
  /** Whether the node with this id in `before` may be the node with this id in `after`. */
  const stays = (id: string) => Object.hasOwn(old, id) && Object.hasOwn(now, id) && !swapped.has(id) && !reused.has(id)
  const gone = Object.keys(old).filter((id) => !stays(id) && !swapped.has(id))
  const come = Object.keys(now).filter((id) => !stays(id) && !reused.has(id))
  const placed = come.filter((id) => hasPlace(after, id))
  const found = pairs(
    gone,
    placed,
    (id) => placeKey(before, id),
    (id) => placeKey(after, id),
  )
  const alikeOf = (some: readonly string[]): Names => {
    const rest = gone.filter((id) => !found.has(id))
    if (some.length === 0 || rest.length === 0) return none
    return pairs(
      rest,
      some,
      (id) => valueKey(old[id]),
      (id) => valueKey(now[id]),
    )
  }
  const unplaced = alikeOf(come.filter((id) => !hasPlace(after, id)))
  const known = new Map([...swapped, ...found, ...unplaced])
  const taken = new Set(known.values())
  const moved = [...alikeOf(placed.filter((id) => !taken.has(id)))].filter(([former]) => !known.has(former))
  const hasSameWires = wiresCompared(before, after, new Map([...known, ...moved]))
  return new Map([...known, ...moved.filter(([former, id]) => hasSameWires(former, id))])
}

/**
 * Those nodes whose new id another node had in `before`, as where two nodes have swapped their names, or whose former id another node
 * has in `after`. An arranged graph also has nodes at the former places of others, so these have to say exactly what the renamed ones
 * said, or to have the same wires, of which there must be one. A node under the same id must not say what it said before.
 */
function swapsIn(before: Doc, after: Doc): Names {
  const [old, now] = [rawNodes(before.definition), rawNodes(after.definition)]
  const isAnother = (id: string) => placeKey(before, id) !== placeKey(after, id) && !sameValue(old[id], now[id])
  const left = Object.keys(old).filter((id) => !Object.hasOwn(now, id) || isAnother(id))
  const come = Object.keys(now).filter((id) => !Object.hasOwn(old, id) || isAnother(id))
  const found = pairs(
    left,
    come,
    (id) => placeKey(before, id),
    (id) => placeKey(after, id),
  )
  const hasSameWires = wiresCompared(before, after, found)
  return new Map(
    [...found].filter(([former, id]) => former !== id && (sameValue(old[former], now[id]) || hasSameWires(former, id))),
  )
}

/**
 * Returns a function that tells whether a node of `before` has the same wires as one of `after`, and at least one, if the nodes in
 * `assumed` have the ids there in `after`. The wires are looked through only once it is called.
 */
function wiresCompared(before: Doc, after: Doc, assumed: Names): (former: string, id: string) => boolean {
  const formerOf = new Map([...assumed].map(([former, id]) => [id, former]))
  // A node that has the former id of another one is none of `before`, and no text is like null.
  const inBefore = (id: string) => formerOf.get(id) ?? (assumed.has(id) ? null : id)
  let wires: { old: Wires; now: Wires } | null = null
  return (former, id) => {
    wires ??= { old: wiresOf(before, (one) => one), now: wiresOf(after, inBefore) }
    const [ones, others] = [wires.old.get(former) ?? [], wires.now.get(id) ?? []]
    return ones.length > 0 && sameValue(ones.toSorted(), others.toSorted())
  }
}

/** The wires that begin or end at each node, as texts. */
type Wires = ReadonlyMap<string, readonly string[]>

function wiresOf({ definition }: Doc, nameOf: (id: string) => string | null): Wires {
  const ends = rawEdges(definition).flatMap((raw) => {
    const edge = readEdge(raw)
    if (!edge) return []
    const { from, to } = edge
    const text = JSON.stringify([nameOf(from.node), from.port, nameOf(to.node), to.port])
    return [from.node, to.node].map((id) => ({ id, text }))
  })
  const grouped = Map.groupBy(ends, ({ id }) => id)
  return new Map([...grouped].map(([id, some]) => [id, some.map(({ text }) => text)]))
}

/** Those of `ones` and `others` that have the same key, if no further one of either has it. */
function pairs(
  ones: readonly string[],
  others: readonly string[],
  keyOfOne: (id: string) => string | null,
  keyOfOther: (id: string) => string | null,
): Names {
  const among = Map.groupBy(others, keyOfOther)
  const found = [...Map.groupBy(ones, keyOfOne)].flatMap(([key, [one, ...more]]) => {
    const [other, ...further] = among.get(key) ?? []
    const isClear = key !== null && more.length + further.length === 0
    return isClear && one !== undefined && other !== undefined ? [[one, other] as const] : []
  })
  return new Map(found)
}

const hasPlace = ({ positions }: Doc, id: string): boolean => Object.hasOwn(positions, id)

/** The type of a node and where it lies; null if it has no type or no place. */
function placeKey({ definition, positions }: Doc, id: string): string | null {
  const node = rawNodes(definition)[id]
  const at = Object.hasOwn(positions, id) ? positions[id] : undefined
  return at && isPlainObject(node) && typeof node.type === 'string' ? JSON.stringify([node.type, at.x, at.y]) : null
}

/** All that a node says, in one order of its members: a script or the database may have written them in another. */
const valueKey = (node: unknown): string | null => (isPlainObject(node) ? JSON.stringify(node, inOrder) : null)
const inOrder = (_name: string, value: unknown): unknown =>
  isPlainObject(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
    : value

/**
 * The ids of the merged graph's nodes by their common ids. Each gets the name that its unit has. Where two want the same, as a node
 * that one side gave the name of a node which the other has added, the one that `theirs` calls so keeps it, because it is
 * stored under this name already; the other gets a number.
 */
export function finalIds(kept: Units, theirs: Units): Names {
  const isTheirs = ([id, { name }]: readonly [string, { name: string }]) => theirs.get(id)?.name === name
  const ids = new Map([...kept].filter(isTheirs).map(([id, { name }]) => [id, name]))
  const taken = new Set(ids.values())
  const wanted = new Set([...kept.values()].map(({ name }) => name))
  for (const [id, { name }] of kept) {
    if (ids.has(id)) continue
    const free = taken.has(name) ? freeId(name, new Set([...taken, ...wanted])) : name
    ids.set(id, free)
    taken.add(free)
  }
  return ids
}

/** The merged document with the ids of its nodes in place of the common ones. */
export function withFinalIds(doc: Doc, ids: Names, { mine, theirs }: Versions<NamedDoc>): Doc {
  const named = new Map([...mine.names, ...theirs.names, ...ids].filter(([common, id]) => common !== id))
  if (named.size === 0) return doc
  const taken = new Set(ids.values())
  // The place of a node that was removed must not become that of a node which has its name now.
  const placed = Object.entries(doc.positions).filter(([id]) => ids.has(id) || !taken.has(named.get(id) ?? id))
  return withIds({ ...doc, positions: Object.fromEntries(placed) }, named)
}
