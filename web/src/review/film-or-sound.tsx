// In charge of the element that plays a film or sound, for as long as it is open. It needs a key that changes with the file.
import type { RefObject, SyntheticEvent } from 'react'
import { useHeldAddress } from './use-held-address.ts'

type Props = {
  kind: 'film' | 'sound'
  url: string
  media: RefObject<HTMLMediaElement | null> | undefined
  name: string
  className?: string
  loaded?: (element: HTMLMediaElement) => void
  /** Called if the browser cannot show the file as this kind; not if it cannot be reached. */
  cannotShow: () => void
}

export function FilmOrSound({ kind, url, media, name, className, loaded, cannotShow }: Props) {
  const { held, onError, onLoaded, onShown } = useHeldAddress(url, cannotShow)
  const shared = {
    ...{ src: held, controls: true, className, 'aria-label': name },
    onError: ({ currentTarget }: SyntheticEvent<HTMLMediaElement>) => onError(currentTarget),
    onLoadedMetadata: ({ currentTarget }: SyntheticEvent<HTMLMediaElement>) => {
      onLoaded(currentTarget)
      loaded?.(currentTarget)
    },
    onSeeked: onShown,
    onPlaying: onShown,
  }
  if (kind === 'film') {
    return <video {...shared} ref={media as RefObject<HTMLVideoElement | null> | undefined} />
  }
  return <audio {...shared} ref={media as RefObject<HTMLAudioElement | null> | undefined} />
}
