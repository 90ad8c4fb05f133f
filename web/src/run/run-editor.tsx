// In charge of editing the definition of one run: changes affect only this run until the user promotes them to the graph.
import type { NodeTypes } from '@atelier/contract/graph/graph-rules.ts'
import { runRefuses } from '@atelier/contract/graph/run-rules.ts'
import { forkName } from '@atelier/contract/names.ts'
import type { Tagged } from '@atelier/contract/wire/calls.ts'
import { Anchor, Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { docOf } from '../canvas/layout.ts'
import { mayOnlyLook, refusalWords } from '../canvas/words.ts'
import { Conflict, type Theirs } from '../graph/conflict.tsx'
import { Editor } from '../graph/editor.tsx'
import { Forbidden } from '../graph/forbidden.tsx'
import { IssueEntries } from '../graph/issues-panel.tsx'
import type { Graph } from '../graph/queries.ts'
import { useEditor } from '../graph/use-editor.ts'
import { useRole } from '../graph/use-role.ts'
import { call, callTagged } from '../lib/api.ts'
import { ifMatch } from '../lib/conflict.ts'
import type { Caller } from '../lib/types.ts'
import { Icon } from '../ui/icons.tsx'
import { tell, tellError } from '../ui/toasts.tsx'
import { type Run, runQuery } from './queries.ts'

type Props = { run: Tagged<Run>; types: NodeTypes; caller: Caller; graph: Tagged<Graph> | null; isGraphGone: boolean }

export function RunEditor({ run: { data: run, etag }, types, caller, graph, isGraphGone }: Props) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const role = useRole('runs:write')
  const readOnly = role.allows ? refusalWords(runRefuses.edit(run)) : mayOnlyLook
  const params = { run_id: run.id }
  const editor = useEditor(
    {
      definition: run.definition,
      uiState: run.ui_state,
      etag,
      ...{ readOnly, role },
      save: ({ definition, ui_state }, etag) =>
        callTagged('patchRun', {
          params,
          body: {
            ...(definition ? { definition: { ...definition } } : {}),
            ...(ui_state ? { ui_state: { ...ui_state } } : {}),
          },
          headers: ifMatch(etag),
        }),
    },
    types,
  )
  const leave = async () => {
    // Otherwise the editor stays, and `LeaveGuard` asks whether to leave it without the changes.
    if (await editor.autosave.flush()) await client.invalidateQueries({ queryKey: runQuery(run.id).queryKey })
    await navigate({ to: '/runs/$run_id', params })
  }
  return (
    <Editor
      editor={editor}
      trying={null}
      title={
        <div className="studio-title">
          <Anchor className="crumb" renderRoot={(props) => <Link to="/runs/$run_id" params={params} {...props} />}>
            {graph ? `Run of ${graph.data.name}` : isGraphGone ? 'Run of a graph that is gone' : 'Run'}
          </Anchor>
          <span aria-hidden="true">/</span>
          <h1 className="run-title">Definition</h1>
        </div>
      }
      banner={
        editor.autosave.state.kind === 'conflict' ? (
          <RunConflict
            run={run}
            editor={editor}
            caller={caller}
            name={graph?.data.name ?? (isGraphGone ? 'A graph that is gone' : 'A run')}
          />
        ) : editor.autosave.state.kind === 'forbidden' ? (
          <Forbidden what="run" editor={editor} />
        ) : (
          <div className="banner" data-tone="quiet">
            <p>
              {readOnly ??
                'Changes here are for this run alone, and make a draft of it: what still follows from the definition stays. Promote puts them on the graph.'}
            </p>
          </div>
        )
      }
      actions={
        <Button leftSection={<Icon name="left" size={14} />} onClick={() => void leave()}>
          Back to the run
        </Button>
      }
      about={<IssuesAside editor={editor} />}
      aside={null}
      closeAside={() => undefined}
    />
  )
}

type ConflictProps = { run: Run; editor: ReturnType<typeof useEditor>; caller: Caller; name: string }

function RunConflict({ run, editor, caller, name }: ConflictProps) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const params = { run_id: run.id }
  const read = async (): Promise<Theirs> => {
    const [{ data, etag }, { items }] = await Promise.all([
      callTagged('getRun', { params }),
      call('listRunHistory', { params, query: { limit: 1 } }),
    ])
    return { doc: docOf(data), etag, change: items[0] ?? null, closed: refusalWords(runRefuses.edit(data)) }
  }
  const keep = async () => {
    try {
      await editor.uploads.waitUntilDone()
      const made = await call('createGraph', { body: { name: forkName(name, '(mine)'), ...editor.asGraph() } })
      tell(`“${made.name}” is yours`)
      await navigate({ to: '/graphs/$graph_id', params: { graph_id: made.id }, ignoreBlocker: true })
    } catch (error) {
      tellError(error, 'Not kept')
    }
  }
  return (
    <Conflict
      what="run"
      id={run.id}
      {...{ editor, caller, read }}
      adopt={() => void client.invalidateQueries({ queryKey: runQuery(run.id).queryKey })}
      keep={() => void keep()}
      keepLabel="Keep mine as a graph"
    />
  )
}

const IssuesAside = ({ editor }: { editor: ReturnType<typeof useEditor> }) => (
  <div className="inspector-body">
    <div className="side-head">
      <h2>The definition of this run</h2>
    </div>
    <div className="side-scroll">
      <p className="hint">Select a node to change it.</p>
      <IssueEntries editor={editor} />
    </div>
  </div>
)
