// In charge of showing whether all changes are saved, and of offering another attempt if saving failed. Screen readers speak only of
// failures and of their end: a save follows every change, and would be spoken over what the user is at.
import { Button } from '@mantine/core'
import { useState } from 'react'
import { wordsOf } from '../lib/errors.ts'
import { Icon } from '../ui/icons.tsx'
import type { SaveState } from './use-autosave.ts'

type Props = { state: SaveState; readOnly: string | null; retry: () => void }

export function SaveMark({ state, readOnly, retry }: Props) {
  const end = useEndOfFailure(state)
  if (readOnly !== null) return <span className="mark">Read only</span>
  return (
    <>
      <Mark {...{ state, retry }} />
      <span className="visually-hidden" aria-live="polite">
        {end}
      </span>
    </>
  )
}

type Failure = 'none' | 'now' | 'over'

/**
 * Returns what is to be spoken once nothing is left that could not be saved: it was saved, undone, or given up for another version.
 * Empty until then, and from the next change on.
 */
function useEndOfFailure({ kind }: SaveState): string {
  const [failure, setFailure] = useState<Failure>('none')
  const next = failureAfter(failure, kind)
  if (next !== failure) setFailure(next)
  return failure === 'over' ? 'Everything here is saved.' : ''
}

function failureAfter(before: Failure, kind: SaveState['kind']): Failure {
  if (kind === 'failed' || kind === 'forbidden' || kind === 'conflict') return 'now'
  if (before === 'none') return 'none'
  if (kind === 'saved') return 'over'
  return before === 'now' ? 'now' : 'none'
}

function Mark({ state, retry }: Pick<Props, 'state' | 'retry'>) {
  if (state.kind === 'failed') {
    return (
      <span className="save-mark problem" role="alert">
        Not saved: {wordsOf(state.error)}
        <Button size="compact-xs" variant="default" onClick={retry}>
          Try again
        </Button>
      </span>
    )
  }
  return (
    <span className="save-mark" role="status" aria-live="off">
      {state.kind === 'saved' ? (
        <>
          <Icon name="check" size={13} /> Saved
        </>
      ) : state.kind === 'conflict' || state.kind === 'forbidden' ? (
        'Not saved'
      ) : (
        'Saving …'
      )}
    </span>
  )
}
