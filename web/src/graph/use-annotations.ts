// In charge of adding and changing notes and frames in the editor, of what is inside frames, and of moving the selection by keys.
import { useReactFlow } from '@xyflow/react'
import { useCallback, useMemo, useRef } from 'react'
import {
  type AnnotationChange,
  annotationLimits,
  boxAround,
  heldBy,
  newFrame,
  newNote,
  sizes,
} from '../canvas/annotations.ts'
import { onlyNode, type Selection } from '../canvas/canvas.tsx'
import { type CardView, sizeIn } from '../canvas/cards.ts'
import { type Clip, newAnnotation } from '../canvas/clip.ts'
import type { Point, Positions } from '../canvas/doc.ts'
import type { Doc } from '../canvas/layout.ts'
import { type Box, freePlace } from '../canvas/places.ts'
import { tellError } from '../ui/toasts.tsx'
import type { Edit } from './edit.ts'
import { reveal } from './reveal.ts'

type Given = {
  dispatch: (change: Edit) => void
  doc: Doc
  views: ReadonlyMap<string, CardView>
  positions: Positions
  selection: Selection
  setSelection: (selection: Selection) => void
}

export function useAnnotations({ dispatch, doc, views, positions, selection, setSelection }: Given) {
  const { annotations } = doc
  const flow = useReactFlow()
  /** The id of a note or frame whose text field is to get the focus as soon as the field is drawn; null if there is none. */
  const wanted = useRef<string | null>(null)
  const boxes = useMemo(() => boxesOf(views, positions, annotations), [views, positions, annotations])
  const add = useCallback(
    (clip: Clip) => {
      const [[id, box] = []] = Object.entries(clip.annotations)
      if (id === undefined || box === undefined || !mayAdd(doc, clip)) return
      dispatch({ type: 'add', clip })
      wanted.current = id
      setSelection(onlyNode(id))
      if (box.kind === 'note') reveal(flow, box)
    },
    [doc, flow],
  )
  const addNote = useCallback(
    (at?: Point) => {
      const wish = at ?? middleOf(flow, sizes.note)
      const taken = [...boxes.values()].flatMap(({ box, isFrame }) => (isFrame ? [] : [box]))
      add(newAnnotation(newNote(at ?? freePlace(wish, sizes.note, taken))))
    },
    [add, boxes, flow],
  )
  /** Adds a frame: at `at` in the default size, or else around the selection; with neither, in the middle of the canvas. */
  const addFrame = useCallback(
    (at?: Point) => {
      const held = at ? [] : [...selection.nodes].flatMap((id) => boxes.get(id)?.box ?? [])
      const { width, height } = sizes.frame
      const box = held.length > 0 ? boxAround(held) : { ...(at ?? middleOf(flow, sizes.frame)), width, height }
      add(newAnnotation(newFrame(box)))
    },
    [add, boxes, selection.nodes, flow],
  )
  const held = useCallback((id: string): string[] => (boxes.get(id)?.isFrame ? heldIn(boxes, id) : []), [boxes])
  const withHeld = useCallback(
    (ids: Iterable<string>): ReadonlySet<string> => new Set([...ids].flatMap((id) => [id, ...held(id)])),
    [held],
  )
  const nudge = useCallback(
    (by: Point) => {
      const moved = [...withHeld(selection.nodes)].flatMap((id) => {
        const box = boxes.get(id)?.box
        return box ? [[id, { x: box.x + by.x, y: box.y + by.y }] as const] : []
      })
      if (moved.length > 0) dispatch({ type: 'move', positions: Object.fromEntries(moved) })
    },
    [withHeld, selection.nodes, boxes],
  )
  const annotate = useCallback(
    (id: string, change: AnnotationChange, isTyped = false) => dispatch({ type: 'annotate', id, change, isTyped }),
    [],
  )
  const write = useCallback((id: string) => {
    wanted.current = id
    setSelection(onlyNode(id))
  }, [])
  return { boxes, addNote, addFrame, held, withHeld, nudge, annotate, write, wanted }
}

/** Whether the notes and frames of a clip can be added without exceeding the graph's limit; if not, shows an error message. */
export function mayAdd(doc: Doc, clip: Clip): boolean {
  const { count } = annotationLimits
  const has = Object.keys(doc.annotations).length
  const adds = Object.keys(clip.annotations).length
  if (adds === 0 || has + adds <= count) return true
  tellError(new Error(`A graph has at most ${count} notes and frames, and this one has ${has}.`), 'Not added')
  return false
}

type Boxes = ReadonlyMap<string, { box: Box; isFrame: boolean }>

function boxesOf(views: ReadonlyMap<string, CardView>, positions: Positions, annotations: Doc['annotations']): Boxes {
  const sizeOf = sizeIn(views)
  const boxes = new Map<string, { box: Box; isFrame: boolean }>()
  for (const [id, one] of Object.entries(annotations)) boxes.set(id, { box: one, isFrame: one.kind === 'frame' })
  for (const id of views.keys()) {
    const at = positions[id]
    if (at) boxes.set(id, { box: { ...at, ...sizeOf(id) }, isFrame: false })
  }
  return boxes
}

function heldIn(boxes: Boxes, id: string): string[] {
  const frame = boxes.get(id)?.box
  if (!frame) return []
  return heldBy(
    frame,
    [...boxes].map(([id, { box, isFrame }]) => [id, box, isFrame]),
  )
}

function middleOf(flow: ReturnType<typeof useReactFlow>, { width, height }: { width: number; height: number }): Point {
  const frame = document.querySelector('.canvas')?.getBoundingClientRect()
  if (!frame) return { x: 0, y: 0 }
  const at = flow.screenToFlowPosition({ x: frame.left + frame.width / 2, y: frame.top + frame.height / 2 })
  return { x: Math.round(at.x - width / 2), y: Math.round(at.y - height / 2) }
}
