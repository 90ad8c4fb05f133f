// In charge of dragging cards between columns by mouse, touch and keyboard, and of announcing each step to screen readers.
import {
  type Announcements,
  type CollisionDetection,
  closestCenter,
  DndContext,
  type DragCancelEvent,
  type DragEndEvent,
  DragOverlay,
  type DragStartEvent,
  type KeyboardCoordinateGetter,
  KeyboardSensor,
  MeasuringStrategy,
  MouseSensor,
  TouchSensor,
  useDndContext,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import { type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { Card, ColumnName } from '../lib/types.ts'
import { type Column, useBoard } from './board-context.ts'
import { CardGhost } from './card.tsx'
import { columnUnder, type DragPointer, followPointer } from './drag-pointer.ts'
import { isDragging, setDragging } from './dragging.ts'
import { focusCard, withSelected } from './selection.ts'
import { useDelete } from './use-delete.ts'
import { useFeeds } from './use-feeds.ts'
import { useMove } from './use-move.ts'

const instructions =
  'Press Enter to open the task. Press Space to pick the card up, the left and right arrow keys to carry it to another column, Space to drop it, Escape to leave it where it was.'

/** Returns the column under the pointer; if the keyboard moves the card, the column that is nearest to the card. */
const collisions: CollisionDetection = (args) => {
  if (!args.pointerCoordinates) return closestCenter(args)
  const id = columnUnder(args.pointerCoordinates)
  return id === null ? [] : [{ id }]
}

/** The left and right arrow keys move a card to the middle of the next column on that side. */
const carry: KeyboardCoordinateGetter = (event, { currentCoordinates, context }) => {
  const step = event.code === 'ArrowRight' ? 1 : event.code === 'ArrowLeft' ? -1 : 0
  if (step === 0 || !context.collisionRect) return undefined
  event.preventDefault()
  const places = context.droppableContainers
    .getEnabled()
    .flatMap(({ rect }) => (rect.current ? [{ left: rect.current.left, width: rect.current.width }] : []))
    .toSorted((a, b) => a.left - b.left)
  // Starts from the column nearest to the card. The column that dnd-kit reports is not used: while it measures, it reports none.
  const middle = currentCoordinates.x + context.collisionRect.width / 2
  const away = places.map(({ left, width }) => Math.abs(left + width / 2 - middle))
  const next = places[away.indexOf(Math.min(...away)) + step]
  if (!next) return currentCoordinates
  return { x: next.left + (next.width - context.collisionRect.width) / 2, y: currentCoordinates.y }
}

export function BoardDrag({ children }: { children: ReactNode }) {
  const { columns } = useBoard()
  const feeds = useFeeds()
  const move = useMove()
  const remove = useDelete()
  const [dragged, setDragged] = useState<readonly Card[]>([])
  const sensors = useSensors(
    useSensor(MouseSensor, { activationConstraint: { distance: 6 } }),
    // A touch starts a drag only after it has lasted a moment, so that a swipe still scrolls.
    useSensor(TouchSensor, { activationConstraint: { delay: 220, tolerance: 8 } }),
    useSensor(KeyboardSensor, {
      coordinateGetter: carry,
      scrollBehavior: 'auto',
      keyboardCodes: { start: ['Space'], cancel: ['Escape'], end: ['Space', 'Enter'] },
    }),
  )
  const pointer = useRef<DragPointer | null>(null)
  const announcements = useMemo(
    () =>
      announcementsFor(
        columns,
        (id) => feeds.find(id),
        ({ over }) => targetOf(pointer.current, over?.id),
      ),
    [columns, feeds],
  )
  // If the board disappears during a drag, dnd-kit does not report the end of the drag.
  useEffect(() => () => setDragging(false), [])
  const start = ({ active, activatorEvent }: DragStartEvent) => {
    pointer.current = followPointer(activatorEvent)
    setDragging(true)
    setDragged(withSelected(String(active.id), feeds.findSelected))
  }
  const letGo = () => {
    pointer.current?.end()
    setDragging(false)
    setDragged([])
  }
  /** `column`: the column in which the dragged card gets the focus, or null for the column where it is. */
  const end = ({ active }: DragCancelEvent, column: ColumnName | null = null) => {
    letGo()
    focusCard(String(active.id), column)
  }
  const drop = (event: DragEndEvent) => {
    const cards = dragged
    const to = targetOf(pointer.current, event.over?.id)
    const target = columns.find(({ name }) => name === to)
    end(event, target?.name)
    if (!target) return
    if (target.name === 'deleted') return remove(cards)
    move(cards, target.name)
  }
  const [first] = dragged
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={collisions}
      measuring={{ droppable: { strategy: MeasuringStrategy.Always } }}
      autoScroll={false}
      accessibility={{ announcements, restoreFocus: false, screenReaderInstructions: { draggable: instructions } }}
      onDragStart={start}
      onDragEnd={drop}
      onDragCancel={(event) => end(event)}
    >
      {children}
      <UnreportedEnd dragged={dragged} letGo={letGo} />
      <DragOverlay dropAnimation={null}>
        {first ? <CardGhost card={first} others={dragged.length - 1} /> : null}
      </DragOverlay>
    </DndContext>
  )
}

/**
 * Ends a drag of which dnd-kit has reported the start but will not report the end. This happens if the mouse button is released
 * before React has rendered the start. When React renders the `dragged` cards, dnd-kit then has no active card any more.
 */
function UnreportedEnd({ dragged, letGo }: { dragged: readonly Card[]; letGo: () => void }) {
  const { active } = useDndContext()
  const latest = useRef(letGo)
  useLayoutEffect(() => {
    latest.current = letGo
  })
  useLayoutEffect(() => {
    if (active === null && isDragging()) latest.current()
  }, [active, dragged])
  return null
}

/** The column to drop cards in: the one under the pointer, or in a drag by keyboard `carriedTo`; undefined if there is none. */
const targetOf = (pointer: DragPointer | null, carriedTo: string | number | undefined): string | number | undefined =>
  pointer ? (columnUnder(pointer.at()) ?? undefined) : carriedTo

type Target = (event: Pick<DragEndEvent, 'over'>) => string | number | undefined

function announcementsFor(
  columns: readonly Column[],
  find: (id: string) => Card | undefined,
  targetOf: Target,
): Announcements {
  const nameOf = (id: string | number) => find(String(id))?.name ?? 'The card'
  const labelOf = (id: string | number | undefined) => columns.find(({ name }) => name === id)?.label
  return {
    onDragStart: ({ active }) => `Picked up ${nameOf(active.id)}.`,
    onDragOver: ({ active, over }) =>
      over ? `${nameOf(active.id)} is over ${labelOf(over.id)}.` : `${nameOf(active.id)} is over no column.`,
    onDragEnd: (event) => {
      const label = labelOf(targetOf(event))
      return label ? `${nameOf(event.active.id)} was dropped in ${label}.` : `${nameOf(event.active.id)} was put back.`
    },
    onDragCancel: ({ active }) => `${nameOf(active.id)} was put back.`,
  }
}
