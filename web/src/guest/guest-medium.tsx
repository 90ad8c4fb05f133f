// In charge of showing the file of a creative to a guest: a picture with marks, a film, a sound, or a link to save the file.
import { useElementSize, useMergedRef } from '@mantine/hooks'
import { type RefObject, useState } from 'react'
import { FilmOrSound } from '../review/film-or-sound.tsx'
import { MarkLayer } from '../review/mark-layer.tsx'
import { NotLoaded } from '../ui/not-loaded.tsx'
import { usePicture } from '../ui/use-picture.ts'
import type { Shown } from './guest-api.ts'

type PictureProps = Pick<Parameters<typeof MarkLayer>[0], 'marked' | 'chosen' | 'choose' | 'drawing'> & {
  creative: Shown
  picture: RefObject<HTMLDivElement | null>
  /** Called when the picture is loaded, or when the browser cannot show it; not while it cannot be reached. */
  hasCome: (isShown: boolean) => void
}
type Props = PictureProps & { media: RefObject<HTMLMediaElement | null> }

/** It needs a key that changes with the file. */
export function GuestMedium({ media, ...props }: Props) {
  const [isRefused, setIsRefused] = useState(false)
  const { creative, hasCome } = props
  const { media_type, url, name } = creative
  const cannotShow = () => {
    setIsRefused(true)
    hasCome(false)
  }
  const type = media_type.split('/')[0]
  if (type === 'image' && !isRefused) return <GuestPicture {...props} cannotShow={cannotShow} />
  if ((type === 'video' || type === 'audio') && !isRefused) {
    const kind = type === 'video' ? 'film' : 'sound'
    return <FilmOrSound className="guest-film" {...{ kind, url, media, name, cannotShow }} />
  }
  return (
    <p>
      {isRefused ? 'Your browser cannot show this file. Save it to look at it. ' : ''}
      <a href={url} download={isRefused ? name : undefined}>
        Save the file
      </a>
    </p>
  )
}

/** A picture with marks. While it cannot be reached, nothing can be marked: there is nothing to be seen. */
function GuestPicture({ creative, picture, hasCome, cannotShow, ...layer }: PictureProps & { cannotShow: () => void }) {
  const { ref, width, height } = useElementSize()
  const merged = useMergedRef(ref, picture)
  const { key, onLoad, onError, tryAgain } = usePicture(creative.url, cannotShow)
  const size = { width, height }
  if (tryAgain) return <NotLoaded again={tryAgain} />
  return (
    <div className="guest-picture" ref={merged}>
      <img
        key={key}
        src={creative.url}
        alt={creative.name}
        onLoad={() => {
          onLoad()
          hasCome(true)
        }}
        onError={onError}
      />
      <MarkLayer placed={{ view: { scale: 1, x: 0, y: 0 }, size, stage: size }} {...layer} />
    </div>
  )
}
