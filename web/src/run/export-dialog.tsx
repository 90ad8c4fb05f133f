// In charge of exporting files of a run to the card of a task: the user chooses the files and the task, and sees the new names.
import { topologicalOrder } from '@atelier/contract/graph/graph-order.ts'
import type { NodeTypes } from '@atelier/contract/graph/graph-rules.ts'
import { readDefinition } from '@atelier/contract/graph/graph-rules.ts'
import { Anchor, Button, Checkbox } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { Picture } from '../canvas/picture.tsx'
import { call, callTagged } from '../lib/api.ts'
import { creativesQuery } from '../lib/queries.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Empty, Failed, Loading } from '../ui/states.tsx'
import { tell, tellError } from '../ui/toasts.tsx'
import { exportBody, type Variants } from './export-body.ts'
import { ExportNames } from './export-names.tsx'
import { atOnce, nextExport } from './next-export.ts'
import {
  likelyOutputs,
  longLists,
  type Nodes,
  type Output,
  type OutputGroup,
  outputGroups,
  type WholeList,
  withWhole,
} from './outputs.ts'
import type { Run } from './queries.ts'
import { TaskPicker } from './task-picker.tsx'
import type { Actions } from './use-actions.ts'
import { readWhole } from './whole-value.tsx'

type Props = { run: Run; actions: Actions; types: NodeTypes; close: () => void }

/** Of long lists of files, the state of a run contains only the beginning. So these lists are loaded before the files are shown. */
export function ExportDialog(props: Props) {
  const { run } = props
  const lists = longLists(run.nodes)
  const whole = useQuery({
    queryKey: ['lists', run.id, lists],
    queryFn: async () => {
      const read: WholeList[] = []
      for (const { node, port, digest } of lists)
        read.push({ node, port, value: await readWhole({ run: run.id, node, port }, digest) })
      return read
    },
    enabled: lists.length > 0,
  })
  // Only the lists are cached, under their digests. The other files may be made anew meanwhile, so they come from the run as it is.
  const nodes = useMemo(
    () => (lists.length === 0 ? run.nodes : whole.data && withWhole(run.nodes, whole.data)),
    [run.nodes, lists.length, whole.data],
  )
  return (
    <Dialog onClose={props.close} size="xl" title="Export to a task" closeButtonProps={{ 'aria-label': 'Close' }}>
      {nodes ? (
        <ExportFiles {...props} nodes={nodes} />
      ) : whole.error ? (
        <Failed error={whole.error} retry={() => void whole.refetch()} />
      ) : (
        <Loading what="the files of this run" />
      )}
    </Dialog>
  )
}

