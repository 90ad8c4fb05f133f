// In charge of the cover of a card: the first picture among the task's creatives, uncropped. The area of the cover has a fixed
// height, so that cards do not move when pictures have loaded.
import { useState } from 'react'
import { useTaskCover } from '../lib/cover-store.ts'
import type { Card } from '../lib/types.ts'
import { Icon } from '../ui/icons.tsx'
import { openPicturesOf } from './open-pictures.ts'

/** Whether the task may have a cover, which its card then requests. A task without a finished creative has no cover. */
export const mayHaveCover = (card: Card | undefined): boolean => (card?.creatives_done ?? 0) > 0

type Props = { id: string; name: string }

export function CardCover({ id, name }: Props) {
  const cover = useTaskCover(id)
  const [broken, setBroken] = useState<string | null>(null)
  // `cover` is undefined until the service has responded, and null if no creative of the task has a picture as its file: the
  // creatives may be films, or completed without a file. `broken` is the digest of a cover whose thumbnail could not be loaded.
  if (cover === null || (cover && cover.digest === broken)) return null
  return (
    <div className="card-cover">
      {cover ? (
        <>
          <img
            src={cover.thumbnail_url}
            alt=""
            decoding="async"
            draggable={false}
            onError={() => setBroken(cover.digest)}
          />
          <button
            type="button"
            className="card-look"
            aria-label={`Look at the pictures of ${name}`}
            onClick={() => void openPicturesOf(id, cover)}
          >
            <Icon name="look" size={14} />
          </button>
        </>
      ) : null}
    </div>
  )
}
