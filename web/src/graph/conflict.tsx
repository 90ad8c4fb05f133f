// In charge of the message that the graph or run was saved elsewhere since this page read it, and by whom: by another user, or by
// the same user in another window; or that this user can no longer change it; or that it is deleted for good. The user can compare both versions, or keep the version
// on this page as a separate graph.
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Doc } from '../canvas/layout.ts'
import { thenCanvas } from '../canvas/use-canvas-focus.ts'
import { hasCode, wordsOf } from '../lib/errors.ts'
import type { Caller } from '../lib/types.ts'
import { useNow } from '../lib/use-now.ts'
import { Icon } from '../ui/icons.tsx'
import { tell, tellError, tellUndoable } from '../ui/toasts.tsx'
import { BothVersions } from './both-versions.tsx'
import { changeWords } from './change-words.ts'
import { GoneForGood } from './gone-for-good.tsx'
import { type Choices, type LeftOut, merged, newIds } from './merge.ts'
import type { HistoryEntry } from './queries.ts'
import type { Editor } from './use-editor.ts'

/**
 * The version that is stored now. `change`: who changed it last, and when; null if that is unknown. `closed`: the reason why the
 * graph or run can no longer be changed, for example because it was deleted; null if it can be changed.
 */
export type Theirs = { doc: Doc; etag: string | null; change: HistoryEntry | null; closed: string | null }

type Props<T extends Theirs> = {
  what: 'graph' | 'run'
  id: string
  editor: Editor
  caller: Caller
  read: () => Promise<T>
  /** Makes the page continue with the stored version. */
  adopt: (theirs: T) => void
  /** Saves the user's own version as a new graph. */
  keep: () => void
  keepLabel: string
}

export function Conflict<T extends Theirs>({ what, id, editor, caller, read, adopt, keep, keepLabel }: Props<T>) {
  const now = useNow()
  const [isOpen, setIsOpen] = useState(false)
  const { autosave, doc, dispatch } = editor
  const theirs = useQuery({
    queryKey: ['theirs', what, id, autosave.etag()],
    queryFn: read,
    // Not kept in the cache, because at the next conflict the stored version may be another one.
    gcTime: 0,
  })
  const words = `${changeWords(what, theirs.data?.change ?? null, caller, now)}${theirs.data ? ', while you worked on it here' : ''}`
  const closed = theirs.data?.closed ?? null
  const docs = theirs.data ? { before: autosave.base(), mine: doc, theirs: theirs.data.doc } : null
  const goOnFrom = (next: Doc, step: 'reset' | 'take', choices: Choices, over: Doc = next) => {
    if (!theirs.data || !docs) return
    adopt(theirs.data)
    // `reset` and `take` drop all earlier undo steps: undoing these would also undo the other user's changes, without any notice.
    const ids = newIds(docs, choices)
    dispatch(step === 'reset' ? { type: 'reset', doc: next, ids } : { type: 'take', doc: next, over, ids })
    autosave.rebase(theirs.data.doc, theirs.data.etag)
  }
  const save = (choices: Choices, leftOut: LeftOut) => {
    if (docs) goOnFrom(merged(docs, choices, leftOut), 'reset', choices)
  }
  const discard = () => {
    if (!docs) return
    // `both` is what Undo brings back: the user's own version, together with the changes that only the other user made.
    const both = merged(docs, new Map())
    goOnFrom(docs.theirs, 'take', new Map(), both)
    offerBack(both, docs.theirs)
  }
  /** Offers to bring back the version that the user has given up for `theirs`. */
  const offerBack = (given: Doc, theirs: Doc) => {
    const bringBack = () => {
      if (autosave.isOpen()) return dispatch({ type: 'join', doc: given, before: theirs })
      saveGiven(given, theirs).then(
        () => tell(`Your version is in the ${what} again; its history has what was there before`),
        (error: unknown) => {
          tellError(error, 'Not undone')
          // Only this page still has the version, so it must not be lost because, for example, the connection was.
          offerBack(given, theirs)
        },
      )
    }
    tellUndoable('Your version was given up', thenCanvas(bringBack))
  }
  /** Brings the version back after the editor has been left, when only the service has the document. */
  const saveGiven = async (given: Doc, theirs: Doc) => {
    // Leaving the editor saves its last changes, which have to be in the version that is read here.
    await autosave.settled()
    const now = await read()
    if (now.closed !== null) throw new Error(now.closed)
    await autosave.saveLeft(merged({ before: theirs, mine: given, theirs: now.doc }, new Map()), now)
  }
  if (hasCode(theirs.error, 'not_found')) return <GoneForGood {...{ what, keep, keepLabel }} />
  return (
    <div className="banner" data-tone="warn" role="alert">
      <Icon name="warning" />
      <p>
        {closed === null ? (
          <>
            <strong>{words}.</strong> What you do here is not saved until you have looked at both versions.
          </>
        ) : (
          <>
            <strong>{closed}</strong> What you did here is not saved, and can be kept as a graph of its own.
          </>
        )}
        {theirs.error ? ` ${wordsOf(theirs.error)}` : ''}
      </p>
      <Button variant="default" onClick={keep}>
        {keepLabel}
      </Button>
      {closed !== null ? (
        <Button variant="default" onClick={discard}>
          Show theirs
        </Button>
      ) : theirs.error ? (
        <Button onClick={() => void theirs.refetch()}>Try again</Button>
      ) : (
        <Button loading={!docs} onClick={() => setIsOpen(true)}>
          See both versions
        </Button>
      )}
      {isOpen && docs && closed === null ? (
        <BothVersions {...{ docs, words, save, discard, keep, keepLabel }} close={() => setIsOpen(false)} />
      ) : null}
    </div>
  )
}
