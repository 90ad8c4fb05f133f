// In charge of all changes that the editor can make to a graph, and of undoing them. Parts of a definition that cannot be parsed
// are kept until a user removes them. So are texts in fields for JSON, which go and come back with their nodes. Pure.
import { type GraphEdge, isPlainObject } from '@atelier/contract/graph/definition.ts'
import { edgeName } from '@atelier/contract/graph/edge-rules.ts'
import { type AnnotationChange, type Annotations, annotationOf } from '../canvas/annotations.ts'
import { type Clip, placed } from '../canvas/clip.ts'
import { eachOf, membersOf, type Positions, type Raw, rawEdges, rawNodes, readEdge, withParts } from '../canvas/doc.ts'
import type { Doc } from '../canvas/layout.ts'
import { merged } from './merge.ts'
import { withIds } from './node-ids.ts'
import { withoutUnfedEach } from './unfed-each.ts'
import { type Place, textsOfNodes, withNames as textsWithNames, type UnreadText, withText } from './unread-json.ts'

export type Edit =
  /** `joins`: edges that connect the new nodes to existing nodes; `without`: the names of the edges into which they are inserted. */
  | { type: 'add'; clip: Clip; joins?: readonly Join[]; without?: readonly string[] }
  | { type: 'remove'; ids: readonly string[]; edges: readonly string[] }
  | ({ type: 'connect' } & Join)
  /**
   * `value` may be an `Update`. `isTyped`: the user is typing in the field, so that the change joins the undo step of what was typed
   * there just before.
   */
  | { type: 'value'; id: string; member: 'params' | 'inputs'; name: string; value: unknown; isTyped?: boolean }
  /** A text was typed that is no value; null if there is no such text in the field any more. */
  | { type: 'unread'; place: Place; text: string | null }
  | { type: 'each'; id: string; port: string; on: boolean }
  | { type: 'rename'; id: string; to: string }
  | { type: 'retype'; id: string; to: { type: string; version: number } }
  /** The new positions by the ids of nodes, notes and frames. */
  | { type: 'move'; positions: Positions }
  | { type: 'annotate'; id: string; change: AnnotationChange; isTyped?: boolean }
  | { type: 'arrange'; positions: Positions; annotations: Annotations }
  /** The user has left the field, so that what is typed there next begins an undo step. */
  | { type: 'endStep' }
  | { type: 'undo' }
  | { type: 'redo' }
  /** `ids`: the new ids of nodes that have others in `doc`. */
  | { type: 'reset'; doc: Doc; ids: ReadonlyMap<string, string> }
  /** Replaces the document by `doc`, and the undo steps by a single one, which returns to `over`, where nodes have the new ids `ids`. */
  | { type: 'take'; doc: Doc; over: Doc; ids: ReadonlyMap<string, string> }
  /**
   * Adds the changes between `before` and `doc` to the document, as one undo step. Where the document itself has been changed since
   * `before` in the same place, `doc` is kept.
   */
  | { type: 'join'; doc: Doc; before: Doc }

/**
 * An edge to add. If `each` is true, it brings a list, and the node where it ends runs once for each element. It takes the place of
 * the edges `replaces`: if these brought a list and it does not, the node does not run once for each element any more.
 */
export type Join = { edge: GraphEdge; each?: boolean; replaces?: readonly GraphEdge[] }

/**
 * Computes a new value from the one that the document has when the change is made. For changes that are made some time after the form
 * was drawn, as at the end of an upload: the value that the form showed may be outdated by then. Must be pure. Values themselves are
 * JSON, and never functions.
 */
export type Update = (before: unknown) => unknown

export const isUpdate = (value: unknown): value is Update => typeof value === 'function'

/** What an undo brings back. `unread`: the texts that cannot be read as JSON yet, each of a node in `doc`. */
type Content = { doc: Doc; unread: readonly UnreadText[] }

/**
 * `mark` names the field in which the user is typing. What is typed next in this field joins the same undo step, so that Undo does
 * not remove a typed word letter by letter. Null: the next change begins a new undo step in any case. `names` has the new name of
 * each node that was renamed, by its old name.
 */
export type EditState = Content & {
  past: readonly Content[]
  future: readonly Content[]
  mark: string | null
  names: ReadonlyMap<string, string>
}

const steps = 200

export const begin = (doc: Doc, unread: readonly UnreadText[] = []): EditState => ({
  ...contentOf(doc, unread),
  ...{ past: [], future: [], mark: null, names: new Map() },
})

/** Drops the texts of nodes that are not in `doc`: they would appear in a new node that gets the same name. */
const contentOf = (doc: Doc, unread: readonly UnreadText[]): Content => ({
  doc,
  unread: textsOfNodes(unread, rawNodes(doc.definition)),
})

