// In charge of annotations: the notes that users write on a canvas, and the frames that they draw around nodes. Annotations are
// stored in the layout (`ui_state.annotations`), which runs do not read. Pure.
import { isPlainObject } from '@atelier/contract/graph/definition.ts'
import { uniqueName } from '../lib/unique.ts'
import type { Point, Raw } from './doc.ts'
import { type Box, freePlace } from './places.ts'

export const colours = ['yellow', 'blue', 'green', 'pink', 'violet', 'grey'] as const
export type Colour = (typeof colours)[number]
/** A note; `text` is Markdown. */
type Note = Box & { kind: 'note'; text: string; colour: Colour }
/** A rectangle behind nodes. When a user drags its title, the nodes, notes and frames inside it move too. */
type Frame = Box & { kind: 'frame'; title: string; colour: Colour }
export type Annotation = Note | Frame
export type Annotations = Readonly<Record<string, Annotation>>
export type AnnotationChange = Partial<Omit<Note, 'kind'> & Omit<Frame, 'kind'>>

/**
 * Limits for what users enter in the editor: `count` annotations, and the lengths of texts and titles in characters. A layout that
 * another client saved may exceed them. It is kept as it is, but at most `drawn` annotations, with shortened texts, are shown.
 */
export const annotationLimits = { count: 200, text: 4000, title: 120, drawn: 500 } as const
export const sizes = {
  note: { width: 240, height: 140, least: { width: 120, height: 60 } },
  frame: { width: 480, height: 320, least: { width: 160, height: 100 } },
  most: 20_000,
} as const

/** The prefixes of annotation ids. Valid ids of nodes contain no slash, so one set can contain ids of both without a collision. */
const prefixes = { note: 'note/', frame: 'frame/' } as const

/** A random id, so that two users who add an annotation at the same time do not create the same id. */
export const newAnnotationId = (kind: Annotation['kind']): string => `${prefixes[kind]}${uniqueName().slice(0, 12)}`

/** A node may be called like a member of every object, such as `constructor`, and is no annotation then either. */
export const annotationOf = (annotations: Annotations, id: string): Annotation | undefined =>
  Object.hasOwn(annotations, id) ? annotations[id] : undefined

export const newNote = (at: Point): Annotation => ({
  ...{ kind: 'note', text: '', colour: 'yellow' },
  ...{ x: at.x, y: at.y, width: sizes.note.width, height: sizes.note.height },
})

export const newFrame = (box: Box): Annotation => ({ kind: 'frame', title: '', colour: 'blue', ...box })

const padding = { side: 28, top: 28 } as const

/** The box of a frame that surrounds the given boxes with some space on each side. */
export function boxAround(boxes: readonly Box[]): Box {
  const x = Math.min(...boxes.map((box) => box.x)) - padding.side
  const y = Math.min(...boxes.map((box) => box.y)) - padding.top
  const right = Math.max(...boxes.map((box) => box.x + box.width)) + padding.side
  const bottom = Math.max(...boxes.map((box) => box.y + box.height)) + padding.side
  return { x, y, width: right - x, height: bottom - y }
}

/** The ids of the elements inside a frame: nodes and notes whose centre is in the frame, and frames that are entirely in it. */
export function heldBy(frame: Box, others: Iterable<readonly [id: string, box: Box, isFrame: boolean]>): string[] {
  const [right, bottom] = [frame.x + frame.width, frame.y + frame.height]
  const isIn = (x: number, y: number) => x >= frame.x && x <= right && y >= frame.y && y <= bottom
  return [...others].flatMap(([id, box, isFrame]) => {
    const { x, y, width, height } = box
    if (box === frame) return []
    const isHeld = isFrame ? isIn(x, y) && isIn(x + width, y + height) : isIn(x + width / 2, y + height / 2)
    return isHeld ? [id] : []
  })
}

/** The notes and frames of a layout, without those that cannot be parsed. */
export function readAnnotations(layout: Raw): Record<string, Annotation> {
  return Object.fromEntries(
    Object.entries(rawAnnotations(layout)).flatMap(([id, raw]) => {
      const annotation = readAnnotation(id, raw)
      return annotation ? [[id, annotation] as const] : []
    }),
  )
}

