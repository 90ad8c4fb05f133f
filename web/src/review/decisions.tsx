// In charge of the decisions about a version: it lists them, and lets the user accept the version or say what must change.

import { agoWords } from '../lib/dates.ts'
import { authorName } from '../lib/people.ts'
import { useNow } from '../lib/use-now.ts'
import { leaveEscape } from '../ui/leave-escape.ts'
import { useKeptText } from './use-kept-text.ts'
import type { Reviewing } from './use-review.ts'
import { WordsForm } from './words-form.tsx'

const words = { accepted: 'accepted', changes_wanted: 'wants changes' } as const

export function Decisions({ review }: { review: Reviewing }) {
  const { version, decisions, canWrite, decide, wantsChanges, wantChanges } = review
  const now = useNow()
  if (!version) return null
  const shown = decisions.filter(({ version: number }) => number === version.number)
  return (
    <section aria-label="Decisions">
      {canWrite && version.current ? (
        <div className="review-row">
          <button {...leaveEscape} type="button" className="plain" onClick={() => void decide('accepted')}>
            Accept (a)
          </button>
          <button
            {...leaveEscape}
            type="button"
            className="plain"
            aria-expanded={wantsChanges}
            onClick={() => wantChanges(!wantsChanges)}
          >
            Want changes (w)
          </button>
        </div>
      ) : null}
      {canWrite && version.current && wantsChanges ? <Why review={review} /> : null}
      {shown.map(({ id, by, decision, note, at, void_at }) => (
        <p key={id} className="review-decision" data-kind={void_at === null ? decision : undefined}>
          {authorName(by)} {words[decision]} v{version.number}
          {note === '' ? '' : `: ${note}`} <time dateTime={at}>{agoWords(at, now)}</time>
          {void_at === null ? '' : ' (does not hold any more)'}
        </p>
      ))}
    </section>
  )
}

function Why({ review: { id, decide, wantChanges } }: { review: Reviewing }) {
  const kept = useKeptText(`${id} review note`)
  const post = (note: string) => decide('changes_wanted', note.trim())
  const form = { label: 'Why changes are wanted', button: 'Want changes', mayBeEmpty: true, maxLength: 2000 }
  return <WordsForm {...form} {...{ kept, post }} close={() => wantChanges(false)} />
}