export function edit(state: EditState, change: Edit): EditState {
  switch (change.type) {
    case 'undo':
      return undone(state)
    case 'redo':
      return redone(state)
    case 'endStep':
      return state.mark === null ? state : { ...state, mark: null }
    case 'reset':
      return begunWith(state, change.doc, change.ids)
    case 'take': {
      const begun = begunWith(state, change.doc, change.ids)
      return { ...begun, past: [contentOf(change.over, textsWithNames(state.unread, change.ids))] }
    }
    case 'join':
      return changed(state, merged({ before: change.before, mine: change.doc, theirs: state.doc }, new Map()), null)
    case 'rename': {
      const doc = renamed(state.doc, change.id, change.to)
      if (doc === state.doc) return state
      const unread = textsWithNames(state.unread, new Map([[change.id, change.to]]))
      return { ...done(state, { doc, unread }, null), names: withName(state.names, change.id, change.to) }
    }
    case 'unread': {
      const { node, member, name } = change.place
      const unread = withText(state.unread, change.place, change.text)
      return unread === state.unread ? state : done(state, { doc: state.doc, unread }, markOf(node, member, name))
    }
    case 'value': {
      const followed = { ...change, id: nameNow(state, change.id) ?? change.id }
      const mark = change.isTyped ? markOf(followed.id, change.member, change.name) : null
      return changed(state, applied(state.doc, followed), mark)
    }
    case 'annotate': {
      const mark = change.isTyped ? markOf(change.id, ...Object.keys(change.change)) : null
      return changed(state, applied(state.doc, change), mark)
    }
    default:
      return changed(state, applied(state.doc, change), null)
  }
}

/** The present name of the node that is or was called `id`; null if the document does not have the node any more. */
export function nameNow({ doc, names }: EditState, id: string): string | null {
  const nodes = rawNodes(doc.definition)
  let name: string | undefined = id
  while (name !== undefined && !Object.hasOwn(nodes, name)) name = names.get(name)
  return name ?? null
}

/** Notes the new name of a node that was renamed. */
function withName(before: EditState['names'], id: string, to: string): EditState['names'] {
  const names = new Map(before).set(id, to)
  // `to` is in use again. If it stayed among the old names too, following the names could go round in a circle.
  names.delete(to)
  return names
}

/** Begins with another document, in which nodes may have new ids: what is still typed or uploaded for them follows. */
const begunWith = (state: EditState, doc: Doc, ids: ReadonlyMap<string, string>): EditState => ({
  ...begin(doc, textsWithNames(state.unread, ids)),
  names: [...ids].reduce((names, [id, to]) => withName(names, id, to), state.names),
})

type Change = Exclude<Edit, { type: 'undo' | 'redo' | 'endStep' | 'reset' | 'take' | 'join' | 'rename' | 'unread' }>

const markOf = (...parts: string[]): string => JSON.stringify(parts)

const changed = (state: EditState, doc: Doc, mark: string | null): EditState =>
  doc === state.doc ? state : done(state, contentOf(doc, state.unread), mark)

function done(state: EditState, content: Content, mark: string | null): EditState {
  if (mark !== null && mark === state.mark) return { ...state, ...content, future: [] }
  return { ...state, ...content, past: [...state.past.slice(1 - steps), nowOf(state)], future: [], mark }
}

const nowOf = ({ doc, unread }: EditState): Content => ({ doc, unread })

function undone(state: EditState): EditState {
  const content = state.past.at(-1)
  if (!content) return state
  return { ...state, ...content, past: state.past.slice(0, -1), future: [nowOf(state), ...state.future], mark: null }
}

function redone(state: EditState): EditState {
  const [content, ...future] = state.future
  if (!content) return state
  return { ...state, ...content, past: [...state.past, nowOf(state)], future, mark: null }
}

function applied(doc: Doc, change: Change): Doc {
  switch (change.type) {
    case 'add':
      return tidied(added(doc, change), doc)
    case 'remove':
      return tidied(removed(doc, new Set(change.ids), new Set(change.edges)), doc)
    case 'connect':
      return connected(doc, change)
    case 'value':
      return withNode(doc, change.id, (node) => withValue(node, change.member, change.name, change.value))
    case 'each':
      return withNode(doc, change.id, (node) => withEach(node, change.port, change.on))
    case 'retype':
      return withNode(doc, change.id, (node) => ({ ...node, ...change.to }))
    case 'move':
      return moved(doc, change.positions)
    case 'annotate':
      return annotated(doc, change.id, change.change)
    case 'arrange':
      return { ...doc, positions: { ...doc.positions, ...change.positions }, annotations: change.annotations }
  }
}

/** Takes the ports out of `each` whose edges were removed, as in a node that would otherwise still wait for a list. */
const tidied = (after: Doc, before: Doc): Doc => {
  const definition = withoutUnfedEach(after.definition, before.definition)
  return definition === after.definition ? after : { ...after, definition }
}

