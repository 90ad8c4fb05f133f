// In charge of a small picture of a file: its thumbnail, or the file itself if it has no thumbnail.
import { useState } from 'react'
import { useFileLink } from '../lib/link-store.ts'

type Props = { digest: string; alt: string; failed?: () => void }

export function Thumbnail({ digest, alt, failed }: Props) {
  const link = useFileLink(digest)
  const [isWhole, setIsWhole] = useState(false)
  if (!link) return null
  return (
    <img
      src={isWhole ? link.url : link.thumbnail_url}
      alt={alt}
      loading="lazy"
      decoding="async"
      draggable={false}
      onError={() => (isWhole ? failed?.() : setIsWhole(true))}
    />
  )
}
