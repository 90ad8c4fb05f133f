// In charge of the form in which an automation is created or edited; errors from the service are shown at their fields.
import type { TaskStatus } from '@atelier/contract/enums.ts'
import { Button, Select, TextInput } from '@mantine/core'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { noRules, parsedGroup, RuleBuilder } from '../board/rule-builder.tsx'
import { countRules, filterText } from '../board/search-params.ts'
import { useFilterFields } from '../board/use-filter-fields.ts'
import { call } from '../lib/api.ts'
import { fieldError, wordsOf } from '../lib/errors.ts'
import { automationsQuery, schemaQuery } from '../lib/queries.ts'
import type { Automation } from '../lib/types.ts'
import { useWrite } from '../ui/use-write.ts'
import '../ui/people.css'
import { MultiChoice } from '../ui/choice.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { GraphPicker } from '../ui/graph-picker.tsx'
import { Failed, Loading } from '../ui/states.tsx'
import { changedMembers, type Members, overtakenMembers } from './changed-members.ts'
import { keyOf, likelyKeys, outputOf, outputWords } from './file-outputs.ts'
import { asksForDay } from './rule-words.ts'
import { useMeanwhile, withNote } from './use-meanwhile.tsx'
import { type Outputs, useOutputs } from './use-outputs.ts'

/** `automation`: as it is saved now; null for a new one. Another admin may change it while the form is open. */
type Props = { automation: Automation | null; close: () => void }

export function AutomationForm({ automation, close }: Props) {
  const client = useQueryClient()
  const statuses = useQuery(schemaQuery).data?.statuses ?? []
  const [name, setName] = useState(automation?.name ?? '')
  const [onStatus, setOnStatus] = useState<TaskStatus>(automation?.on_status ?? 'ready_for_production')
  const [group, setGroup] = useState(() => groupOf(automation?.query ?? null))
  const [graphId, setGraphId] = useState(automation?.graph_id ?? null)
  const [targets, setTargets] = useState(() => savedTargets(automation))
  const [chosen, setChosen] = useState(() => automation?.outputs.map(keyOf) ?? null)
  const [toStatus, setToStatus] = useState<TaskStatus | null>(automation?.to_status ?? null)
  const graph = useOutputs(graphId)
  // `chosen`: the outputs that the user selected; null in a new automation and after another graph was chosen. As long as it is
  // null, the form selects the outputs that users most likely want.
  const outputs = chosen ?? likelyKeys(graph.outputs ?? [])
  // Until the outputs are read, nothing is selected, and saving would put nothing on the card. Saved outputs need not be read first.
  const areOutputsKnown = chosen !== null || graph.outputs !== null
  const statusOptions = statuses.map(({ value, label }) => ({ value, label }))
  const statusOf = (value: string | null): TaskStatus | null =>
    statuses.find((status) => status.value === value)?.value ?? null
  const bodyWith = (graph_id: string): Members => ({
    name: name.trim(),
    on_status: onStatus,
    query: queryOf(group),
    graph_id,
    targets,
    outputs: outputs.map(outputOf),
    to_status: toStatus,
  })
  const save = useWrite({
    write: (graph_id: string) => saveMembers(client, automation, before, bodyWith(graph_id)),
    list: automationsQuery.queryKey,
    done: (isSaved) => {
      if (isSaved) close()
    },
    quiet: true,
  })
  const { before, noteOf, isHeld } = useMeanwhile({
    saved: automation && membersOf(automation),
    mine: bodyWith(graphId ?? ''),
    show: {
      name: setName,
      on_status: setOnStatus,
      query: (query) => setGroup(groupOf(query)),
      graph_id: setGraphId,
      targets: setTargets,
      outputs: (theirs) => setChosen(theirs.map(keyOf)),
      to_status: setToStatus,
    },
    isSaving: save.isPending,
  })
  const problemOf = (field: string) => fieldError(save.error, field)
  const atFields = ['name', 'on_status', 'query', 'graph_id', 'targets', 'outputs', 'to_status'].some(problemOf)
  return (
    <Dialog onClose={close} size="xl" title={automation ? 'Edit the automation' : 'New automation'}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault()
          // While a note is shown, the user first has to choose one of the two.
          if (graphId !== null && areOutputsKnown && !isHeld && !save.isPending) save.mutate(graphId)
        }}
      >
        <TextInput
          label="Name"
          description="The activity of a task says it where the automation did something."
          placeholder="Statics once production may begin"
          data-autofocus
          required
          maxLength={120}
          value={name}
          error={problemOf('name')}
          inputContainer={withNote(noteOf('name'))}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Select
          label="When a task enters"
          data={statusOptions}
          value={onStatus}
          error={problemOf('on_status')}
          inputContainer={withNote(noteOf('on_status'))}
          onChange={(value) => setOnStatus(statusOf(value) ?? onStatus)}
        />
        <ConditionsField group={group} change={setGroup} error={problemOf('query')} note={noteOf('query')} />
        <GraphPicker
          label="run the graph"
          value={graphId}
          error={problemOf('graph_id')}
          note={noteOf('graph_id')}
          change={(id) => {
            setGraphId(id)
            setTargets([])
            setChosen(null)
          }}
        />
        {graphId !== null && graphId === before.graph_id ? (
          <TargetsField
            saved={[...new Set([...savedTargets(automation), ...targets])]}
            value={targets}
            change={setTargets}
            error={problemOf('targets')}
            note={noteOf('targets')}
          />
        ) : null}
        <OutputsField
          hasGraph={graphId !== null}
          graph={graph}
          value={outputs}
          change={setChosen}
          error={problemOf('outputs')}
          note={noteOf('outputs')}
        />
        <Select
          label="and then move it to"
          placeholder="It stays where it is"
          clearable
          clearButtonProps={{ 'aria-label': 'It stays where it is' }}
          data={statusOptions}
          value={toStatus}
          error={problemOf('to_status')}
          inputContainer={withNote(noteOf('to_status'))}
          onChange={(value) => setToStatus(statusOf(value))}
        />
        <Problem words={save.isError && !atFields ? wordsOf(save.error) : null} />
        <div className="dialog-foot">
          <Button size="sm" variant="default" onClick={close}>
            Not now
          </Button>
          <Button
            size="sm"
            type="submit"
            disabled={name.trim() === '' || graphId === null || !areOutputsKnown}
            loading={save.isPending}
          >
            {automation ? 'Save' : 'Create'}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** What the form shows, and would send, for an automation as it is saved. */
