// In charge of showing one file: a picture, a film, or the name of any other file.
import type { FileValue } from '@atelier/contract/graph/definition.ts'
import { useFileLink } from '../lib/link-store.ts'
import { Icon } from '../ui/icons.tsx'
import { Thumbnail } from '../ui/thumbnail.tsx'

/** `small`: for lists and grids, where only a thumbnail is shown. */
type Props = { file: FileValue; alt: string; small?: boolean; controls?: boolean }

export function Picture({ file, alt, small = false, controls = false }: Props) {
  const url = useFileLink(file.digest)?.url
  const [kind] = file.media_type.split('/')
  if (url && kind === 'image') {
    if (small) return <Thumbnail digest={file.digest} alt={alt} />
    return <img src={url} alt={alt} loading="lazy" decoding="async" draggable={false} />
  }
  if (url && kind === 'video') {
    // Films that nodes have made have no speech and no caption files, so there is no track with captions.
    return <video src={url} controls={controls} muted preload="metadata" aria-label={alt} />
  }
  // Until the URL of a picture is known, an icon is shown without the name, which the picture would replace a moment later.
  return (
    <span className="file-name">
      <Icon name={kind === 'image' ? 'image' : 'download'} size={18} />
      {kind === 'image' ? null : <span>{file.name ?? file.media_type}</span>}
    </span>
  )
}
