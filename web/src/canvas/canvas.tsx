// In charge of the canvas on which the editor and the page of a run draw a graph: users select, move and connect nodes here.
import type { GraphEdge } from '@atelier/contract/graph/definition.ts'
import { edgeName } from '@atelier/contract/graph/edge-rules.ts'
import {
  Background,
  BackgroundVariant,
  type Connection,
  type EdgeChange,
  type NodeChange,
  ReactFlow,
  useStore as useFlowStore,
  useReactFlow,
} from '@xyflow/react'
import '@xyflow/react/dist/base.css'
import { type DragEvent, type ReactNode, useCallback, useMemo, useRef, useState } from 'react'
import { FrameCard, NoteCard } from './annotation-card.tsx'
import { annotationNodes, type CanvasNode } from './annotation-nodes.ts'
import { type Annotations, annotationOf } from './annotations.ts'
import type { RunBrief } from './briefs.ts'
import './canvas.css'
import './hues.css'
import { CanvasContext } from './canvas-context.ts'
import { type CardNode, createNodeList, type WireEdge, wiresOf } from './canvas-nodes.ts'
import { type CardMode, type CardView, newPort } from './cards.ts'
import { type End, edgeBetween, edgeToNode, type Joining, named } from './connecting.ts'
import type { Point, Positions } from './doc.ts'
import { leastZoom } from './in-view.ts'
import type { Viewport } from './layout.ts'
import { NodeCard } from './node-card.tsx'
import type { Box } from './places.ts'
import { SmallMap } from './small-map.tsx'
import { useKeepInView } from './use-keep-in-view.ts'
import { type Carried, useMoves } from './use-moves.ts'
import { BoxesContext, Wire } from './wire.tsx'
import { WireLine } from './wire-line.tsx'
import { ZoomTools } from './zoom-tools.tsx'

/** The selected elements: the ids of nodes, notes and frames in `nodes`, and the names of edges in `edges`. */
export type Selection = { nodes: ReadonlySet<string>; edges: ReadonlySet<string> }
export const nothingSelected: Selection = { nodes: new Set(), edges: new Set() }
export const onlyNode = (id: string): Selection => ({ nodes: new Set([id]), edges: new Set() })

/** A position on the canvas (`at`), and the same position in the browser window (`x`, `y`). */
export type Spot = { at: Point; x: number; y: number }
export type MenuSubject = { kind: 'node'; id: string } | { kind: 'wire'; edge: GraphEdge } | { kind: 'canvas' }

export type CanvasProps = {
  mode: CardMode
  views: ReadonlyMap<string, CardView>
  positions: Positions
  edges: readonly GraphEdge[]
  annotations: Annotations
  selection: Selection
  onSelect: (selection: Selection) => void
  issueCount?: (id: string) => number
  briefOf?: (id: string) => RunBrief | null
  markOf?: (id: string) => string | null
  tone?: (edge: GraphEdge) => string
  /** Missing if the graph cannot be changed. */
  editing?: {
    move: (positions: Positions) => void
    resize: (id: string, box: Box) => void
    /** Returns the ids of everything inside a frame: all of it moves together with the frame. */
    held: (frame: string) => readonly string[]
    /** Called when a user wants to edit the text of a note or a frame. */
    write: (id: string) => void
    /** `instead`: the edge of which one end was moved, so that it became this one. */
    connect: (edge: GraphEdge, instead?: GraphEdge) => void
    joinOf: (edge: GraphEdge) => Joining
    refused: (why: string) => void
    /** Called when a node type from the palette is dropped at `at`. `wire`: the edge under the pointer; null if there is none. */
    drop: (type: string, at: Point, wire: GraphEdge | null) => void
    /** Called when a new wire is dropped on an empty part of the canvas. */
    leave: (end: End, spot: Spot) => void
    /** Opens the menu for the canvas, a node or a wire. */
    menu: (about: MenuSubject, spot: Spot) => void
    search: (spot: Spot) => void
  }
  /** Returns the label of an edge; null if the edge has none. */
  labelOf?: (edge: GraphEdge) => string | null
  viewport: Viewport | null
  onViewport?: (viewport: Viewport) => void
  children?: ReactNode
}

