// In charge of showing whether all changes are saved, and of offering another attempt if saving failed.
import { Button } from '@mantine/core'
import { wordsOf } from '../lib/errors.ts'
import { Icon } from '../ui/icons.tsx'
import type { SaveState } from './use-autosave.ts'

type Props = { state: SaveState; readOnly: string | null; retry: () => void }

export function SaveMark({ state, readOnly, retry }: Props) {
  if (readOnly !== null) return <span className="mark">Read only</span>
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
    <span className="save-mark" role="status">
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
