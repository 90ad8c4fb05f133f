// In charge of the state of an open editor: the document with its undo steps, the selection, the issues, and saving.
import type { Definition, GraphEdge } from '@atelier/contract/graph/definition.ts'
import { edgeName } from '@atelier/contract/graph/edge-rules.ts'
import { definitionIssues, type NodeTypes, readDefinition } from '@atelier/contract/graph/graph-rules.ts'
import { useReactFlow } from '@xyflow/react'
import { useCallback, useDeferredValue, useEffect, useMemo, useReducer, useRef, useState } from 'react'
import { keptAround } from '../canvas/annotations.ts'
import { arranged, withPlaces } from '../canvas/arrange.ts'
import { nothingSelected, onlyNode, type Selection, type Spot } from '../canvas/canvas.tsx'
import { type CardView, cardHeight, cardViews, measure, sizeIn } from '../canvas/cards.ts'
import { type Clip, freed, newNode } from '../canvas/clip.ts'
import { type Joining, joiningOf } from '../canvas/connecting.ts'
import { type Point, type Positions, type Raw, rawNodes } from '../canvas/doc.ts'
import { type Doc, docOf, layoutOf, readViewport, type Viewport } from '../canvas/layout.ts'
import { freePlace } from '../canvas/places.ts'
import { thenCanvas } from '../canvas/use-canvas-focus.ts'
import { useFit } from '../canvas/use-fit.ts'
import { useStable } from '../lib/use-stable.ts'
import { tellOffer } from '../ui/toasts.tsx'
import { itemCounts } from './counts.ts'
import { begin, type Edit, type EditState, edit, isUpdate, nameNow } from './edit.ts'
import { byNode, issuesOf } from './issues.ts'
import { type Fitting, fittingOf } from './quick-types.ts'
import { reveal } from './reveal.ts'
import { keptUnread, unreadIssues } from './unread-json.ts'
import { useAnnotations } from './use-annotations.ts'
import { type Patch, useAutosave } from './use-autosave.ts'
import { useCopies } from './use-copies.ts'
import { useEditorUploads } from './use-editor-uploads.ts'
import type { Role } from './use-role.ts'
import { useUnreadJson, useUnreadKey } from './use-unread-json.ts'

/** The document that the editor opens: a graph, or the definition of a run. */
export type Source = {
  definition: Raw
  uiState: Raw
  etag: string | null
  /** The reason why nothing can be changed; null if changes are possible. */
  readOnly: string | null
  role: Role
  save: (patch: Patch, etag: string | null) => Promise<{ etag: string | null }>
}

export type Editor = ReturnType<typeof useEditor>