const nodeTypes = { card: NodeCard, note: NoteCard, frame: FrameCard }
const edgeTypes = { wire: Wire }
const noLabel = () => null
const noTone = () => ''
const noJoin = (): Joining => ({ problem: null, each: false, isChoice: false, misfit: null, replaces: [] })
/** A graph with more nodes than this opens at its left end in a readable size, and only its visible part is drawn. */
const many = 120
/** The media type of the drag data when a node is dragged from the palette. */
export const dragType = 'application/x-atelier-node'

export function Canvas(props: CanvasProps) {
  const { mode, views, positions, edges, selection, onSelect, editing, viewport, onViewport, children } = props
  const flow = useReactFlow<CanvasNode, WireEdge>()
  useKeepInView(viewport === null && views.size <= many)
  const nodeList = useMemo(() => createNodeList(mode), [mode])
  const [dragged, setDragged] = useState<Positions | null>(null)
  const isFar = useFlowStore((store) => store.transform[2] < 0.5)
  const { issueCount, briefOf, markOf, tone = noTone, labelOf = noLabel } = props
  const cards = useMemo(() => {
    const given = [...views.values()].map((view) => ({
      view,
      at: dragged?.[view.id] ?? positions[view.id] ?? origin,
      selected: selection.nodes.has(view.id),
      issues: issueCount?.(view.id) ?? 0,
      brief: briefOf?.(view.id) ?? null,
      mark: markOf?.(view.id) ?? null,
    }))
    return nodeList(given)
  }, [nodeList, views, positions, dragged, selection.nodes, issueCount, briefOf, markOf])
  const isEditable = editing !== undefined
  const { others, resize } = useAnnotationNodes(props, dragged)
  const nodes = useMemo((): CanvasNode[] => [...others, ...cards], [others, cards])
  const wires = useMemo(
    () => wiresOf(edges, views, { selected: selection.edges, tone, labelOf }),
    [edges, views, selection.edges, tone, labelOf],
  )
  const boxes = useMemo(() => boxesOf(cards), [cards])
  const joinOf = editing?.joinOf ?? noJoin
  const tools = useMemo(() => ({ mode, joinOf, ...(isEditable ? { resize } : {}) }), [mode, joinOf, isEditable, resize])
  const moved = useMoves(editing?.move, setDragged, (id) => carriedBy(id, props))
  const onNodesChange = (changes: NodeChange<CanvasNode>[]) => {
    moved(changes)
    if (changes.some(({ type }) => type === 'select')) latest.current({ nodes: selectedBy(changes, selection.nodes) })
  }
  const onEdgesChange = (changes: EdgeChange<WireEdge>[]) => {
    if (changes.some(({ type }) => type === 'select')) latest.current({ edges: selectedBy(changes, selection.edges) })
  }
  const latest = useMergedSelect(selection, onSelect)
  const edgeOf = (connection: Connection | WireEdge): GraphEdge =>
    named(
      {
        from: { node: connection.source, port: connection.sourceHandle ?? '' },
        to: { node: connection.target, port: connection.targetHandle ?? '' },
      },
      views.get(connection.target),
      joinOf,
    )
  const { isMoved, onEnds } = useEnds((connection, before) => {
    const edge = edgeOf(connection)
    editing?.connect(edge, before)
    latest.current({ edges: new Set([edgeName(edge)]) })
  })
  const spotOf = (event: { clientX: number; clientY: number }): Spot => ({
    at: flow.screenToFlowPosition({ x: event.clientX, y: event.clientY }),
    ...{ x: event.clientX, y: event.clientY },
  })
  /**
   * Handles a new wire that was not dropped on a port. If the wire was dropped on another node, it is connected to a port of that
   * node that fits; if it was dropped on an empty part of the canvas, a menu offers nodes to add.
   */
  const endedAt = (end: End, point: { clientX: number; clientY: number }) => {
    const id = under(point, '.react-flow__node')?.getAttribute('data-id')
    const view = id === end.node ? undefined : views.get(id ?? '')
    if (!view) {
      const isCanvas = under(point, '.canvas') !== null && id === undefined
      return isCanvas ? editing?.leave(end, spotOf(point)) : undefined
    }
    const edge = edgeToNode(end, view, joinOf)
    if (edge) editing?.connect(edge)
    else editing?.refused(`Nothing of “${view.id}” goes with “${end.port}”.`)
  }
  const openMenu = (about: MenuSubject, event: { clientX: number; clientY: number; preventDefault: () => void }) => {
    event.preventDefault()
    editing?.menu(about, spotOf(event))
  }
  return (
    <CanvasContext value={tools}>
      <BoxesContext value={boxes}>
        <div className="canvas" data-far={isFar || undefined} data-mode={mode} data-editable={isEditable || undefined}>
          <ReactFlow<CanvasNode, WireEdge>
            {...focusStop}
            nodes={nodes}
            edges={wires}
            nodeTypes={nodeTypes}
            edgeTypes={edgeTypes}
            onNodesChange={onNodesChange}
            onEdgesChange={onEdgesChange}
            onConnect={(connection) => editing?.connect(edgeOf(connection))}
            isValidConnection={(connection) => joinOf(edgeOf(connection)).problem === null}
            onConnectEnd={(event, { isValid, fromHandle, toHandle }) => {
              // The end of an edge that is dropped where it cannot be goes back to its port.
              if (isValid === true || !fromHandle || !editing || isMoved.current) return
              const end: End = { node: fromHandle.nodeId, port: fromHandle.id ?? '', side: fromHandle.type }
              const point = 'changedTouches' in event ? event.changedTouches[0] : event
              if (!toHandle) return point && end.port !== newPort ? endedAt(end, point) : undefined
              const edge = edgeBetween(end, { node: toHandle.nodeId, port: toHandle.id ?? '', side: toHandle.type })
              const why = edge && joinOf(named(edge, views.get(edge.to.node), joinOf)).problem
              editing.refused(why ?? 'An edge leads from an output to an input.')
            }}
            connectionLineComponent={WireLine}
            connectionRadius={26}
            nodesDraggable={isEditable}
            nodesConnectable={isEditable}
            nodesFocusable={false}
            edgesFocusable={false}
            disableKeyboardA11y
            deleteKeyCode={null}
            selectionKeyCode="Shift"
            multiSelectionKeyCode={['Meta', 'Control', 'Shift']}
            onlyRenderVisibleElements={nodes.length > many}
            elevateNodesOnSelect={false}
            minZoom={leastZoom}
            maxZoom={1.75}
            {...(viewport ? { defaultViewport: viewport } : opening(views, positions))}
            {...(editing
              ? {
                  zoomOnDoubleClick: false,
                  onDoubleClick: (event) => {
                    if (event.target instanceof Element && event.target.closest('.react-flow__pane'))
                      editing.search(spotOf(event))
                  },
                  onNodeDoubleClick: (_event, { id, type }) => {
                    if (type !== 'card') editing.write(id)
                  },
                  ...onEnds,
                  onPaneContextMenu: (event) => openMenu({ kind: 'canvas' }, event),
                  onNodeContextMenu: (event, { id }) => openMenu({ kind: 'node', id }, event),
                  onEdgeContextMenu: (event, { data }) => {
                    if (data) openMenu({ kind: 'wire', edge: data.edge }, event)
                  },
                }
              : {})}
            onMoveEnd={(_event, at) => onViewport?.(at)}
            onDragOver={editing && allowDrop}
            onDrop={(event) => {
              const type = event.dataTransfer.getData(dragType)
              if (!editing || type === '') return
              event.preventDefault()
              const wire = under(event, '.react-flow__edge')?.getAttribute('data-id')
              editing.drop(type, spotOf(event).at, wires.find(({ id }) => id === wire)?.data?.edge ?? null)
            }}
          >
            <Background variant={BackgroundVariant.Dots} gap={20} size={1.4} />
            {views.size > 3 ? <SmallMap nodes={cards} /> : null}
            <ZoomTools />
            {children}
          </ReactFlow>
          <KeyHelp mode={mode} />
        </div>
      </BoxesContext>
    </CanvasContext>
  )
}

