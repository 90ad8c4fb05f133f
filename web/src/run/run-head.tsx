// In charge of the header of a run: the name of its graph, its status, its cost, and the actions on it.
import type { NodeTypes } from '@atelier/contract/graph/graph-rules.ts'
import { busy, runRefuses } from '@atelier/contract/graph/run-rules.ts'
import type { Tagged } from '@atelier/contract/wire/calls.ts'
import { ActionIcon, Anchor, Button, Menu, Tooltip } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { NodeIcon } from '../canvas/node-icons.tsx'
import { RunMark } from '../canvas/status-mark.tsx'
import type { useFocusToCanvas } from '../canvas/use-canvas-focus.ts'
import { creditWords, refusalWords } from '../canvas/words.ts'
import type { Graph } from '../graph/queries.ts'
import { unreadOn } from '../graph/unread-json.ts'
import { taskQuery } from '../lib/queries.ts'
import type { Caller } from '../lib/types.ts'
import { Icon } from '../ui/icons.tsx'
import { ReasonButton } from '../ui/reason-button.tsx'
import { CompareDialog } from './compare-dialog.tsx'
import { ExportDialog } from './export-dialog.tsx'
import { PromoteDialog } from './promote-dialog.tsx'
import type { Run } from './queries.ts'
import { StartMenu } from './start-menu.tsx'
import type { Actions } from './use-actions.ts'

type Props = {
  run: Run
  actions: Actions
  caller: Caller
  graph: Tagged<Graph> | null
  isGraphGone: boolean
  selected: string | null
  types: NodeTypes
  showHistory: () => void
  /** Gives the focus to the canvas if a button disappears that had it, as the one that cancels the run. */
  keepFocus: ReturnType<typeof useFocusToCanvas>
}

type Dialog = 'export' | 'promote' | 'compare' | null

export function RunHead({ run, actions, caller, graph, isGraphGone, selected, types, showHistory, keepFocus }: Props) {
  const [dialog, setDialog] = useState<Dialog>(null)
  const mayWrite = caller.scopes.includes('runs:write')
  const editRefusal = refusalWords(runRefuses.edit(run))
  const deleteRefusal = refusalWords(runRefuses.delete(run))
  const canCancel = (busy(run.status) || run.status === 'awaiting_input') && run.deleted_at === null
  // After a success, users most likely export the run next, unless it is exported already: so Export is the main button then.
  const isToExport = run.status === 'succeeded' && run.exported_at === null
  // What a person left unfinished in the definition of a record does not matter, because only the record can be started.
  const unread = editRefusal === null ? unreadOn(`/runs/${run.id}`, run.definition, types) : null
  const to = '/runs/$run_id'
  const params = { run_id: run.id }
  return (
    <div className="studio-bar" {...keepFocus}>
      <RunTitle graph={graph} isGone={isGraphGone} />
      <span role="status" className="status-line">
        <RunMark status={run.status} />
      </span>
      <Facts run={run} />
      <div className="studio-actions">
        {canCancel && mayWrite ? (
          <Button
            variant="default"
            leftSection={<NodeIcon name="stop" size={14} />}
            loading={run.cancel_requested && busy(run.status)}
            onClick={() => void actions.cancel()}
          >
            Cancel
          </Button>
        ) : null}
        {mayWrite ? <ExportButton run={run} isLoud={isToExport} open={() => setDialog('export')} /> : null}
        <StartMenu {...{ run, actions, mayWrite, unread }} node={selected} isQuiet={isToExport} />
        <Tooltip label="Checkpoints of this run, and going back to one">
          <Button variant="default" leftSection={<NodeIcon name="history" size={14} />} onClick={showHistory}>
            History
          </Button>
        </Tooltip>
        <Menu width={250}>
          <Menu.Target>
            <ActionIcon aria-label="More about this run">
              <Icon name="more" size={18} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<NodeIcon name="compare" />} onClick={() => setDialog('compare')}>
              Compare with another run
            </Menu.Item>
            <Menu.Item
              leftSection={<Icon name="edit" />}
              renderRoot={(props) => <Link to={to} params={params} search={{ view: 'edit' }} {...props} />}
            >
              <span className="menu-lines">
                {editRefusal === null ? 'Edit its definition' : 'Look at its definition'}
                {editRefusal === null ? null : <span className="hint">{editRefusal}</span>}
              </span>
            </Menu.Item>
            {graph ? (
              <Menu.Item leftSection={<NodeIcon name="promote" />} onClick={() => setDialog('promote')}>
                <span className="menu-lines">
                  Promote to the graph
                  <span className="hint">Makes its definition the graph’s.</span>
                </span>
              </Menu.Item>
            ) : null}
            {mayWrite && run.deleted_at === null ? (
              <Menu.Item
                color="red"
                leftSection={<Icon name="trash" />}
                disabled={deleteRefusal !== null}
                onClick={() => void actions.remove()}
              >
                <span className="menu-lines">
                  Delete
                  {deleteRefusal === null ? null : <span className="hint">{deleteRefusal}</span>}
                </span>
              </Menu.Item>
            ) : null}
          </Menu.Dropdown>
        </Menu>
      </div>
      {dialog === 'export' ? (
        <ExportDialog run={run} actions={actions} types={types} close={() => setDialog(null)} />
      ) : null}
      {dialog === 'promote' && graph ? (
        <PromoteDialog run={run} graphId={graph.data.id} caller={caller} close={() => setDialog(null)} />
      ) : null}
      {dialog === 'compare' ? <CompareDialog run={run} close={() => setDialog(null)} /> : null}
    </div>
  )
}

