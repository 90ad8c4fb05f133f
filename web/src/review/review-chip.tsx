// In charge of the small labels about a creative's review: its state, its version, and the number of open comments.
import type { Review } from './queries.ts'

const words: Record<Review['state'], { text: string; tone: string | undefined }> = {
  open: { text: 'Not reviewed', tone: undefined },
  awaited: { text: 'In review', tone: 'accent' },
  changes_wanted: { text: 'Changes wanted', tone: 'warn' },
  accepted: { text: 'Accepted', tone: 'ok' },
}

export function ReviewChips({ review }: { review: Review }) {
  const { state, version, open_comments } = review
  if (version === null) return null
  return (
    <>
      {state === 'open' ? null : (
        <span className="mark" data-tone={words[state].tone}>
          {words[state].text}
        </span>
      )}
      {version > 1 ? <span className="mark">v{version}</span> : null}
      {open_comments > 0 ? (
        <span className="mark">
          {open_comments} open {open_comments === 1 ? 'comment' : 'comments'}
        </span>
      ) : null}
    </>
  )
}
