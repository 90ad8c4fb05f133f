// In charge of one card of the board: it shows the main facts about a task, and can be opened, dragged and selected.

import { useDraggable } from '@dnd-kit/core'
import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import type { Card } from '../lib/types.ts'
import { useFileDrop } from '../ui/use-file-drop.ts'
import { useBoard } from './board-context.ts'
import { CardCover, mayHaveCover } from './card-cover.tsx'
import { CardDeadline, CardMarks, CardPeople, CardTerms, CreativesDone } from './card-marks.tsx'
import { CardMenu } from './card-menu.tsx'
import { dropFiles } from './dropped-files.ts'
import { toggleSelected, useIsSelected } from './selection.ts'

export const CardTile = memo(function CardTile({ card }: { card: Card }) {
  const { canWrite } = useBoard()
  const selected = useIsSelected(card.id)
  const drag = useDraggable({ id: card.id, data: { card }, disabled: !canWrite })
  const { isOver, handlers } = useFileDrop(canWrite ? (files) => dropFiles(card, files) : null)
  return (
    <article
      ref={drag.setNodeRef}
      className="card"
      data-card={card.id}
      data-selected={selected || undefined}
      data-dragged={drag.isDragging || undefined}
      data-over={isOver || undefined}
      {...drag.listeners}
      {...handlers}
    >
      <CardBody
        card={card}
        selected={selected}
        canWrite={canWrite}
        grip={drag.setActivatorNodeRef}
        describedBy={drag.attributes['aria-describedby']}
      />
    </article>
  )
})

type BodyProps = {
  card: Card
  selected: boolean
  canWrite: boolean
  grip: (element: HTMLElement | null) => void
  describedBy: string
}

/**
 * A separate component, memoized: a drag draws every card again, but not the bodies of the cards, because their props stay the
 * same. The body uses plain HTML elements, because Mantine's elements take longer to draw.
 */
const CardBody = memo(function CardBody({ card, selected, canWrite, grip, describedBy }: BodyProps) {
  return (
    <>
      {mayHaveCover(card) ? <CardCover id={card.id} name={card.name} /> : null}
      <div className="card-top">
        <span className="card-tags">
          <span className="card-number">#{card.number}</span>
          <CardMarks card={card} />
        </span>
        <span className="card-actions">
          {canWrite ? (
            <label className="card-tick">
              <input
                type="checkbox"
                className="card-check"
                checked={selected}
                onChange={() => toggleSelected(card.id)}
                aria-label={`Select ${card.name}`}
              />
            </label>
          ) : null}
          <CardMenu card={card} />
        </span>
      </div>
      <Link
        ref={grip}
        to="/tasks/$task_id"
        params={{ task_id: card.id }}
        search={(search) => search}
        className="card-name"
        draggable={false}
        aria-describedby={describedBy}
        preload={false}
      >
        {card.name}
      </Link>
      <CardTerms card={card} />
      <div className="card-foot">
        <CardDeadline card={card} />
        <CreativesDone card={card} />
        <CardPeople card={card} />
      </div>
    </>
  )
})

/** The copy of the card that follows the pointer during a drag. */
export function CardGhost({ card, others }: { card: Card; others: number }) {
  return (
    <article className="card card-ghost">
      <div className="card-top">
        <span className="card-number">#{card.number}</span>
        {others > 0 ? (
          <span className="mark" data-tone="accent">
            and {others} more
          </span>
        ) : null}
      </div>
      <span className="card-name">{card.name}</span>
    </article>
  )
}
