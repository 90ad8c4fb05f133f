// In charge of the page of a task, which opens beside the board: its details, creatives, runs, comments and history.
import { Tabs } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { type RefObject, useEffect, useMemo, useRef } from 'react'
import { useBoard } from '../board/board-context.ts'
import { focusCard, granted } from '../board/selection.ts'
import { hasCode } from '../lib/errors.ts'
import { taskQuery, taskRunsQuery } from '../lib/queries.ts'
import { Empty, Failed, Loading } from '../ui/states.tsx'
import { History } from './activity.tsx'
import { Comments } from './comments.tsx'
import { Creatives } from './creatives.tsx'
import { Details } from './details.tsx'
import { useLateSave } from './late-save.ts'
import { useTakenNameOf } from './restore-creative.ts'
import { RestoreCreativeDialog } from './restore-creative-dialog.tsx'
import { Runs } from './runs.tsx'
import './task.css'
import { isTab, type Tab } from './tabs.ts'
import { TaskHead } from './task-head.tsx'
import { EditedContext } from './use-field.ts'
import { useTab } from './use-tab.ts'
import { useTaskEdit } from './use-task-edit.ts'

export function TaskPage() {
  const { task_id: id } = useParams({ from: '/board/tasks/$task_id' })
  const panel = useRef<HTMLElement>(null)
  /** What focuses something else than the card when the panel closes: the deleted task's neighbour. Null otherwise. */
  const focusInstead = useRef<(() => void) | null>(null)
  // Before the effect below: what the panel covers can have the focus only once it is not covered any more.
  useCovering(panel)
  // The panel takes the focus when it opens. When it closes, the focus moves to the card of the task.
  useEffect(() => {
    // Cancels an earlier `focusCard`, which would otherwise take the focus away from the panel.
    granted()
    panel.current?.focus()
    // Beside the open task, the board is narrower and may no longer show the card, so the card's column is scrolled into view.
    const card = document.querySelector(`[data-card="${CSS.escape(id)}"]`)
    card?.closest('.column')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    return () => {
      if (focusInstead.current) focusInstead.current()
      else focusCard(id)
      focusInstead.current = null
    }
  }, [id])
  return (
    <aside ref={panel} className="task-panel" aria-label="Task" tabIndex={-1}>
      <OpenTask key={id} id={id} deleted={(focus) => (focusInstead.current = focus)} />
    </aside>
  )
}

/** On screens that are no wider, the panel covers the page; the same width is in `task.css`. */
const coveringWidth = '(max-width: 900px)'

/** While the panel covers the board and the top bar, neither the keyboard nor a screen reader gets to what is under the panel. */
function useCovering(panel: RefObject<HTMLElement | null>): void {
  const isCovering = useMediaQuery(coveringWidth, false, { getInitialValueInEffect: false })
  useEffect(() => {
    if (!isCovering) return
    const covered = [...document.querySelectorAll<HTMLElement>('.skip, .top-bar, .board-main')]
    const hasFocus = covered.some((part) => part.contains(document.activeElement))
    for (const part of covered) part.inert = true
    if (hasFocus) panel.current?.focus()
    return () => {
      for (const part of covered) part.inert = false
    }
  }, [isCovering, panel])
}

/** `deleted` is called when the user deletes the task, with what then focuses its neighbour. */
type OpenProps = { id: string; deleted: (focus: () => void) => void }

function OpenTask({ id, deleted }: OpenProps) {
  const { canWrite } = useBoard()
  useTakenNameOf(id)
  const record = useQuery(taskQuery(id))
  const save = useTaskEdit(id)
  const navigate = useNavigate()
  const { tab, show, creativeId } = useTab()
  const disabled = !canWrite || record.data?.task.deleted_at != null
  const late = useLateSave(id, record.data?.task.name ?? '')
  const edited = useMemo(() => ({ taskId: id, creativeId: null, disabled, late }), [id, disabled, late])
  const asking = useQuery(taskRunsQuery(id)).data?.some(({ status }) => status === 'awaiting_input')
  if (record.isPending) return <Loading what="the task" />
  if (record.isError && hasCode(record.error, 'not_found')) {
    return (
      <Empty
        icon="trash"
        title="This task is gone"
        action={
          <button type="button" className="tool" onClick={() => void navigate({ to: '/' })}>
            Close
          </button>
        }
      >
        There is none with this address, or it was deleted longer ago than it can be restored.
      </Empty>
    )
  }
  if (!record.data) return <Failed error={record.error} retry={() => void record.refetch()} />
  const { task, included } = record.data
  const creatives = included.task_creatives.length
  return (
    <EditedContext value={edited}>
      <TaskHead {...{ task, save, disabled, deleted }} />
      <Tabs value={tab} onChange={(next) => isTab(next) && show(next)} keepMounted={false} className="task-tabs">
        <Parts open={tab} creatives={countOf(creatives)} comments={countOf(task.comment_count)} asking={asking} />
        <Tabs.Panel value="details">
          <Details task={task} save={save} disabled={disabled} />
        </Tabs.Panel>
        <Tabs.Panel value="creatives">
          <Creatives task={task} opened={creativeId} disabled={disabled} toRuns={() => show('runs')} />
        </Tabs.Panel>
        <Tabs.Panel value="runs">
          <Runs task={task} disabled={disabled} />
        </Tabs.Panel>
        <Tabs.Panel value="comments">
          <Comments taskId={id} disabled={disabled} />
        </Tabs.Panel>
        <Tabs.Panel value="activity">
          <History taskId={id} disabled={disabled} />
        </Tabs.Panel>
      </Tabs>
      <RestoreCreativeDialog taskId={id} />
    </EditedContext>
  )
}

const countOf = (count: number): string => (count > 0 ? ` ${count}` : '')

/** `open`: the part that is shown. `creatives`, `comments`: how many there are, to follow the name of the part. */
type PartsProps = { open: Tab; creatives: string; comments: string; asking: boolean | undefined }

function Parts({ open, creatives, comments, asking }: PartsProps) {
  const list = useRef<HTMLDivElement>(null)
  const words = [open, creatives, comments, asking].join()
  // On a phone the row is wider than the screen, and all the wider with what stands beside the names.
  useEffect(() => {
    if (words)
      list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [words])
  return (
    <Tabs.List ref={list}>
      <Tabs.Tab value="details">Details</Tabs.Tab>
      <Tabs.Tab value="creatives">Creatives{creatives}</Tabs.Tab>
      <Tabs.Tab value="runs" rightSection={asking ? <Asking /> : null}>
        Runs
      </Tabs.Tab>
      <Tabs.Tab value="comments">Comments{comments}</Tabs.Tab>
      <Tabs.Tab value="activity">Activity</Tabs.Tab>
    </Tabs.List>
  )
}

/** Says that any run of the task waits for an answer. A card on the board says this only of runs that automations started. */
const Asking = () => (
  <span className="mark" data-tone="warn">
    Needs an answer
  </span>
)