const origin: Point = { x: 0, y: 0 }

/** The canvas is one stop of the Tab key. The page handles the keys, also those that lead from node to node. */
const focusStop = { tabIndex: 0, 'aria-label': 'Canvas', 'aria-describedby': 'canvas-keys' }

const KeyHelp = ({ mode }: { mode: CardMode }) => (
  <p id={focusStop['aria-describedby']} className="visually-hidden">
    {`The arrow keys go from node to node, Enter into ${
      mode === 'run' ? 'what the node made' : 'the fields of the node'
    }, and Escape back. The question mark lists every key.`}
  </p>
)

function allowDrop(event: DragEvent): void {
  if (!event.dataTransfer.types.includes(dragType)) return
  event.preventDefault()
  event.dataTransfer.dropEffect = 'copy'
}

const under = ({ clientX, clientY }: { clientX: number; clientY: number }, selector: string): Element | null =>
  document.elementFromPoint(clientX, clientY)?.closest(selector) ?? null

/** The boxes of the nodes, around which wires are drawn. Empty if there are many nodes: finding the paths would take too long. */
const boxesOf = (nodes: readonly CardNode[]): ReadonlyMap<string, Box> =>
  new Map(
    nodes.length > many
      ? []
      : nodes.map(({ id, position, width = 0, height = 0 }) => [id, { ...position, width, height }]),
  )