function moved(doc: Doc, places: Positions): Doc {
  const isAnnotation = ([id]: readonly [string, unknown]) => Object.hasOwn(doc.annotations, id)
  const of = Object.groupBy(Object.entries(places), (entry) => (isAnnotation(entry) ? 'annotations' : 'nodes'))
  const shifted = (of.annotations ?? []).flatMap(([id, at]) => {
    const before = annotationOf(doc.annotations, id)
    return before ? [[id, { ...before, ...at }] as const] : []
  })
  return {
    ...doc,
    // If only notes and frames were moved, `positions` stays the same object, so that code which compares it sees no moved node.
    ...(of.nodes ? { positions: { ...doc.positions, ...Object.fromEntries(of.nodes) } } : {}),
    ...(shifted.length > 0 ? { annotations: { ...doc.annotations, ...Object.fromEntries(shifted) } } : {}),
  }
}

function annotated(doc: Doc, id: string, change: AnnotationChange): Doc {
  const before = annotationOf(doc.annotations, id)
  return before ? { ...doc, annotations: { ...doc.annotations, [id]: { ...before, ...change } } } : doc
}

function added(doc: Doc, { clip, joins = [], without = [] }: Extract<Change, { type: 'add' }>): Doc {
  const cut = without.length === 0 ? doc : removed(doc, new Set(), new Set(without))
  return joins.reduce(connected, placed(cut, clip))
}

function withNode(doc: Doc, id: string, change: (node: Raw) => Raw): Doc {
  const nodes = rawNodes(doc.definition)
  const node = nodes[id]
  if (!isPlainObject(node)) return doc
  return { ...doc, definition: withParts(doc.definition, { nodes: { ...nodes, [id]: change(node) } }) }
}

/**
 * The node with a value for one of its params or inputs; `undefined` removes the value, so that the default applies. So does an empty
 * text at an input: a field that was emptied gives nothing. At a param it is a value, such as the proportions of the model’s own.
 */
function withValue(node: Raw, member: 'params' | 'inputs', name: string, given: unknown): Raw {
  const { [name]: before, ...others } = membersOf(node, member)
  const next = isUpdate(given) ? given(before) : given
  const value = member === 'inputs' && next === '' ? undefined : next
  return { ...node, [member]: value === undefined ? others : { ...membersOf(node, member), [name]: value } }
}

function withEach(node: Raw, port: string, on: boolean): Raw {
  const others = eachOf(node).filter((name) => name !== port)
  return { ...node, each: on ? [...others, port] : others }
}

/** Removes nodes, notes, frames and edges. The edges of a removed node are removed too; the content of a removed frame is kept. */
function removed(given: Doc, ids: ReadonlySet<string>, edges: ReadonlySet<string>): Doc {
  const kept = Object.entries(given.annotations).filter(([id]) => !ids.has(id))
  const isKept = kept.length === Object.keys(given.annotations).length
  const doc = isKept ? given : { ...given, annotations: Object.fromEntries(kept) }
  const nodes = rawNodes(doc.definition)
  const keptNodes = Object.fromEntries(Object.entries(nodes).filter(([id]) => !ids.has(id)))
  const keptEdges = rawEdges(doc.definition).filter((raw) => {
    const edge = readEdge(raw)
    return !edge || !(ids.has(edge.from.node) || ids.has(edge.to.node) || edges.has(edgeName(edge)))
  })
  const isSame =
    Object.keys(keptNodes).length === Object.keys(nodes).length && keptEdges.length === rawEdges(doc.definition).length
  if (isSame) return doc
  const positions = Object.fromEntries(Object.entries(doc.positions).filter(([id]) => !ids.has(id)))
  return { ...doc, positions, definition: withParts(doc.definition, { nodes: keptNodes, edges: keptEdges }) }
}

/** Adds an edge. A value that was entered for the input where the edge ends is removed, because the edge replaces it. */
function connected(doc: Doc, { edge, each = false, replaces = [] }: Join): Doc {
  const { node, port } = edge.to
  const cut = tidied(removed(doc, new Set(), new Set(replaces.map(edgeName))), doc)
  const joined = { ...cut, definition: withParts(cut.definition, { edges: [...rawEdges(cut.definition), edge] }) }
  const sink = rawNodes(joined.definition)[node]
  const hasValue = Object.hasOwn(membersOf(sink, 'inputs'), port)
  if (!hasValue && !each) return joined
  return withNode(joined, node, (before) => {
    const fed = hasValue ? withValue(before, 'inputs', port, undefined) : before
    return each ? withEach(fed, port, true) : fed
  })
}

/** Gives a node another id, unless another node has this id already. */
function renamed(doc: Doc, id: string, to: string): Doc {
  const nodes = rawNodes(doc.definition)
  if (id === to || !Object.hasOwn(nodes, id) || Object.hasOwn(nodes, to)) return doc
  return withIds(doc, new Map([[id, to]]))
}
