// In charge of a small picture of a file: its thumbnail, or the file itself if it has no thumbnail. While the file cannot be reached,
// an icon is shown in its place, and the picture is loaded as soon as the file can be reached; the same icon if the file is gone.
import { useEffect, useState } from 'react'
import { useFileLink } from '../lib/link-store.ts'
import { Icon } from './icons.tsx'
import { goneWords } from './not-loaded.tsx'
import { usePicture } from './use-picture.ts'

/** `failed` is called if the browser cannot show the file as a picture; not if the file is gone or cannot be reached. */
type Props = { digest: string; alt: string; failed?: () => void }

export function Thumbnail({ digest, alt, failed }: Props) {
  const link = useFileLink(digest)
  const [isWhole, setIsWhole] = useState(false)
  /** Whether nothing can be shown so far. The browser would show the sign of a broken picture, also for a film, which is no picture. */
  const [isBroken, setIsBroken] = useState(false)
  const { key, onLoad, onError, absent } = usePicture(link?.url, () => {
    // If nothing else is shown instead, the text in place of the picture is.
    setIsBroken(false)
    failed?.()
  })
  const isUnreached = absent?.isGone === false
  useEffect(() => {
    // That the thumbnail did not come then does not mean that there is none.
    if (isUnreached) setIsWhole(false)
  }, [isUnreached])
  if (!link) return null
  if (absent) {
    const icon = <Icon name="image" size={18} />
    return absent.isGone ? <span title={goneWords}>{icon}</span> : icon
  }
  return (
    <img
      key={key}
      src={isWhole ? link.url : link.thumbnail_url}
      alt={alt}
      loading="lazy"
      decoding="async"
      draggable={false}
      style={isBroken ? { visibility: 'hidden' } : undefined}
      onLoad={() => {
        setIsBroken(false)
        onLoad()
      }}
      onError={() => {
        setIsBroken(true)
        if (isWhole) onError()
        else setIsWhole(true)
      }}
    />
  )
}