const membersOf = (automation: Automation): Members => ({
  name: automation.name,
  on_status: automation.on_status,
  query: queryOf(groupOf(automation.query)),
  graph_id: automation.graph_id,
  targets: savedTargets(automation),
  outputs: automation.outputs.map(keyOf).map(outputOf),
  to_status: automation.to_status,
})

const groupOf = (query: Members['query']) => parsedGroup(JSON.stringify(query)) ?? noRules

const queryOf = (group: ReturnType<typeof groupOf>): Members['query'] =>
  countRules(group) === 0 ? null : JSON.parse(filterText(group))

/**
 * Returns whether the automation was created or changed; it is not if another admin has changed the same meanwhile, of which this page
 * may not have been told yet.
 */
async function saveMembers(
  client: QueryClient,
  automation: Automation | null,
  before: Members,
  mine: Members,
): Promise<boolean> {
  if (automation === null) {
    await call('createAutomation', { body: mine })
    return true
  }
  const all = await client.fetchQuery({ ...automationsQuery, staleTime: 0 })
  const now = all.find(({ id }) => id === automation.id)
  if (now && overtakenMembers(before, mine, membersOf(now)).length > 0) return false
  await call('patchAutomation', { params: { automation_id: automation.id }, body: changedMembers(before, mine) })
  return true
}

type ConditionsProps = {
  group: ReturnType<typeof groupOf>
  change: (group: ReturnType<typeof groupOf>) => void
  error: string | null
  note: ReactNode
}

function ConditionsField({ group, change, error, note }: ConditionsProps) {
  const fields = useFilterFields()
  return (
    <fieldset className="form-part">
      <legend>and matches</legend>
      {fields ? <RuleBuilder fields={fields} group={group} change={change} /> : <Loading what="the fields" />}
      {countRules(group) === 0 ? <p className="hint">No conditions: every task that enters.</p> : null}
      {asksForDay(group, fields ?? []) ? (
        <p className="hint">A date means 00:00 UTC, the beginning of that day, wherever somebody looks.</p>
      ) : null}
      <Problem words={error} />
      {note}
    </fieldset>
  )
}

function Problem({ words }: { words: string | null }) {
  return words === null ? null : (
    <p className="problem" role="alert">
      {words}
    </p>
  )
}

/** The nodes up to which the saved automation runs its graph, each once, because the options of a select field must differ. */
const savedTargets = (automation: Automation | null): string[] => [...new Set(automation?.targets)]

type TargetsProps = {
  saved: readonly string[]
  value: string[]
  change: (value: string[]) => void
  error: string | null
  note: ReactNode
}

/** Targets are set over the API alone. If there are any, they can be taken away here, for example because the graph has lost them. */
function TargetsField({ saved, value, change, error, note }: TargetsProps) {
  if (saved.length === 0) return null
  return (
    <MultiChoice
      label="only up to"
      description="These nodes and what they need are run. Nothing chosen: the whole graph."
      placeholder={value.length === 0 ? 'The whole graph' : ''}
      clearable
      data={saved}
      value={value}
      error={error}
      inputContainer={withNote(note)}
      onChange={change}
    />
  )
}

type OutputsProps = {
  hasGraph: boolean
  graph: Outputs
  value: string[]
  change: (value: string[]) => void
  error: string | null
  note: ReactNode
}

function OutputsField({ hasGraph, graph, value, change, error, note }: OutputsProps) {
  const offered = graph.outputs ?? []
  const options = new Map(offered.map(({ key, label }) => [key, label]))
  // An output that was saved earlier is offered even if the graph no longer has it.
  for (const key of value) if (!options.has(key)) options.set(key, outputWords(outputOf(key), offered))
  return (
    <>
      <MultiChoice
        label="put on its card"
        description="Files become creatives under the next planned names. Nothing chosen: they stay in the run."
        placeholder={value.length > 0 ? '' : hasGraph ? emptyWords(graph) : 'Choose a graph first'}
        disabled={graph.outputs === null && value.length === 0}
        searchable
        nothingFoundMessage="This graph makes no other files."
        data={[...options].map(([value, label]) => ({ value, label }))}
        value={value}
        error={error}
        inputContainer={withNote(note)}
        onChange={change}
      />
      {graph.error ? <Failed error={graph.error} retry={graph.retry} /> : null}
    </>
  )
}

const emptyWords = ({ outputs, error }: Outputs): string => {
  if (outputs) return outputs.length === 0 ? 'This graph makes no files' : ''
  return error ? 'What this graph makes could not be read' : 'Reading what this graph makes …'
}
