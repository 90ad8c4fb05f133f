// In charge of asking the user before a page is left with changes that could not be saved, or with files that are still uploading.
import { Button, Modal } from '@mantine/core'
import { type ShouldBlockFn, useBlocker } from '@tanstack/react-router'
import { useCallback, useEffect, useRef } from 'react'
import { wordsOf } from '../lib/errors.ts'
import type { SaveState } from './use-autosave.ts'
import type { Editor } from './use-editor.ts'
import type { Uploads } from './use-editor-uploads.ts'

/** How long in ms leaving a page waits for the last changes to be saved. */
const patienceMs = 3_000

type Props = Pick<Editor, 'autosave'> & Pick<Uploads, 'isUploading' | 'failed'>

export function LeaveGuard({ autosave: { state, flush }, isUploading, failed }: Props) {
  const isSaved = state.kind === 'saved' && !isUploading
  const shouldBlockFn = useCallback<ShouldBlockFn>(
    async ({ current, next }) => isLeft(current, next) && (isUploading || !(await isSoonSaved(flush))),
    [flush, isUploading],
  )
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn,
    disabled: isSaved,
    enableBeforeUnload: false, // `useAutosave` and `askBeforeClosing` do this
    withResolver: true,
  })
  /** How many uploads had failed when the question was asked. */
  const failedBefore = useRef(failed)
  if (status !== 'blocked') failedBefore.current = failed
  const isFailed = failed > failedBefore.current
  useEffect(() => {
    if (!isSaved || status !== 'blocked') return
    // The file is not in the graph, as a message says: the user did not agree to leave without it.
    if (isFailed) return reset()
    // A file that was just uploaded may have changed the graph, which is then not saved yet.
    void flush().then((isDone) => {
      if (isDone) proceed()
    })
  }, [isSaved, isFailed, status, proceed, reset, flush])
  return (
    <Modal opened={status === 'blocked'} onClose={() => reset?.()} title="Leave without your last changes?">
      <p className="dialog-text">{wordsFor(state)}</p>
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

function wordsFor(state: SaveState): string {
  if (state.kind === 'conflict')
    return 'It was changed elsewhere meanwhile, and yours is not saved. Choose first what to keep, or lose yours.'
  if (state.kind === 'forbidden')
    return 'They are not saved: your role does not allow it any more. An admin can change your role.'
  if (state.kind === 'saved')
    return 'A file is still uploading. It is put into the graph only if you stay until it is there.'
  return `They are not saved. ${state.kind === 'failed' ? wordsOf(state.error) : 'The service has not answered yet.'}`
}

type Place = Pick<Parameters<ShouldBlockFn>[0]['next'], 'pathname' | 'search'>

/** Whether the editor closes. The editor of a run has the address of the run's page, except for the search parameter `view`. */
const isLeft = (from: Place, to: Place): boolean => from.pathname !== to.pathname || viewOf(from) !== viewOf(to)

const viewOf = ({ search }: Place): string | undefined => ('view' in search ? search.view : undefined)

const isSoonSaved = (flush: () => Promise<boolean>): Promise<boolean> =>
  Promise.race([flush(), new Promise<boolean>((resolve) => setTimeout(() => resolve(false), patienceMs))])
