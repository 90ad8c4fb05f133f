// In charge of the decisions about a version: it lists them, and lets the user accept the version or say what must change.

import { agoWords } from '../lib/dates.ts'
import { authorName } from '../lib/people.ts'
import { useNow } from '../lib/use-now.ts'
import { leaveEscape } from '../ui/leave-escape.ts'
import { noteKey } from './draft-keys.ts'
import type { Version } from './queries.ts'
import { useKeptText } from './use-kept-text.ts'
import type { Reviewing } from './use-review.ts'
import { WordsForm } from './words-form.tsx'

const words = { accepted: 'accepted', changes_wanted: 'wants changes' } as const

type Props = { review: Reviewing; look: (version: Version) => void }

export function Decisions({ review, look }: Props) {
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
      {canWrite && wantsChanges ? <Why review={review} look={look} /> : null}
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

/** The form stays when a new version comes while the user writes: the reason is then for the new version, once the user looks at it. */
function Why({ review, look }: Props) {
  const { id, decide, wantChanges, versions, version, current } = review
  const kept = useKeptText(noteKey(id))
  const post = (note: string) => decide('changes_wanted', note.trim())
  const form = { label: 'Why changes are wanted', button: 'Want changes', mayBeEmpty: true, maxLength: 2000 }
  const isOvertaken = version !== current
  return (
    <WordsForm {...form} {...{ kept, post }} isBlocked={isOvertaken} close={() => wantChanges(false)}>
      {isOvertaken ? (
        <Overtaken current={current} look={look} />
      ) : versions.length > 1 ? (
        <p className="hint">The decision will be for v{version?.number}.</p>
      ) : null}
    </WordsForm>
  )
}

function Overtaken({ current, look }: { current: Version | undefined } & Pick<Props, 'look'>) {
  if (!current)
    return (
      <p role="alert" className="review-overtaken">
        The creative has no file any more, so nothing can be decided. What you wrote stays here.
      </p>
    )
  return (
    <div role="alert" className="review-overtaken">
      <p>
        There is a new current version meanwhile, v{current.number}, and a decision can only be for that one. Look at it
        first; what you wrote stays.
      </p>
      <button
        {...leaveEscape}
        type="button"
        className="plain"
        onClick={({ currentTarget }) => {
          // The pressed button disappears, so the focus has to leave it first.
          currentTarget.form?.querySelector('textarea')?.focus()
          look(current)
        }}
      >
        Look at v{current.number}
      </button>
    </div>
  )
}
