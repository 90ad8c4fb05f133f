// In charge of the new take for a comment (the picture generated again): its price, its progress, and the version it proposes.
import type { ReviewTakeStart } from '@atelier/contract/review-takes.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { planWords } from '../canvas/words.ts'
import { call } from '../lib/api.ts'
import { wordsOf } from '../lib/errors.ts'
import { guard } from '../money/guarded.ts'
import { leaveEscape } from '../ui/leave-escape.ts'
import { closeViewer } from '../ui/viewer-store.ts'
import { takePlanQuery, type Version } from './queries.ts'
import type { Reviewing, Thread } from './use-review.ts'

type Props = { thread: Thread; review: Reviewing; look: (version: Version) => void }

export function TakeLine({ thread, review, look }: Props) {
  const { asksTake, askTake, versions, canStart, absence } = review
  const isAsked = asksTake === thread.id
  const { take } = thread
  const made = versions.find(({ number }) => number === thread.version)?.made_by ?? null
  const isOpen = take?.state === 'under_way' || take?.state === 'proposed'
  const whyNot = made === null ? `v${thread.version} was uploaded: no run can make it anew.` : notAllowed(canStart)
  return (
    <>
      {take ? <Standing take={take} review={review} look={look} /> : null}
      {absence || isOpen || thread.resolved || review.chosen !== thread.id ? null : whyNot === null ? (
        <button
          {...leaveEscape}
          type="button"
          className="plain"
          aria-expanded={isAsked}
          onClick={() => askTake(isAsked ? null : thread.id)}
        >
          {take?.state === 'failed' ? 'Try the take again' : 'Make a new take of this'}
        </button>
      ) : (
        <p className="hint">{whyNot}</p>
      )}
      {isAsked && !isOpen && whyNot === null ? <Ask thread={thread} review={review} /> : null}
    </>
  )
}

const notAllowed = (canStart: boolean): string | null =>
  canStart ? null : 'A new take is a run: you may not start runs. Ask an editor.'

/** Shows what a new take would cost; a button starts the take. */
function Ask({ thread, review }: Pick<Props, 'thread' | 'review'>) {
  const plan = useQuery(takePlanQuery(thread.id))
  const [problem, setProblem] = useState<string | null>(null)
  const [isSent, setIsSent] = useState(false)
  if (plan.isPending) return <p className="hint">Asking what it costs …</p>
  if (!plan.data) return <p role="alert">{wordsOf(plan.error)}</p>
  const { why_not, credits, money, message } = plan.data
  if (why_not !== null || !credits || !money) return <p role="alert">{why_not}</p>
  const start = async () => {
    setIsSent(true)
    try {
      // The price that the user sees is sent as the limit, so that the take cannot cost more.
      const body = money.most === null || money.most === 0 ? {} : { max_cost: money.most }
      const params = { comment_id: thread.id }
      const started = await guard<ReviewTakeStart, unknown>(body, {
        start: (body) => call('startReviewTake', { params, body }),
        ask: (body) => call('askTakeApproval', { params, body }),
      })
      setProblem(null)
      if (started !== null) review.askTake(null)
    } catch (error) {
      setProblem(wordsOf(error))
    }
    setIsSent(false)
    review.refresh()
  }
  return (
    <>
      <p className="hint">
        The comment goes to the run as words of its own; only this picture is made anew. Price:{' '}
        {planWords({ credits, money })}. {message}
      </p>
      <div className="review-row">
        <button {...leaveEscape} type="button" className="plain" disabled={isSent} onClick={() => void start()}>
          Start the take
        </button>
        <button {...leaveEscape} type="button" className="plain" onClick={() => review.askTake(null)}>
          Not now
        </button>
      </div>
      {problem === null ? null : <p role="alert">{problem}</p>}
    </>
  )
}

type Take = NonNullable<Thread['take']>

function Standing({ take, review, look }: { take: Take } & Pick<Props, 'review' | 'look'>) {
  const { state, version: number, error, run_status } = take
  const version = review.versions.find((one) => one.number === number)
  const words = {
    under_way: run_status === 'awaiting_input' ? 'The take waits for an answer in its run.' : 'Take under way.',
    proposed: `The take is proposed as v${number}.`,
    used: `v${number} came of it.`,
    dismissed: `The take v${number} was dismissed.`,
    failed: `The take failed: ${error}`,
  }
  return (
    <>
      <p className="hint" role={state === 'failed' ? 'alert' : 'status'}>
        {words[state]} <RunLink take={take}>Its run</RunLink>
      </p>
      {state === 'proposed' && version ? (
        <div className="review-row">
          <button {...leaveEscape} type="button" className="plain" onClick={() => look(version)}>
            Look at v{version.number}
          </button>
          {review.canWrite ? (
            <>
              <button
                {...leaveEscape}
                type="button"
                className="plain"
                onClick={() => void review.decideTake(take, 'use')}
              >
                Use this version
              </button>
              <button
                {...leaveEscape}
                type="button"
                className="plain"
                onClick={() => void review.decideTake(take, 'dismiss')}
              >
                Dismiss
              </button>
            </>
          ) : null}
        </div>
      ) : null}
    </>
  )
}

function RunLink({ take: { run_id }, children }: { take: Take; children: ReactNode }) {
  if (run_id === null) return null
  return (
    <Link {...leaveEscape} to="/runs/$run_id" params={{ run_id }} search={{}} onClick={closeViewer}>
      {children}
    </Link>
  )
}
