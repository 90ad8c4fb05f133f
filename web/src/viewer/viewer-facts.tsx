// In charge of the facts about the picture in the viewer: its size in pixels and bytes, what made it, and what that cost.

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { creditWords } from '../canvas/words.ts'
import { aiWords } from '../lib/marks-words.ts'
import { provenanceQuery } from '../lib/queries.ts'
import { closeViewer, type Viewed } from '../ui/viewer-store.ts'
import { type Size, weightWords } from '../ui/viewer-view.ts'
import { fileHeadQuery } from './file-head.ts'

type Props = { shown: Viewed; size: Size | null; url: string | undefined }

export function ViewerFacts({ shown, size, url }: Props) {
  const file = useQuery({
    ...fileHeadQuery(shown.digest, url),
    enabled: shown.size === null && url !== undefined,
  }).data
  const bytes = shown.size ?? file?.size ?? null
  const type = shown.mediaType ?? file?.type ?? null
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a panel that scrolls must be reachable by keyboard.
    <aside className="viewer-facts" aria-label="What is known of it" tabIndex={0}>
      <dl className="viewer-list">
        <Fact name="Pixels" value={size ? `${size.width} × ${size.height}` : null} />
        <Fact name="Weight" value={bytes === null ? null : weightWords(bytes)} />
        <Fact name="Type" value={type} />
        {(shown.facts ?? []).map(([name, value]) => (
          <Fact key={name} name={name} value={value} />
        ))}
      </dl>
      {shown.creativeId === undefined ? null : <Made creativeId={shown.creativeId} />}
    </aside>
  )
}

function Fact({ name, value }: { name: string; value: string | null }) {
  if (value === null) return null
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}

function Made({ creativeId }: { creativeId: string }) {
  const made = useQuery(provenanceQuery(creativeId)).data
  if (made === undefined) return null
  if (made === null) return <p className="hint">No run made it: somebody put it on the card.</p>
  return (
    <dl className="viewer-list">
      <div>
        <dt>Made by</dt>
        <dd>
          <Link to="/runs/$run_id" params={{ run_id: made.run_id }} search={{}} onClick={closeViewer}>
            A run
          </Link>
          , node {made.node_id} ({made.node_type})
        </dd>
      </div>
      <Fact name="Cost" value={creditWords(made.credits)} />
      <Fact name="Made by a model" value={aiWords(made.ai)} />
      <Fact name="Credentials" value={made.signed_by === null ? null : `Signed by ${made.signed_by}`} />
    </dl>
  )
}