export function useEditor(source: Source, types: NodeTypes) {
  const [opened] = useState(() => {
    const definition = readDefinition(source.definition)
    const views = cardViews(definition, types)
    const read = docOf({ definition: source.definition, ui_state: source.uiState })
    const doc = { ...read, positions: withPlaces(definition, read.positions, sizeIn(views)) }
    return { doc, raw: source.definition, types, definition, views }
  })
  const key = useUnreadKey()
  const [state, make] = useReducer(edit, null, () => begin(opened.doc, keptUnread(key)))
  const { doc } = state
  const [selected, setSelection] = useState<Selection>(nothingSelected)
  const definition = useMemo(
    () => (doc.definition === opened.raw ? opened.definition : readDefinition(doc.definition)),
    [doc.definition, opened],
  )
  const views = useStableViews(
    useMemo(() => {
      const isAsOpened = definition === opened.definition && types === opened.types
      return isAsOpened ? opened.views : cardViews(definition, types)
    }, [definition, types, opened]),
  )
  const selection = useMemo(
    () => stillThere(selected, (id) => views.has(id) || Object.hasOwn(doc.annotations, id), definition.edges),
    [selected, views, doc.annotations, definition.edges],
  )
  const positions = useMemo(
    () => withPlaces(definition, doc.positions, sizeIn(views)),
    [definition, doc.positions, views],
  )
  const deferred = useDeferredValue(doc.definition)
  const paused = usePaused(doc.definition)
  const checked = views.size > many ? paused : deferred
  const issues = useMemo(
    () => [
      ...(source.readOnly === null ? unreadIssues(state.unread, definition, types) : []),
      ...(checked === null ? [] : issuesOf(definitionIssues(checked, types), checked, types)),
    ],
    [state.unread, definition, checked, types, source.readOnly],
  )
  const perNode = useMemo(() => byNode(issues), [issues])
  const issueCount = useCallback((id: string) => perNode.get(id)?.length ?? 0, [perNode])
  const counts = useMemo(() => itemCounts(definition), [definition])
  const labelOf = useCallback(
    ({ to }: GraphEdge) => {
      if (!definition.nodes[to.node]?.each.includes(to.port)) return null
      const count = counts.get(to.node) ?? null
      return count === null ? 'for each' : `× ${count}`
    },
    [definition, counts],
  )
  const viewport = useRef<Viewport | null>(readViewport(source.uiState))
  const autosave = useAutosave({
    doc,
    uiState: source.uiState,
    ...{ etag: source.etag, role: source.role },
    viewport: () => viewport.current,
    save: source.readOnly === null ? source.save : null,
  })
  const uploads = useEditorUploads()
  const dispatch = useDispatch(make, { state, readOnly: source.readOnly, isOpen: autosave.isOpen })
  const unread = useUnreadJson({ key, texts: state.unread, dispatch, definition, types, readOnly: source.readOnly })
  const shared = { dispatch, doc, definition, types, views, positions, selection, setSelection }
  const annotating = useAnnotations(shared)
  const base = { ...shared, ...annotating }
  return {
    ...{ ...base, state, issues, perNode, issueCount, labelOf, viewport, autosave },
    ...useEdits(base),
    ...useShowing(base),
    ...{ uploads, unread, readOnly: source.readOnly },
    /**
     * Waits for the uploads, and saves all changes made so far; returns whether everything is saved. Throws as the uploads do, also
     * if `left` is aborted while it waits for them.
     */
    saveAll: useStable(async (left?: AbortSignal) => {
      await uploads.waitUntilDone(left)
      return autosave.flush()
    }),
    /** What the editor has now, as a graph of its own, also for a caller that has waited since it was drawn. */
    asGraph: useStable(() => ({
      definition: { ...doc.definition },
      ui_state: layoutOf({ ...doc, positions }, {}),
    })),
  }
}

/**
 * Returns a function that makes a change by `make`. For an `Update`, which is sent some time after its form was drawn, the function
 * throws an error if the change can no longer be made, so that the sender can tell the user.
 */
function useDispatch(
  make: (change: Edit) => void,
  now: { state: EditState; readOnly: string | null; isOpen: () => boolean },
): (change: Edit) => void {
  const latest = useRef(now)
  latest.current = now
  return useCallback((change: Edit) => {
    if (change.type === 'value' && isUpdate(change.value)) {
      const { state, readOnly, isOpen } = latest.current
      if (!isOpen()) throw new Error('The editor has been left since.')
      if (readOnly !== null) throw new Error(readOnly)
      if (nameNow(state, change.id) === null) throw new Error(`The node “${change.id}” has been removed since.`)
    }
    make(change)
  }, [])
}

/** In a graph with more nodes than this, issues are computed only when the user pauses in editing, because that takes long. */
const many = 300

/** Returns the latest value that has stayed unchanged for 300 ms; null while there was no such value yet. */
function usePaused<T>(value: T): T | null {
  const [paused, setPaused] = useState<T | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(value), 300)
    return () => clearTimeout(timer)
  }, [value])
  return paused
}

/** The selection without what no longer exists, which would otherwise be counted among the selected elements. */
function stillThere(selection: Selection, isThere: (id: string) => boolean, edges: readonly GraphEdge[]): Selection {
  const nodes = [...selection.nodes].filter(isThere)
  const names = selection.edges.size === 0 ? [] : edges.map(edgeName).filter((name) => selection.edges.has(name))
  const kept = { nodes: new Set(nodes), edges: new Set(names) }
  const isSame = kept.nodes.size === selection.nodes.size && kept.edges.size === selection.edges.size
  return isSame ? selection : kept
}

type Base = {
  dispatch: (change: Edit) => void
  doc: Doc
  definition: Definition
  types: NodeTypes
  views: ReadonlyMap<string, CardView>
  positions: Positions
  selection: Selection
  setSelection: (selection: Selection) => void
} & ReturnType<typeof useAnnotations>

/** The pixels beside a new node that are shown with it, for drawing the next wire. */
const roomForWire = 180