/** The annotations of a layout that cannot be parsed, perhaps because a later version wrote them; they are saved unchanged. */
export function unreadAnnotations(layout: Raw): Raw {
  return Object.fromEntries(
    Object.entries(rawAnnotations(layout)).filter(([id, raw]) => readAnnotation(id, raw) === null),
  )
}

const rawAnnotations = (layout: Raw): Raw => (isPlainObject(layout.annotations) ? layout.annotations : {})

function readAnnotation(id: string, raw: unknown): Annotation | null {
  if (!isPlainObject(raw) || (raw.kind !== 'note' && raw.kind !== 'frame') || !id.startsWith(prefixes[raw.kind]))
    return null
  const { kind, x, y, width, height } = raw
  if (![x, y, width, height].every((value) => Number.isFinite(value))) return null
  const { least } = sizes[kind]
  const box = {
    x: Number(x),
    y: Number(y),
    width: Math.min(sizes.most, Math.max(least.width, Number(width))),
    height: Math.min(sizes.most, Math.max(least.height, Number(height))),
  }
  const colour = colours.find((one) => one === raw.colour) ?? 'grey'
  const words = kind === 'note' ? raw.text : raw.title
  if (typeof words !== 'string') return null
  return kind === 'note' ? { kind, ...box, colour, text: words } : { kind, ...box, colour, title: words }
}

/** A short name for an annotation, for places where only one line fits. */
export function annotationName(annotation: Annotation): string {
  const words = annotation.kind === 'note' ? annotation.text : annotation.title
  const [line = ''] = words.trim().split('\n', 1)
  const plain = line.replace(/^[#>\-*\s]+/, '').slice(0, 60)
  const kind = annotation.kind === 'note' ? 'Note' : 'Frame'
  return plain === '' ? kind : `${kind} “${plain}”`
}

/** The parts of an annotation that are compared when two users have edited it: its text or title, and its colour. */
export const wordsOfAnnotation = (annotation: Annotation): Raw =>
  annotation.kind === 'note'
    ? { text: annotation.text, colour: annotation.colour }
    : { title: annotation.title, colour: annotation.colour }

type Boxes = ReadonlyMap<string, { box: Box; isFrame: boolean }>
type Arranged = {
  /** The boxes of all nodes, notes and frames before the nodes were arranged. */
  boxes: Boxes
  held: (frame: string) => readonly string[]
  /** The positions of the nodes after they were arranged. */
  positions: Readonly<Record<string, Point>>
}

/**
 * Moves notes and frames after nodes were arranged: a note follows the node that was nearest to it, and a frame gets the position
 * and size to surround the same nodes and notes as before. A frame that was empty stays where it is.
 */
export function keptAround(annotations: Annotations, { boxes, held, positions }: Arranged): Annotations {
  const now = new Map<string, Box>()
  for (const [id, at] of Object.entries(positions)) {
    const box = boxes.get(id)?.box
    if (box) now.set(id, { ...box, ...at })
  }
  const nodes = [...now.keys()]
  for (const [id, one] of Object.entries(annotations)) {
    if (one.kind === 'frame') continue
    const nearest = nearestOf(one, nodes, boxes)
    const [from, to] = [boxes.get(nearest ?? '')?.box, now.get(nearest ?? '')]
    const wish = from && to ? { x: one.x + to.x - from.x, y: one.y + to.y - from.y } : one
    now.set(id, { ...one, ...freePlace(wish, { width: one.width, height: one.height }, [...now.values()]) })
  }
  for (const [id, one] of Object.entries(annotations)) {
    const inside = one.kind === 'frame' ? held(id).flatMap((inner) => now.get(inner) ?? []) : []
    if (inside.length > 0) now.set(id, boxAround(inside))
  }
  return Object.fromEntries(
    Object.entries(annotations).map(([id, one]) => {
      const { x, y, width, height } = now.get(id) ?? one
      return [id, { ...one, x, y, width, height }]
    }),
  )
}

function nearestOf(one: Box, ids: readonly string[], boxes: Boxes): string | null {
  let best: { id: string; distance: number } | null = null
  for (const id of ids) {
    const box = boxes.get(id)?.box
    if (!box) continue
    const distance = Math.hypot(
      box.x + box.width / 2 - one.x - one.width / 2,
      box.y + box.height / 2 - one.y - one.height / 2,
    )
    if (best === null || distance < best.distance) best = { id, distance }
  }
  return best?.id ?? null
}
