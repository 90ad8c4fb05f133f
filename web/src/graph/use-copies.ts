// In charge of copying, pasting and duplicating the selected elements of a graph, and of where a copy lands on the canvas.
import { type NodeTypes, readDefinition } from '@atelier/contract/graph/graph-rules.ts'
import { useReactFlow } from '@xyflow/react'
import { useCallback, useEffect, useRef } from 'react'
import type { Selection } from '../canvas/canvas.tsx'
import { cardViews, sizeIn } from '../canvas/cards.ts'
import { type Clip, cutOut, freed, idsIn } from '../canvas/clip.ts'
import { type Point, type Positions, rawNodes } from '../canvas/doc.ts'
import type { Doc } from '../canvas/layout.ts'
import { around, type Box, duplicateMove, pasteMove, type Sight } from '../canvas/places.ts'
import type { Edit } from './edit.ts'
import { reveal } from './reveal.ts'
import { mayAdd } from './use-annotations.ts'

type Given = {
  dispatch: (change: Edit) => void
  doc: Doc
  types: NodeTypes
  positions: Positions
  boxes: ReadonlyMap<string, { box: Box }>
  selection: Selection
  setSelection: (selection: Selection) => void
  withHeld: (ids: Iterable<string>) => ReadonlySet<string>
}

export function useCopies({ dispatch, doc, types, positions, boxes, selection, setSelection, withHeld }: Given) {
  const flow = useReactFlow()
  const pointer = usePointer()
  /** Adds a clip, selects it and shows it; returns whether it was added. */
  const add = useCallback(
    (clip: Clip, moveOf: (boxes: readonly Box[], taken: readonly Box[]) => Point): boolean => {
      if (!mayAdd(doc, clip)) return false
      const taken = [...boxes.values()].map(({ box }) => box)
      const by = moveOf(boxesIn(clip, types), taken)
      const fresh = freed(clip, rawNodes(doc.definition), by)
      dispatch({ type: 'add', clip: fresh })
      setSelection({ nodes: new Set(idsIn(fresh)), edges: new Set() })
      const box = around(boxesIn(fresh, types))
      if (box) reveal(flow, box)
      return true
    },
    [doc, types, boxes, flow],
  )
  /** Copies the selected elements; if frames are selected, everything inside them is copied too. */
  const copied = useCallback(
    () => cutOut({ ...doc, positions }, withHeld(selection.nodes)),
    [doc, positions, withHeld, selection.nodes],
  )
  const paste = useCallback(
    (clip: Clip) => add(clip, (copies, taken) => pasteMove(copies, sightOf(flow, pointer()), taken)),
    [add, flow, pointer],
  )
  const duplicate = useCallback(() => void add(copied(), duplicateMove), [add, copied])
  return { copied, paste, duplicate }
}

/** The boxes of the nodes, notes and frames of a clip. A node without a position gets one only when it is drawn, and has no box. */
function boxesIn({ nodes, positions, annotations }: Clip, types: NodeTypes): Box[] {
  const sizeOf = sizeIn(cardViews(readDefinition({ nodes }), types))
  return [...Object.entries(positions).map(([id, at]) => ({ ...at, ...sizeOf(id) })), ...Object.values(annotations)]
}

/** Returns a function for the last place of the mouse in the window; the function returns null before the mouse is moved. */
function usePointer(): () => Point | null {
  const last = useRef<Point | null>(null)
  useEffect(() => {
    const note = ({ pointerType, clientX: x, clientY: y }: PointerEvent) => {
      last.current = pointerType === 'touch' ? null : { x, y }
    }
    document.addEventListener('pointermove', note)
    document.addEventListener('pointerdown', note)
    return () => {
      document.removeEventListener('pointermove', note)
      document.removeEventListener('pointerdown', note)
    }
  }, [])
  return useCallback(() => last.current, [])
}

function sightOf(flow: ReturnType<typeof useReactFlow>, mouse: Point | null): Sight {
  const frame = document.querySelector('.canvas')?.getBoundingClientRect() ?? new DOMRect()
  const start = flow.screenToFlowPosition({ x: frame.left, y: frame.top })
  const { zoom } = flow.getViewport()
  const under = mouse && document.elementFromPoint(mouse.x, mouse.y)
  const isOver = under?.closest('.canvas') && !under.closest('.react-flow__panel')
  return {
    pointer: mouse && isOver ? flow.screenToFlowPosition(mouse) : null,
    view: { ...start, width: frame.width / zoom, height: frame.height / zoom },
  }
}