function ExportFiles({ run, nodes, actions, types, close }: Props & { nodes: Nodes }) {
  const client = useQueryClient()
  const [groups, likely] = useMemo(() => {
    const definition = readDefinition(run.definition)
    const groups = outputGroups(nodes, topologicalOrder(definition))
    return [groups, likelyOutputs(groups, definition)] as const
  }, [run.definition, nodes])
  const [chosen, setChosen] = useState<ReadonlySet<string>>(likely)
  const [taskId, setTaskId] = useState(run.pinned_task_id ?? run.task_id)
  const [variants, setVariants] = useState<Variants>(new Map())
  const [isBusy, setIsBusy] = useState(false)
  const [made, setMade] = useState<string[] | null>(null)
  const outputs = groups.flatMap(({ outputs }) => outputs).filter(({ key }) => chosen.has(key))
  const isLikely = ({ outputs }: OutputGroup) => outputs.some(({ key }) => likely.has(key))
  const others = groups.filter((group) => !isLikely(group))
  const show = (group: OutputGroup) => (
    <Group
      key={`${group.node}.${group.port}`}
      group={group}
      title={portTitle(run, types, group)}
      chosen={chosen}
      change={setChosen}
    />
  )
  const send = async () => {
    if (taskId === null) return
    setIsBusy(true)
    const before = new Set(run.exported_creatives)
    const sending = callTagged('exportRun', { params: { run_id: run.id }, body: exportBody(taskId, outputs, variants) })
    if (await actions.done(sending, 'Not exported')) {
      const { data } = await sending
      setMade(data.exported_creatives.filter((id) => !before.has(id)))
      for (const key of ['creatives', 'task']) void client.invalidateQueries({ queryKey: [key, taskId] })
      void client.invalidateQueries({ queryKey: ['feed'] })
    }
    setIsBusy(false)
  }
  if (made) return <Exported ids={made} taskId={taskId} close={close} />
  if (groups.length === 0) {
    return (
      <Empty icon="image" title="This run has made no files">
        Only files become creatives.
      </Empty>
    )
  }
  return (
    <>
      <p className="hint">
        Each file becomes a creative on the card, under the next planned name that is free. A file that is there already
        stays the creative it is. From the first export on this run is a record.
      </p>
      <div className="dialog-fields">
        <TaskPicker
          label="Task"
          value={taskId}
          change={(id) => {
            setTaskId(id)
            setVariants(new Map())
          }}
        />
      </div>
      {groups.filter(isLikely).map(show)}
      {others.length > 0 ? (
        <details className="export-others">
          <summary>Other files of this run ({others.flatMap(({ outputs }) => outputs).length})</summary>
          {others.map(show)}
        </details>
      ) : null}
      <Sending {...{ run, outputs, setChosen, taskId, variants, setVariants, isBusy, send, close }} />
    </>
  )
}

type SendingProps = {
  run: Run
  outputs: readonly Output[]
  setChosen: (chosen: ReadonlySet<string>) => void
  taskId: string | null
  variants: Variants
  setVariants: (variants: Variants) => void
  isBusy: boolean
  send: () => Promise<void>
  close: () => void
}

/** Shows the planned names of the chosen files, and the export button. */
function Sending(props: SendingProps) {
  const { run, outputs, setChosen, taskId, variants, setVariants, isBusy, send, close } = props
  const isTooMuch = outputs.length > atOnce
  const isReady = outputs.length > 0 && !isTooMuch && taskId !== null
  return (
    <>
      {isReady ? <ExportNames {...{ run, taskId, outputs, variants, setVariants }} /> : null}
      {isTooMuch ? <TooMuch {...{ run, outputs, setChosen, taskId, variants }} /> : null}
      <div className="dialog-foot">
        <Button size="sm" variant="default" onClick={close}>
          Not now
        </Button>
        <Button size="sm" disabled={!isReady} loading={isBusy} onClick={() => void send()}>
          {sendWords(outputs.length, taskId !== null)}
        </Button>
      </div>
    </>
  )
}

type TooMuchProps = Pick<SendingProps, 'run' | 'outputs' | 'setChosen' | 'taskId' | 'variants'>

/** Says that too many files are chosen, and offers to choose as many of them as one export accepts. */
function TooMuch({ run, outputs, setChosen, taskId, variants }: TooMuchProps) {
  const [isBusy, setIsBusy] = useState(false)
  const choose = async (task: string) => {
    setIsBusy(true)
    try {
      const next = await nextExport(outputs, async (some) => {
        const body = exportBody(task, some, variants)
        return (await call('planExport', { params: { run_id: run.id }, body })).files
      })
      setChosen(new Set(next.map(({ key }) => key)))
      if (next.length === 0) tell('All of them are on the card already.')
    } catch (error) {
      tellError(error, 'Not chosen')
    }
    setIsBusy(false)
  }
  return (
    <div className="export-too-much">
      <p className="hint problem">
        At most {atOnce} files at a time: choose fewer, or export them in several goes. Each time, choose those that are
        not on the card yet.
      </p>
      {taskId === null ? null : (
        <Button variant="default" loading={isBusy} onClick={() => void choose(taskId)}>
          Choose the next {atOnce}
        </Button>
      )}
    </div>
  )
}

