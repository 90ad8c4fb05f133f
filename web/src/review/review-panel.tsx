// In charge of the panel beside a picture that is reviewed: the versions, the decisions, and the comments.
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../lib/api.ts'
import { agoWords, fullWords } from '../lib/dates.ts'
import { useNow } from '../lib/use-now.ts'
import { leaveEscape } from '../ui/leave-escape.ts'
import { tell, tellError } from '../ui/toasts.tsx'
import { useGrowing } from '../ui/use-growing.ts'
import { Composer } from './composer.tsx'
import { Decisions } from './decisions.tsx'
import type { Version } from './queries.ts'
import './review.css'
import { keyWords } from './review-keys.ts'
import { ThreadItem } from './thread-item.tsx'
import { UnsentAnswers } from './unsent-answers.tsx'
import { UnsentWords } from './unsent-words.tsx'
import type { Reviewing } from './use-review.ts'

type Props = {
  review: Reviewing
  /** Opens a version in the viewer. */
  look: (version: Version) => void
  /** Shows a version to the left of the open one, to compare them. */
  compare: (version: Version) => void
}

/** How many threads each animation frame adds: rendering one thread takes about 0.2 ms. */
const threadsPerFrame = 30

export function ReviewPanel({ review, look, compare }: Props) {
  const { current, threads, canWrite, isKnown, absence, caller } = review
  const isReading = absence !== null || (caller !== undefined && !canWrite)
  const drawn = useGrowing(threads.length, threadsPerFrame)
  const open = threads.filter(({ resolved }) => !resolved).length
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a panel that scrolls must be reachable by keyboard.
    <aside className="review" aria-label="Review" tabIndex={0}>
      {isReading ? <UnsentWords review={review} /> : null}
      <Versions {...{ review, look, compare }} />
      <Decisions review={review} look={look} />
      <div className="review-row">
        <h3>
          Comments <span className="hint">{threads.length === 0 ? '' : `${open} open of ${threads.length}`}</span>
        </h3>
        {canWrite && current && threads.length > 0 ? (
          <button
            {...leaveEscape}
            type="button"
            className="plain review-to-field"
            onClick={() => review.field.current?.focus()}
          >
            Write one
          </button>
        ) : null}
      </div>
      {isKnown && threads.length === 0 ? <p className="hint">Nothing has been said of it yet.</p> : null}
      <ol className="review-list" aria-label="Comments on the picture">
        {threads.slice(0, drawn).map((thread) => (
          <ThreadItem key={thread.id} {...{ thread, review, look }} />
        ))}
      </ol>
      {isReading ? null : <UnsentAnswers review={review} />}
      {canWrite && current ? <Composer key={review.creativeId} review={review} /> : null}
      <details className="review-keys">
        <summary {...leaveEscape}>Keys</summary>
        <dl>
          {keyWords.map(([key, words]) => (
            <div key={key}>
              <dt>{key}</dt>
              <dd>{words}</dd>
            </div>
          ))}
        </dl>
      </details>
    </aside>
  )
}

function Versions({ review, look, compare }: Props) {
  const { versions, version, current, threads, canWrite, refresh, decideTake } = review
  const now = useNow()
  const client = useQueryClient()
  if (!version || !current) return null
  const before = versions.find(({ number }) => number < version.number) ?? versions.find((one) => one !== version)
  const proposals = new Map(threads.flatMap(({ take }) => (take?.state === 'proposed' ? [[take.version, take]] : [])))
  const proposal = proposals.get(version.number)
  const putBack = () =>
    call('chooseCreativeVersion', {
      params: { creative_id: version.creative_id },
      body: { number: version.number },
    }).then(
      ({ task_id }) => {
        tell(`Version ${version.number} is current again`)
        refresh()
        for (const key of ['creatives', 'task', 'marks']) void client.invalidateQueries({ queryKey: [key, task_id] })
      },
      (error: unknown) => tellError(error, 'Not made current'),
    )
  return (
    <section aria-label="Versions">
      <div className="review-row">
        <label>
          Version{' '}
          <select
            {...leaveEscape}
            value={version.number}
            onChange={({ currentTarget }) => {
              const next = versions.find(({ number }) => number === Number(currentTarget.value))
              if (next) look(next)
            }}
          >
            {versions.map(({ number, current: isCurrent }) => (
              <option key={number} value={number}>
                v{number}
                {isCurrent ? ' (current)' : proposals.has(number) ? ' (proposed)' : ''}
              </option>
            ))}
          </select>
        </label>
        {before ? (
          <button {...leaveEscape} type="button" className="plain" onClick={() => compare(before)}>
            Compare with v{before.number}
          </button>
        ) : null}
        {canWrite && version !== current ? (
          <button
            {...leaveEscape}
            type="button"
            className="plain"
            onClick={() => void (proposal ? decideTake(proposal, 'use') : putBack())}
          >
            Make v{version.number} current
          </button>
        ) : null}
      </div>
      <p className="hint">
        {version.made_by ? 'From a run' : 'Put there'} by {version.by?.name ?? 'somebody'},{' '}
        <time dateTime={version.at} title={fullWords(version.at)}>
          {agoWords(version.at, now)}
        </time>
      </p>
    </section>
  )
}
