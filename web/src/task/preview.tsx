// In charge of showing a file small: a picture, a film, or that it is neither.
import { useState } from 'react'
import { Icon } from '../ui/icons.tsx'

/** What a file is is not known before it is shown: one after the other is tried. */
const kinds = ['picture', 'film', 'other'] as const

export function Preview({ url, name }: { url: string | undefined; name: string }) {
  const [at, setAt] = useState(0)
  const kind = kinds[at] ?? 'other'
  const next = () => setAt((before) => before + 1)
  if (!url) {
    return (
      <span className="preview">
        <Icon name="image" size={18} />
      </span>
    )
  }
  return (
    <a className="preview" href={url} target="_blank" rel="noreferrer" aria-label={`Open the file of ${name}`}>
      {kind === 'picture' ? <img src={url} alt="" loading="lazy" onError={next} /> : null}
      {kind === 'film' ? <video src={url} muted preload="metadata" onError={next} /> : null}
      {kind === 'other' ? <Icon name="download" size={18} /> : null}
    </a>
  )
}