function sendWords(files: number, hasTask: boolean): string {
  if (files === 0) return 'Choose files'
  if (!hasTask) return 'Choose a task'
  return `Export ${files} ${files === 1 ? 'file' : 'files'}`
}

const placeWords = ({ item, index }: Output): string =>
  `${item === null ? '' : `, item ${item + 1}`}${index === null ? '' : `, file ${index + 1}`}`

const portTitle = (run: Run, types: NodeTypes, { node, port }: OutputGroup): string => {
  const type = readDefinition(run.definition).nodes[node]?.type ?? ''
  return `${node} · ${types.get(type)?.outputs[port]?.title ?? port}`
}

type GroupProps = {
  group: OutputGroup
  title: string
  chosen: ReadonlySet<string>
  change: (chosen: ReadonlySet<string>) => void
}

/** How many files of a port are shown at first, and how many more each time the user asks for more. */
const step = 60

function Group({ group: { outputs }, title, chosen, change }: GroupProps) {
  const [shown, setShown] = useState(step)
  const count = outputs.filter(({ key }) => chosen.has(key)).length
  const toggle = (ones: readonly Output[], on: boolean) => {
    const next = new Set(chosen)
    for (const { key } of ones) {
      if (on) next.add(key)
      else next.delete(key)
    }
    change(next)
  }
  return (
    <fieldset className="export-group">
      <legend>
        <Checkbox
          size="xs"
          label={title}
          checked={count === outputs.length}
          indeterminate={count > 0 && count < outputs.length}
          onChange={(event) => toggle(outputs, event.currentTarget.checked)}
        />
      </legend>
      <ul className="export-files">
        {outputs.slice(0, shown).map((output) => (
          <li key={output.key}>
            <label htmlFor={output.key} data-chosen={chosen.has(output.key) || undefined}>
              <Picture file={output.file} alt="" small />
              <Checkbox
                id={output.key}
                size="xs"
                aria-label={`${title}${placeWords(output)}`}
                checked={chosen.has(output.key)}
                onChange={(event) => toggle([output], event.currentTarget.checked)}
              />
            </label>
          </li>
        ))}
      </ul>
      {outputs.length > shown ? (
        <Button variant="subtle" onClick={() => setShown(shown + step)}>
          Show {Math.min(step, outputs.length - shown)} more of {outputs.length - shown}
        </Button>
      ) : null}
    </fieldset>
  )
}

/** Focuses the element, because the export button, which had the focus, has disappeared after the export. */
const takeFocus = (element: HTMLElement | null) => element?.focus()

function Exported({ ids, taskId, close }: { ids: readonly string[]; taskId: string | null; close: () => void }) {
  const creatives = useQuery({ ...creativesQuery(taskId ?? ''), enabled: taskId !== null }).data ?? []
  const found = creatives.filter(({ id }) => ids.includes(id))
  return (
    <div role="status">
      <p className="notice" data-tone="ok">
        {ids.length === 0
          ? 'All of them were on the card already.'
          : `${ids.length} ${ids.length === 1 ? 'creative is' : 'creatives are'} on the card.`}
      </p>
      <ul className="exported">
        {found.map(({ id, name }) => (
          <li key={id}>
            <Anchor
              className="mono"
              renderRoot={(props) => (
                <Link to="/tasks/$task_id" params={{ task_id: taskId ?? '' }} hash="creatives" {...props} />
              )}
            >
              {name}
            </Anchor>
          </li>
        ))}
      </ul>
      <div className="dialog-foot">
        <Button size="sm" variant="default" onClick={close}>
          Back to the run
        </Button>
        {taskId === null ? null : (
          <Button
            ref={takeFocus}
            size="sm"
            renderRoot={(props) => (
              <Link to="/tasks/$task_id" params={{ task_id: taskId }} hash="creatives" {...props} />
            )}
          >
            Open the card
          </Button>
        )}
      </div>
    </div>
  )
}