/** The actions that change the document. */
function useEdits(base: Base) {
  const { dispatch, doc, definition, types, positions, selection, setSelection, boxes } = base
  const flow = useReactFlow()
  const joinOf = useCallback((edge: GraphEdge) => joiningOf(definition, types, edge), [definition, types])
  const problemOf = useCallback((edge: GraphEdge) => joinOf(edge).problem, [joinOf])
  /** Adds edges, and says that they take the place of `replaced`, if so; the message offers to take back just that. */
  const joinBy = useCallback(
    (change: Extract<Edit, { type: 'add' | 'connect' }>, [replaced]: readonly GraphEdge[]) => {
      dispatch(change)
      if (!replaced) return
      const after = edit(begin(doc), change).doc
      const act = thenCanvas(() => dispatch({ type: 'join', doc, before: after }))
      tellOffer(`Replaced the edge from “${replaced.from.port}” of “${replaced.from.node}”.`, { label: 'Undo', act })
    },
    [doc],
  )
  /** Adds a node with its edges near the position `wish`, and shows it. `without`: the names of the edges to remove. */
  const addFitting = useCallback(
    ({ type, joins }: Fitting, wish: Point, without: readonly string[] = []) => {
      const fresh = freed(newNode(type, origin), rawNodes(doc.definition), origin)
      const [id = ''] = Object.keys(fresh.nodes)
      const size = { width: measure.width, height: cardHeight(viewOf(fresh, id, types), 'try') }
      const taken = [...boxes.values()].flatMap(({ box, isFrame }) => (isFrame ? [] : [box]))
      const place = freePlace(wish, size, taken)
      const replaced = joins.flatMap(({ replaces = [] }) => replaces)
      joinBy({ type: 'add', clip: { ...fresh, positions: { [id]: place } }, joins, without }, replaced)
      setSelection(onlyNode(id))
      reveal(flow, { ...place, ...size }, roomForWire)
    },
    [doc.definition, types, boxes, flow, joinBy],
  )
  /**
   * Adds a node of the type `name`: at `at`, or else beside the only selected node or in the middle of the canvas. `wire`: the edge
   * under the pointer, into which the node is inserted if it fits there; null if there is none.
   */
  const addType = useCallback(
    (name: string, at?: Point, wire: GraphEdge | null = null) => {
      const type = types.get(name)
      if (!type) return
      const [only, ...others] = selection.nodes
      const beside = only !== undefined && others.length === 0 ? positions[only] : undefined
      const place = at ?? (beside ? { x: beside.x + measure.width + 88, y: beside.y } : middleOf(flow))
      const cut = wire && fittingOf(definition, types, type, { kind: 'wire', edge: wire })
      const alone = cut ?? fittingOf(definition, types, type, { kind: 'place' })
      if (alone) addFitting(alone, place, cut && wire ? [edgeName(wire)] : [])
    },
    [types, definition, selection.nodes, positions, addFitting, flow],
  )
  /** Adds an edge. `instead`: an edge that it takes the place of, because the user has dragged an end of that edge. */
  const connect = useCallback(
    (edge: GraphEdge, instead?: GraphEdge) => {
      const edges = definition.edges.filter((one) => one !== instead)
      const joining = joiningOf({ ...definition, edges }, types, edge)
      const replaces = [...(instead ? [instead] : []), ...joining.replaces]
      joinBy({ type: 'connect', edge, each: joining.each, replaces }, joining.replaces)
      tellJoined(edge, joining, dispatch)
    },
    [definition, types, joinBy],
  )
  const remove = useCallback(() => {
    dispatch({ type: 'remove', ids: [...selection.nodes], edges: [...selection.edges] })
    setSelection(nothingSelected)
  }, [selection])
  const removeAll = useCallback((ids: readonly string[]) => {
    dispatch({ type: 'remove', ids, edges: [] })
    setSelection(nothingSelected)
  }, [])
  return { ...useCopies(base), removeAll, joinOf, problemOf, addType, addFitting, connect, remove }
}

/**
 * Says of an edge that was added what cannot be seen: that a run would fail at it, or, if it brings a list, how the node uses the list.
 * The message offers to switch to the other way or, if there is none, to remove the edge.
 */
function tellJoined(edge: GraphEdge, { each, isChoice, misfit }: Joining, dispatch: Base['dispatch']): void {
  const { node: id, port } = edge.to
  const turn = (on: boolean) => thenCanvas(() => dispatch({ type: 'each', id, port, on }))
  const removing = {
    label: 'Remove the edge',
    act: thenCanvas(() => dispatch({ type: 'remove', ids: [], edges: [edgeName(edge)] })),
  }
  if (misfit !== null) {
    tellOffer(`“${edge.from.port}” does not go with “${port}” of “${id}”: ${misfit}.`, removing)
  } else if (each) {
    const other = isChoice ? { label: 'Give it the whole list', act: turn(false) } : removing
    tellOffer(`“${edge.from.port}” is a list: “${id}” runs once for each element.`, other)
  } else if (isChoice) {
    const other = { label: 'Run it once for each', act: turn(true) }
    tellOffer(`“${edge.from.port}” is a list, and “${id}” gets the whole of it.`, other)
  }
}