function opening(views: ReadonlyMap<string, CardView>, positions: Positions) {
  if (views.size <= many) return { fitView: true, fitViewOptions: { maxZoom: 1, padding: 0.1 } }
  // Shows the leftmost node; if several nodes are equally far to the left, the one that the definition lists first.
  const [first = origin] = [...views.keys()].flatMap((id) => positions[id] ?? []).toSorted((a, b) => a.x - b.x)
  const zoom = 0.7
  return { defaultViewport: { x: 60 - first.x * zoom, y: 240 - first.y * zoom, zoom } }
}

type SelectChange = { type: string; id?: string; selected?: boolean }

function selectedBy(changes: readonly SelectChange[], before: ReadonlySet<string>): ReadonlySet<string> {
  const next = new Set(before)
  for (const { type, id, selected } of changes) {
    if (type !== 'select' || id === undefined) continue
    if (selected) next.add(id)
    else next.delete(id)
  }
  return next
}

/**
 * Returns a function that changes the selection. After one gesture of the user, React Flow may report nodes and edges in two calls
 * before the page is rendered again, so each call changes the selection that the call before it has set.
 */
function useMergedSelect(selection: Selection, onSelect: (selection: Selection) => void) {
  const current = useRef(selection)
  current.current = selection
  return useRef((change: Partial<Selection>) => {
    current.current = { ...current.current, ...change }
    onSelect(current.current)
  })
}

/**
 * Lets users drag the ends of an edge to other ports: `isMoved` says whether the wire that is being drawn is an edge taken by one of
 * its ends, and `reconnect` is called with what it becomes, and what it was.
 */
function useEnds(reconnect: (connection: Connection, before: GraphEdge | undefined) => void) {
  const isMoved = useRef(false)
  const onEnds = {
    onReconnectStart: () => {
      isMoved.current = true
    },
    onReconnect: ({ data }: WireEdge, connection: Connection) => reconnect(connection, data?.edge),
    onReconnectEnd: () => {
      isMoved.current = false
    },
  }
  return { isMoved, onEnds }
}

/**
 * Returns notes and frames as nodes of React Flow (`others`). While a user resizes a note or frame, `resize` stores its present box
 * here; the box is saved only when the user lets go.
 */
function useAnnotationNodes({ annotations, views, selection, editing }: CanvasProps, dragged: Positions | null) {
  const [resized, setResized] = useState<{ id: string; box: Box } | null>(null)
  const isEditable = editing !== undefined
  const others = useMemo(
    () => annotationNodes(annotations, views, { dragged, resized, selected: selection.nodes, isEditable }),
    [annotations, views, dragged, resized, selection.nodes, isEditable],
  )
  const latest = useRef(editing)
  latest.current = editing
  const resize = useCallback((id: string, box: Box, isOver: boolean) => {
    setResized(isOver ? null : { id, box })
    if (isOver) latest.current?.resize(id, box)
  }, [])
  return { others, resize }
}

function carriedBy(id: string, { annotations, positions, editing }: CanvasProps): Carried | null {
  const frame = annotationOf(annotations, id)
  if (frame?.kind !== 'frame' || !editing) return null
  return {
    start: frame,
    inside: editing.held(id).map((one) => [one, positions[one] ?? annotationOf(annotations, one) ?? origin] as const),
  }
}
