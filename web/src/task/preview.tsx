// In charge of the small preview of a file. A picture or film opens in the viewer; any other file is shown as a link.
import { useState } from 'react'
import { useFileLink } from '../lib/link-store.ts'
import { FilmPreview } from '../ui/film-preview.tsx'
import { Icon } from '../ui/icons.tsx'
import { Thumbnail } from '../ui/thumbnail.tsx'

/** The type of the file is not known in advance: it is shown as a picture; if that fails, as a film; if that fails, as a link. */
const kinds = ['picture', 'film', 'other'] as const

type Props = { digest: string | null; name: string; open: () => void }

export function Preview({ digest, name, open }: Props) {
  if (digest !== null) return <FilePreview key={digest} digest={digest} name={name} open={open} />
  return (
    <span className="preview">
      <Icon name="image" size={18} />
    </span>
  )
}

function FilePreview({ digest, name, open }: Props & { digest: string }) {
  const url = useFileLink(digest)?.url
  const [at, setAt] = useState(0)
  const kind = kinds[at] ?? 'other'
  const next = () => setAt((before) => before + 1)
  const label = `Open the file of ${name}`
  if (kind === 'other') {
    return (
      <a className="preview" href={url} target="_blank" rel="noreferrer" aria-label={label}>
        <Icon name="download" size={18} />
      </a>
    )
  }
  return (
    <button type="button" className="preview" aria-label={label} onClick={open}>
      {kind === 'picture' ? <Thumbnail digest={digest} alt="" failed={next} /> : null}
      {kind === 'film' && url ? (
        <FilmPreview url={url} instead={<Icon name="image" size={18} />} cannotShow={next} />
      ) : null}
    </button>
  )
}
