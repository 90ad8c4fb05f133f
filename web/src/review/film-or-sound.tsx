// In charge of the element that plays a film or sound, for as long as it is open. It needs a key that changes with the file.
import { useMergedRef } from '@mantine/hooks'
import { type Ref, type SyntheticEvent, useLayoutEffect, useRef } from 'react'
import { NotLoaded } from '../ui/not-loaded.tsx'
import { usePassedFocus } from '../ui/pass-focus.ts'
import { useHeldAddress } from '../ui/use-held-address.ts'
import { keepLoudness, takeLoudness } from './loudness.ts'

type Props = {
  kind: 'film' | 'sound'
  url: string
  media: Ref<HTMLMediaElement> | undefined
  name: string
  className?: string
  loaded?: (element: HTMLMediaElement) => void
  /** Called if the browser cannot show the file as this kind; not if it is gone or cannot be reached. */
  cannotShow: () => void
}

export function FilmOrSound({ kind, url, media, name, className, loaded, cannotShow }: Props) {
  const { held, onError, onLoaded, onShown, absent } = useHeldAddress(url, cannotShow)
  const element = useRef<HTMLMediaElement>(null)
  // An element without controls cannot keep the focus.
  usePassedFocus(element, absent === null)
  useLayoutEffect(() => {
    if (element.current) takeLoudness(element.current)
  }, [])
  const ref = useMergedRef(element, media)
  const shared = {
    // Without the file, there is nothing to control, and the browser would show that it is still loading.
    ...{ src: held, controls: absent === null, className, 'aria-label': name },
    onError: ({ currentTarget }: SyntheticEvent<HTMLMediaElement>) => void onError(currentTarget),
    onLoadedMetadata: ({ currentTarget }: SyntheticEvent<HTMLMediaElement>) => {
      onLoaded(currentTarget)
      loaded?.(currentTarget)
    },
    onVolumeChange: ({ currentTarget }: SyntheticEvent<HTMLMediaElement>) => keepLoudness(currentTarget),
    onSeeked: onShown,
    onPlaying: onShown,
  }
  return (
    <>
      {kind === 'film' ? <video {...shared} ref={ref} /> : <audio {...shared} ref={ref} />}
      {absent ? <NotLoaded {...absent} /> : null}
    </>
  )
}
