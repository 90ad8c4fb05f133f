// In charge of showing the file of a creative to a guest: a picture with marks, a film, a sound, or a link to save the file.
import { useElementSize, useMergedRef } from '@mantine/hooks'
import { type RefObject, useState } from 'react'
import { FilmOrSound } from '../review/film-or-sound.tsx'
import { MarkLayer } from '../review/mark-layer.tsx'
import type { Shown } from './guest-api.ts'

type Props = Pick<Parameters<typeof MarkLayer>[0], 'marked' | 'chosen' | 'choose' | 'drawing'> & {
  creative: Shown
  media: RefObject<HTMLMediaElement | null>
  picture: RefObject<HTMLDivElement | null>
  /** Called when the picture is loaded, or when the browser could not show it. */
  hasCome: (isShown: boolean) => void
}

/** It needs a key that changes with the file. */
export function GuestMedium({ creative, media, picture, hasCome, ...layer }: Props) {
  const { ref, width, height } = useElementSize()
  const merged = useMergedRef(ref, picture)
  /** The address that could not be shown; a later address is tried again, as the reason may have been the connection. */
  const [refused, setRefused] = useState<string | null>(null)
  const { media_type, url, name } = creative
  const size = { width, height }
  const cannotShow = () => {
    setRefused(url)
    hasCome(false)
  }
  const type = media_type.split('/')[0]
  if (type === 'image' && refused !== url) {
    return (
      <div className="guest-picture" ref={merged}>
        <img src={url} alt={name} onLoad={() => hasCome(true)} onError={cannotShow} />
        <MarkLayer placed={{ view: { scale: 1, x: 0, y: 0 }, size, stage: size }} {...layer} />
      </div>
    )
  }
  if ((type === 'video' || type === 'audio') && refused === null) {
    const kind = type === 'video' ? 'film' : 'sound'
    return <FilmOrSound className="guest-film" {...{ kind, url, media, name, cannotShow }} />
  }
  return (
    <p>
      {refused === null ? '' : 'Your browser cannot show this file. Save it to look at it. '}
      <a href={url} download={refused === null ? undefined : name}>
        Save the file
      </a>
    </p>
  )
}
