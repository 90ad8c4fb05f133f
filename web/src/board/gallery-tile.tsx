// In charge of one tile of the gallery: the picture of a task, which opens the viewer, with its name and status.
import { Link } from '@tanstack/react-router'
import { memo, useState } from 'react'
import { useTaskCover } from '../lib/cover-store.ts'
import type { Card } from '../lib/types.ts'
import { Icon } from '../ui/icons.tsx'
import { useBoard } from './board-context.ts'
import { openPicturesOf } from './open-pictures.ts'

type Props = { card: Card; at: number }

export const GalleryTile = memo(function GalleryTile({ card, at }: Props) {
  const { columns } = useBoard()
  const column = columns.find(({ name }) => name === card.status)
  return (
    <article className="tile" data-card={card.id} data-at={at}>
      <TilePicture id={card.id} name={card.name} />
      <Link
        to="/tasks/$task_id"
        params={{ task_id: card.id }}
        search={(search) => search}
        className="card-name"
        draggable={false}
        preload={false}
      >
        {card.name}
      </Link>
      <p className="tile-foot">
        <span className="tile-status" data-group={column?.group}>
          {column?.label ?? card.status}
        </span>
        <span className="card-number">#{card.number}</span>
      </p>
    </article>
  )
})

function TilePicture({ id, name }: { id: string; name: string }) {
  const cover = useTaskCover(id)
  const [broken, setBroken] = useState<string | null>(null)
  // `cover` is undefined until the service has responded, and null if no creative of the task has a picture as its file: the
  // creatives may be films, or completed without a file. `broken` is the digest of a cover whose thumbnail could not be loaded.
  if (cover === null || (cover && cover.digest === broken))
    return (
      <div className="gallery-blank">
        <Icon name="image" size={22} />
        <span>No picture</span>
      </div>
    )
  return (
    <button
      type="button"
      className="gallery-picture"
      aria-label={`Look at the pictures of ${name}`}
      onClick={() => {
        if (cover) void openPicturesOf(id, cover)
      }}
    >
      {cover ? (
        <img
          src={cover.thumbnail_url}
          alt=""
          decoding="async"
          draggable={false}
          onError={() => setBroken(cover.digest)}
        />
      ) : null}
    </button>
  )
}
