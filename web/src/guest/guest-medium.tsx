// In charge of showing the file of a creative to a guest: a picture with marks, a film, a sound, or a link to save the file.

import { Button } from '@mantine/core'
import { useElementSize, useMergedRef } from '@mantine/hooks'
import { type ReactNode, type RefObject, useRef, useState } from 'react'
import { FilmOrSound } from '../review/film-or-sound.tsx'
import { MarkLayer } from '../review/mark-layer.tsx'
import { NotLoaded } from '../ui/not-loaded.tsx'
import { usePassedFocus } from '../ui/pass-focus.ts'
import { usePicture } from '../ui/use-picture.ts'
import type { Shown } from './guest-api.ts'

type PictureProps = Pick<Parameters<typeof MarkLayer>[0], 'marked' | 'chosen' | 'choose' | 'drawing'> & {
  creative: Shown
  picture: RefObject<HTMLDivElement | null>
  /** Called when the picture is loaded, or when the browser cannot show it; not if it is gone or cannot be reached. */
  hasCome: (isShown: boolean) => void
}
type Props = PictureProps & { media: RefObject<HTMLMediaElement | null> }

/** It needs a key that changes with the file. */
export function GuestMedium({ media, ...props }: Props) {
  /** The address that could not be shown. A later address of a picture is tried by itself, as the reason may have been the connection. */
  const [refused, setRefused] = useState<string | null>(null)
  const { creative, hasCome } = props
  const { media_type, url, name } = creative
  const cannotShow = () => {
    setRefused(url)
    hasCome(false)
  }
  const type = media_type.split('/')[0]
  if (type === 'image' && refused !== url) return <GuestPicture {...props} cannotShow={cannotShow} />
  if ((type === 'video' || type === 'audio') && refused === null) {
    const kind = type === 'video' ? 'film' : 'sound'
    return <FilmOrSound className="guest-film" {...{ kind, url, media, name, cannotShow }} />
  }
  const save = (
    <a href={url} download={refused === null ? undefined : name}>
      Save the file
    </a>
  )
  if (refused === null) return <p>{save}</p>
  return <Refused save={save} again={() => setRefused(null)} />
}

/** What is shown in place of a file that the browser cannot show. The reason may yet have been the connection, so it can be tried again. */
function Refused({ save, again }: { save: ReactNode; again: () => void }) {
  const place = useRef<HTMLDivElement>(null)
  usePassedFocus(place)
  return (
    <div ref={place} className="not-loaded">
      <p>Your browser cannot show this file. Save it to look at it. {save}</p>
      <Button size="xs" onClick={again}>
        Try again
      </Button>
    </div>
  )
}

/** A picture with marks. If it is gone or cannot be reached, nothing can be marked: there is nothing to be seen. */
function GuestPicture({ creative, picture, hasCome, cannotShow, ...layer }: PictureProps & { cannotShow: () => void }) {
  const { ref, width, height } = useElementSize()
  const merged = useMergedRef(ref, picture)
  const { key, onLoad, onError, absent } = usePicture(creative.url, cannotShow)
  const size = { width, height }
  if (absent) return <NotLoaded {...absent} />
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
