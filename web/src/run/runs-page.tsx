// In charge of the list of runs, searched by the name of the graph and filtered by state, owner, graph and task; a switch also shows deleted runs.

import type { RunStatus } from '@atelier/contract/enums.ts'
import { runStatuses } from '@atelier/contract/graph/run-statuses.ts'
import { Button, NativeSelect, Select, Switch } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { graphQuery } from '../graph/queries.ts'
import { useReloadPages, useReloadScroll } from '../ui/use-reload-scroll.ts'
import '../graph/graphs.css'
import { useLiveState } from '../lib/live-connection.ts'
import { callerQuery, peopleQuery } from '../lib/queries.ts'
import { SearchField } from '../ui/search-field.tsx'
import { Empty, Failed, Loading } from '../ui/states.tsx'
import { type RunFilter, runsQuery } from './queries.ts'
import './dialogs.css'
import { runLooks } from '../canvas/words.ts'
import { ownerChoices } from './owner-choices.ts'
import { RunRow } from './run-row.tsx'
import { type RunsSearch, readRunsSearch } from './search.ts'
import { TaskPicker } from './task-picker.tsx'

const route = getRouteApi('/runs')
/** How often, in milliseconds, the list is read again while the live connection, which reports changes, is down. */
const pollMs = 10_000

export function RunsPage() {
  useDocumentTitle('Runs · Atelier')
  useReloadScroll()
  const search = route.useSearch()
  const navigate = useNavigate()
  const graph = useQuery({ ...graphQuery(search.graph ?? ''), enabled: search.graph !== undefined, retry: false })
  const runs = useInfiniteQuery({
    ...runsQuery(filterOf(search)),
    placeholderData: keepPreviousData,
    refetchInterval: useLiveState() === 'live' ? false : pollMs,
  })
  useReloadPages(runs)
  const items = runs.data?.pages.flatMap(({ items }) => items) ?? []
  const set = (change: Partial<Record<keyof RunsSearch, string | null>>) =>
    void navigate({ to: '/runs', search: (before) => readRunsSearch({ ...before, ...change }), replace: true })
  const isFiltered = Object.keys(search).length > 0
  return (
    <div className="page">
      <div className="page-head">
        <div>
          <h1>Runs</h1>
          <p>
            A run is one instance of a graph: it makes files, asks at its gates, and puts what was chosen on a card.
          </p>
        </div>
      </div>
      <div className="list-tools">
        <SearchField
          label="Search runs"
          placeholder="Search by the graph’s name"
          q={search.q ?? ''}
          ask={(q) => set({ q })}
        />
        <Select
          aria-label="State"
          placeholder="Any state"
          clearable
          clearButtonProps={{ 'aria-label': 'Any state' }}
          data={runStatuses.map((value) => ({ value, label: runLooks[value].label }))}
          value={search.status ?? null}
          onChange={(status) => set({ status })}
        />
        <div className="list-task">
          <TaskPicker
            label="Task"
            isLabelHidden
            placeholder="Task: name or number"
            value={search.task ?? null}
            change={(task) => set({ task })}
          />
        </div>
        <OwnerPicker owner={search.owner} change={(owner) => set({ owner })} />
        <Switch
          size="xs"
          label="Deleted"
          checked={search.deleted === 'yes'}
          onChange={(event) => set({ deleted: event.currentTarget.checked ? 'yes' : null })}
        />
        {search.graph === undefined ? null : (
          <Button size="compact-sm" variant="light" onClick={() => set({ graph: null })}>
            Of “{graph.data?.data.name ?? 'one graph'}” ×
          </Button>
        )}
      </div>
      {runs.isPending ? <Loading what="the runs" /> : null}
      {runs.error && items.length === 0 ? <Failed error={runs.error} retry={() => void runs.refetch()} /> : null}
      {runs.data && items.length === 0 ? (
        <Empty icon="run" title={isFiltered ? 'No run is like that' : 'No runs yet'}>
          {isFiltered ? 'Take a filter away to see more.' : 'Open a graph and run it.'}
        </Empty>
      ) : null}
      {items.length > 0 ? (
        <ul className="run-list">
          {items.map((run) => (
            <RunRow key={run.id} run={run} />
          ))}
        </ul>
      ) : null}
      {runs.hasNextPage ? (
        <Button variant="default" loading={runs.isFetchingNextPage} onClick={() => void runs.fetchNextPage()}>
          More
        </Button>
      ) : null}
    </div>
  )
}

type OwnerProps = { owner: string | undefined; change: (owner: string | null) => void }

/** A native field: it works with keys and on phones, and costs nothing however many people there are. */
function OwnerPicker({ owner, change }: OwnerProps) {
  const people = useQuery(peopleQuery).data
  const me = useQuery(callerQuery).data?.user?.id ?? null
  return (
    <NativeSelect
      aria-label="Whose runs"
      data={ownerChoices(people ?? [], me, owner)}
      value={owner ?? ''}
      onChange={(event) => change(event.currentTarget.value || null)}
    />
  )
}

const isStatus = (text: string | undefined): text is RunStatus => runStatuses.some((status) => status === text)

const filterOf = ({ q, status, graph, task, owner, deleted }: RunsSearch): RunFilter => ({
  ...(q === undefined ? {} : { search: q }),
  ...(isStatus(status) ? { status } : {}),
  ...(graph === undefined ? {} : { graph_id: graph }),
  ...(task === undefined ? {} : { task_id: task }),
  ...(owner === undefined ? {} : { owner_id: owner }),
  ...(deleted === 'yes' ? { deleted: true } : {}),
})
