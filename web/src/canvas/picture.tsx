// In charge of one file, shown as what it is: a picture, a film, a sound, or its name.
import type { FileValue } from '@atelier/contract/graph/definition.ts'
import { useFileLink } from '../lib/link-store.ts'
import { Icon } from '../ui/icons.tsx'
import { Thumbnail } from '../ui/thumbnail.tsx'

/** `small`: in a list or grid, where the thumbnail is enough. */
type Props = { file: FileValue; alt: string; small?: boolean; controls?: boolean }

export function Picture({ file, alt, small = false, controls = false }: Props) {
  const url = useFileLink(file.digest)?.url
  const [kind] = file.media_type.split('/')
  if (url && kind === 'image') {
    if (small) return <Thumbnail digest={file.digest} alt={alt} />
    return <img src={url} alt={alt} loading="lazy" decoding="async" draggable={false} />
  }
  if (url && kind === 'video') {
    // Generated films have no speech; nodes produce no caption files.
    return <video src={url} controls={controls} muted preload="metadata" aria-label={alt} />
  }
  // While the picture is loading an icon is shown without its name, which would be replaced a moment later.
  return (
    <span className="file-name">
      <Icon name={kind === 'image' ? 'image' : 'download'} size={18} />
      {kind === 'image' ? null : <span>{file.name ?? file.media_type}</span>}
    </span>
  )
}
