// In charge of showing one file: a picture, a film, or the name of any other file.
import type { FileValue } from '@atelier/contract/graph/definition.ts'
import { useState } from 'react'
import { useFileLink } from '../lib/link-store.ts'
import { FilmPreview } from '../ui/film-preview.tsx'
import { Icon } from '../ui/icons.tsx'
import { Thumbnail } from '../ui/thumbnail.tsx'

/** `small`: for lists and grids, where only a thumbnail is shown. */
type Props = { file: FileValue; alt: string; small?: boolean }

export function Picture({ file, alt, small = false }: Props) {
  const url = useFileLink(file.digest)?.url
  /** The digest of a film that the browser cannot show. */
  const [refused, setRefused] = useState<string | null>(null)
  const { digest } = file
  const [kind] = file.media_type.split('/')
  if (url && kind === 'image') {
    if (small) return <Thumbnail digest={digest} alt={alt} />
    return <img src={url} alt={alt} loading="lazy" decoding="async" draggable={false} />
  }
  // Until the URL of a picture is known, an icon is shown without the name, which the picture would replace a moment later.
  const name = (
    <span className="file-name">
      <Icon name={kind === 'image' ? 'image' : 'download'} size={18} />
      {kind === 'image' ? null : <span>{file.name ?? file.media_type}</span>}
    </span>
  )
  if (url && kind === 'video' && refused !== digest) {
    // Films that nodes have made have no speech and no caption files, so there is no track with captions.
    return <FilmPreview key={digest} {...{ url, alt }} instead={name} cannotShow={() => setRefused(digest)} />
  }
  return name
}
