// In charge of the preview of a film in lists: its first frame, without controls. While the film cannot be reached, `instead` is
// shown in its place, and the film is loaded again and again; `instead` alone if it is gone.
import type { ReactNode } from 'react'
import { useHeldAddress } from './use-held-address.ts'

/** `cannotShow` is called if the browser cannot show the file as a film; not if the file is gone or cannot be reached. */
type Props = { url: string; alt?: string; instead: ReactNode; cannotShow: () => void }

/** It needs a key that changes with the file. */
export function FilmPreview({ url, alt, instead, cannotShow }: Props) {
  const { held, onError, onLoaded, absent } = useHeldAddress(url, cannotShow)
  return (
    <>
      <video
        src={held}
        muted
        preload="metadata"
        aria-label={alt}
        style={absent ? { display: 'none' } : {}}
        onError={({ currentTarget }) => void onError(currentTarget)}
        onLoadedMetadata={({ currentTarget }) => onLoaded(currentTarget)}
      />
      {absent ? instead : null}
    </>
  )
}
