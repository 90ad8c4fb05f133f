// In charge of a graph that somebody else saved first: who and when, and the way to look at both versions, or to keep one's own
// beside theirs.
import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Raw } from '../canvas/doc.ts'
import { docOf } from '../canvas/layout.ts'
import { call, callTagged } from '../lib/api.ts'
import { agoWords } from '../lib/dates.ts'
import { wordsOf } from '../lib/errors.ts'
import type { Caller } from '../lib/types.ts'
import { useNow } from '../lib/use-now.ts'
import { Icon } from '../ui/icons.tsx'
import { BothVersions } from './both-versions.tsx'
import { type Choices, merged } from './merge.ts'
import { type Graph, graphQuery, type HistoryEntry } from './queries.ts'
import type { Editor } from './use-editor.ts'

type Props = {
  graph: Graph
  editor: Editor
  caller: Caller
  /** Begins the editor anew with what is there now. */
  reload: () => void
  fork: (content: { definition: Raw }) => void
}

export function GraphConflict({ graph, editor, caller, reload, fork }: Props) {
  const client = useQueryClient()
  const now = useNow()
  const [isOpen, setIsOpen] = useState(false)
  const { autosave, doc, dispatch } = editor
  const theirs = useTheirs(graph.id, autosave.etag())
  const keep = () => fork(doc)
  const words = theirs.data ? changeWords(theirs.data.change, caller, now) : 'This graph was changed elsewhere'
  const isDeleted = theirs.data ? theirs.data.data.deleted_at !== null : false
  const docs = theirs.data ? { before: autosave.base(), mine: doc, theirs: docOf(theirs.data.data) } : null
  const save = (choices: Choices) => {
    if (!docs || !theirs.data) return
    const { data, etag } = theirs.data
    const both = merged(docs, choices)
    if (both === docs.theirs) return reload()
    client.setQueryData(graphQuery(graph.id).queryKey, { ...theirs.data, data, etag })
    // The steps back from here would undo theirs without saying so.
    dispatch({ type: 'reset', doc: both })
    autosave.rebase(docs.theirs, etag)
  }
  return (
    <div className="banner" data-tone="warn" role="alert">
      <Icon name="warning" />
      <p>
        <strong>{words}.</strong>{' '}
        {isDeleted
          ? 'It is deleted now; what you did here can be kept as a fork.'
          : 'What you do here is not saved until you have looked at both versions.'}
        {theirs.error ? ` ${wordsOf(theirs.error)}` : ''}
      </p>
      <Button variant="default" onClick={keep}>
        Keep mine as a fork
      </Button>
      {isDeleted ? null : theirs.error ? (
        <Button onClick={() => void theirs.refetch()}>Try again</Button>
      ) : (
        <Button loading={!docs} onClick={() => setIsOpen(true)}>
          See both versions
        </Button>
      )}
      {isOpen && docs ? (
        <BothVersions
          docs={docs}
          words={words}
          save={save}
          discard={reload}
          keep={keep}
          close={() => setIsOpen(false)}
        />
      ) : null}
    </div>
  )
}

/** What is kept now, and the change that made it so. `based`: the revision that one's own version was made of. */
const useTheirs = (graph_id: string, based: string | null) =>
  useQuery({
    queryKey: ['graph-theirs', graph_id, based],
    queryFn: async () => {
      const [read, { items }] = await Promise.all([
        callTagged('getGraph', { params: { graph_id } }),
        call('listGraphHistory', { params: { graph_id }, query: { limit: 1 } }),
      ])
      return { ...read, change: items[0] ?? null }
    },
    // Of each conflict anew: there may have been another change since.
    gcTime: 0,
  })

function changeWords(change: HistoryEntry | null, caller: Caller, now: number): string {
  const id = change?.by?.user_id ?? null
  const isMe = id !== null && id === caller.user?.id
  const who = isMe ? 'You' : (change?.by?.name ?? 'Somebody')
  const when = change ? ` ${agoWords(change.at, now)}` : ''
  return `${who} changed this graph${isMe ? ' elsewhere' : ''}${when}, while you worked on it here`
}