function ExportButton({ run, isLoud, open }: { run: Run; isLoud: boolean; open: () => void }) {
  const refusal = refusalWords(runRefuses.export(run))
  return (
    <ReasonButton
      variant={isLoud ? 'filled' : 'default'}
      leftSection={<Icon name="upload" size={14} />}
      off={refusal}
      onClick={open}
    >
      Export
    </ReasonButton>
  )
}

function RunTitle({ graph, isGone }: { graph: Tagged<Graph> | null; isGone: boolean }) {
  return (
    <div className="studio-title">
      <Anchor className="crumb" renderRoot={(props) => <Link to="/runs" {...props} />}>
        Runs
      </Anchor>
      <span aria-hidden="true">/</span>
      {graph ? <h1 className="visually-hidden">A run of {graph.data.name}</h1> : null}
      {graph ? (
        <Anchor
          className="run-title"
          renderRoot={(props) => <Link to="/graphs/$graph_id" params={{ graph_id: graph.data.id }} {...props} />}
        >
          {graph.data.name}
        </Anchor>
      ) : (
        <h1 className="run-title">{isGone ? 'A graph that is gone' : 'A run'}</h1>
      )}
    </div>
  )
}

function Facts({ run }: { run: Run }) {
  const task = useQuery({ ...taskQuery(run.task_id ?? ''), enabled: run.task_id !== null, retry: false }).data?.task
  return (
    <div className="run-facts">
      <Tooltip
        label="Paid by this generation, and over the whole life of the run. What comes from the cache costs nothing."
        multiline
        w={260}
      >
        <span>
          {creditWords(run.credits_consumed)}
          {run.credits_total > run.credits_consumed ? ` · ${Number(run.credits_total.toFixed(2))} in all` : ''}
        </span>
      </Tooltip>
      {run.generation > 1 ? (
        <Tooltip label="Each start, re-roll and restore is a generation." multiline w={220}>
          <span>generation {run.generation}</span>
        </Tooltip>
      ) : null}
      {task ? (
        <Anchor
          className="mark"
          renderRoot={(props) => <Link to="/tasks/$task_id" params={{ task_id: task.id }} {...props} />}
        >
          <span className="run-task" title={task.name}>
            #{task.number} {task.name}
          </span>
        </Anchor>
      ) : null}
      {run.copied_from ? (
        <Anchor
          className="mark"
          renderRoot={(props) => <Link to="/runs/$run_id" params={{ run_id: run.copied_from ?? '' }} {...props} />}
        >
          <NodeIcon name="fork" size={12} /> Fork of another run
        </Anchor>
      ) : null}
      {run.edited ? (
        <Tooltip label="Its definition differs from the graph’s it was made from. Promote puts it back there.">
          <span className="mark" data-tone="accent">
            Edited
          </span>
        </Tooltip>
      ) : null}
      {run.exported_at ? (
        <span className="mark" data-tone="ok">
          <Icon name="flag" size={12} /> Exported
        </span>
      ) : null}
    </div>
  )
}
