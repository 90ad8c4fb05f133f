// In charge of the preview of a film in lists: its first frame, without controls. While the film cannot be reached, `instead` is
// shown in its place, and the film is loaded again and again; `instead` alone if it is gone. A sound, which has no frame to show, has
// an icon.
import { type ReactNode, useState } from 'react'
import { Icon } from './icons.tsx'
import { useHeldAddress } from './use-held-address.ts'

/** `cannotShow` is called if the browser cannot show the file as a film; not if the file is gone or cannot be reached. */
type Props = { url: string; alt?: string; instead: ReactNode; cannotShow: () => void }

/** It needs a key that changes with the file. */
export function FilmPreview({ url, alt, instead, cannotShow }: Props) {
  const [isSound, setIsSound] = useState(false)
  const { held, onError, onLoaded, absent } = useHeldAddress(url, cannotShow)
  return (
    <>
      <video
        src={held}
        muted
        preload="metadata"
        aria-label={alt}
        style={absent || isSound ? { display: 'none' } : {}}
        onError={({ currentTarget }) => void onError(currentTarget)}
        onLoadedMetadata={({ currentTarget }) => {
          onLoaded(currentTarget)
          setIsSound(currentTarget.videoWidth === 0)
        }}
      />
      {absent ? instead : isSound ? <Icon name="sound" size={24} /> : null}
    </>
  )
}
