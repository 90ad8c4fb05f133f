// In charge of the history of a graph or a run: a list of checkpoints with their authors, what would change, and restoring one.
import { ActionIcon, Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { agoWords, fullWords } from '../lib/dates.ts'
import { useNow } from '../lib/use-now.ts'
import { Icon } from '../ui/icons.tsx'
import { Failed, Loading } from '../ui/states.tsx'
import type { HistoryEntry } from './queries.ts'
import { summaryWords } from './summary-words.ts'

type Props = {
  what: 'graph' | 'run'
  /** Whether the newest checkpoint equals the present state; the list then says so, and has no button for restoring it. */
  isNewestNow: boolean
  entries: readonly HistoryEntry[] | undefined
  error: unknown
  retry: () => void
  more: (() => void) | null
  /** The reason why nothing can be restored; null if checkpoints can be restored. */
  refusal: string | null
  restore: (at: string) => Promise<void>
  /** Returns an element that shows what restoring this checkpoint would change; called only for the checkpoint that is unfolded. */
  preview: (at: string) => React.ReactNode
  close: () => void
}

export function History({ what, isNewestNow, entries, error, retry, more, refusal, restore, preview, close }: Props) {
  const now = useNow()
  const [open, setOpen] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const go = (at: string) => {
    setBusy(true)
    void restore(at).finally(() => setBusy(false))
  }
  return (
    <div className="inspector-body">
      <div className="side-head">
        <h2>History</h2>
        <ActionIcon aria-label="Close the history" onClick={close}>
          <Icon name="close" />
        </ActionIcon>
      </div>
      <div className="side-scroll">
        <p className="hint">
          Checkpoints of this {what}, newest first. Going back to one is a checkpoint too, so it can be undone.
        </p>
        {entries === undefined ? error ? <Failed error={error} retry={retry} /> : <Loading what="the history" /> : null}
        <ol className="timeline">
          {(entries ?? []).map((entry, index) => {
            const { at, kind, by, summary } = entry
            const isOpen = open === at
            const { text, runId } = summaryWords(summary)
            return (
              <li key={at} data-open={isOpen || undefined} data-kind={kind}>
                <button
                  type="button"
                  className="timeline-head"
                  aria-expanded={isOpen}
                  onClick={() => setOpen(isOpen ? null : at)}
                >
                  <strong>{text}</strong>
                  <span className="hint" title={fullWords(at)}>
                    {index === 0 && isNewestNow ? 'as it stands now, ' : ''}
                    {agoWords(at, now)}
                    {by ? ` · ${authorName(by)}` : ''}
                  </span>
                </button>
                {runId === null ? null : (
                  <Link className="timeline-link" to="/runs/$run_id" params={{ run_id: runId }}>
                    Open the run
                  </Link>
                )}
                {isOpen ? (
                  <div className="timeline-body">
                    {preview(at)}
                    {index === 0 && isNewestNow ? null : (
                      <>
                        <Button
                          size="xs"
                          variant="light"
                          loading={busy}
                          disabled={refusal !== null}
                          onClick={() => go(at)}
                        >
                          Go back to this
                        </Button>
                        {refusal === null ? null : <p className="hint">{refusal}</p>}
                      </>
                    )}
                  </div>
                ) : null}
              </li>
            )
          })}
        </ol>
        {more ? (
          <Button variant="subtle" onClick={more}>
            Earlier
          </Button>
        ) : null}
      </div>
    </div>
  )
}

const authorName = (by: NonNullable<HistoryEntry['by']>): string => by.name ?? 'somebody'
