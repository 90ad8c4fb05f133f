// In charge of asking the user before a page is left with changes that could not be saved.
import { Button, Modal } from '@mantine/core'
import { type ShouldBlockFn, useBlocker } from '@tanstack/react-router'
import { useCallback, useEffect } from 'react'
import { wordsOf } from '../lib/errors.ts'
import type { Editor } from './use-editor.ts'

/** How long in ms leaving a page waits for the last changes to be saved. */
const patienceMs = 3_000

export function LeaveGuard({ autosave: { state, flush } }: Pick<Editor, 'autosave'>) {
  const isSaved = state.kind === 'saved'
  const shouldBlockFn = useCallback<ShouldBlockFn>(
    async ({ current, next }) => isLeft(current, next) && !(await isSoonSaved(flush)),
    [flush],
  )
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn,
    disabled: isSaved,
    enableBeforeUnload: false, // `useAutosave` does this
    withResolver: true,
  })
  useEffect(() => {
    if (isSaved && status === 'blocked') proceed()
  }, [isSaved, status, proceed])
  return (
    <Modal opened={status === 'blocked'} onClose={() => reset?.()} title="Leave without your last changes?">
      <p className="dialog-text">
        {state.kind === 'conflict'
          ? 'Somebody else has saved another version, and yours is not saved. Choose first what to keep of each, or lose yours.'
          : `They are not saved. ${state.kind === 'failed' ? wordsOf(state.error) : 'The service has not answered yet.'}`}
      </p>
      <div className="dialog-foot">
        <Button variant="default" color="red" onClick={() => proceed?.()}>
          Leave and lose them
        </Button>
        <Button data-autofocus onClick={() => reset?.()}>
          Stay here
        </Button>
      </div>
    </Modal>
  )
}

type Place = Pick<Parameters<ShouldBlockFn>[0]['next'], 'pathname' | 'search'>

/** Whether the editor closes. The editor of a run has the address of the run's page, except for the search parameter `view`. */
const isLeft = (from: Place, to: Place): boolean => from.pathname !== to.pathname || viewOf(from) !== viewOf(to)

const viewOf = ({ search }: Place): string | undefined => ('view' in search ? search.view : undefined)

const isSoonSaved = (flush: () => Promise<boolean>): Promise<boolean> =>
  Promise.race([flush(), new Promise<boolean>((resolve) => setTimeout(() => resolve(false), patienceMs))])