/** The actions that move the canvas or arrange the nodes. */
function useShowing({ dispatch, doc, definition, views, boxes, held, setSelection }: Base) {
  const flow = useReactFlow()
  const fit = useFit()
  const arrange = useCallback(() => {
    const positions = arranged(definition, sizeIn(views))
    const annotations = keptAround(doc.annotations, { boxes, held, positions })
    dispatch({ type: 'arrange', positions, annotations })
    requestAnimationFrame(() => fit({ padding: 0.16, duration: 200 }))
  }, [definition, doc.annotations, boxes, held, views, fit])
  const show = useCallback(
    (id: string) => {
      setSelection(onlyNode(id))
      const box = boxes.get(id)?.box
      if (!box) return
      const { zoom } = flow.getViewport()
      const view = views.get(id)
      const height = view ? cardHeight(view, 'edit') : box.height
      const middle = { x: box.x + box.width / 2, y: box.y + height / 2 }
      void flow.setCenter(middle.x, middle.y, { zoom: Math.max(0.7, zoom), duration: 160 })
    },
    [boxes, views, flow],
  )
  /** For narrow screens, where a panel covers the lower part of the canvas: moves the top of the node above the panel. */
  const showAbove = useCallback(
    (id: string) => {
      const at = boxes.get(id)?.box
      const frame = document.querySelector('.canvas')?.getBoundingClientRect()
      if (!at || !frame) return
      const { zoom } = flow.getViewport()
      const top = Math.max(12, (frame.height * (1 - sheetShare)) / 2 - 90 * zoom)
      const middle = at.y + (frame.height / 2 - top) / zoom
      void flow.setCenter(at.x + at.width / 2, middle, { zoom, duration: 160 })
    },
    [boxes, flow],
  )
  /** The position, to the right of this node, for a new node that is connected to it; null if this node does not exist. */
  const spotOf = useCallback(
    (id: string): Spot | null => {
      const at = boxes.get(id)?.box
      if (!at) return null
      const place = { x: at.x + at.width + 88, y: at.y + measure.head }
      return { at: place, ...flow.flowToScreenPosition(place) }
    },
    [boxes, flow],
  )
  return { arrange, show, showAbove, spotOf }
}

/** The share of the canvas height that the panel covers at most on a narrow screen, as `max-height` in `panels.css` states it. */
const sheetShare = 0.62

/** Returns the views, with the earlier object for each view whose content has not changed, so that its card is not drawn again. */
function useStableViews(views: ReadonlyMap<string, CardView>): ReadonlyMap<string, CardView> {
  const kept = useRef<ReadonlyMap<string, CardView>>(new Map())
  return useMemo(() => {
    const stable = [...views].map(([id, view]) => {
      const before = kept.current.get(id)
      return [id, before && saysTheSame(before, view) ? before : view] as const
    })
    kept.current = new Map(stable)
    return kept.current
  }, [views])
}

const texts = new WeakMap<CardView, string>()

function textOf(view: CardView): string {
  const text = texts.get(view) ?? JSON.stringify({ ...view, info: null })
  texts.set(view, text)
  return text
}

const saysTheSame = (one: CardView, other: CardView): boolean =>
  one === other || (one.info === other.info && textOf(one) === textOf(other))

function middleOf(flow: ReturnType<typeof useReactFlow>): Point {
  const frame = document.querySelector('.canvas')?.getBoundingClientRect()
  if (!frame) return { x: 0, y: 0 }
  const at = flow.screenToFlowPosition({ x: frame.left + frame.width / 2, y: frame.top + frame.height / 2 })
  return { x: Math.round(at.x - measure.width / 2), y: Math.round(at.y - 60) }
}

const origin: Point = { x: 0, y: 0 }

function viewOf(clip: Clip, id: string, types: NodeTypes): CardView {
  const view = cardViews(readDefinition({ nodes: clip.nodes }), types).get(id)
  if (!view) throw new Error(`There is no node “${id}” in what is to be added.`)
  return view
}
