// In charge of the page that lists graphs: templates, the user's own graphs, those of other users, and deleted ones. What is listed
// stands in the address, so that it is the same when the user comes back.

import { Button, SegmentedControl } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../lib/api.ts'
import { callerQuery } from '../lib/queries.ts'
import { Icon } from '../ui/icons.tsx'
import { SearchField } from '../ui/search-field.tsx'
import { Empty, Failed, Loading } from '../ui/states.tsx'
import { tellError } from '../ui/toasts.tsx'
import { useReloadScroll } from '../ui/use-reload-scroll.ts'
import { GraphTile } from './graph-tile.tsx'
import './graphs.css'
import { type GraphFilter, graphsQuery } from './queries.ts'
import { type GraphsSearch, readGraphsSearch } from './search.ts'

const route = getRouteApi('/graphs')

export function GraphsPage() {
  useDocumentTitle('Graphs · Atelier')
  useReloadScroll()
  const caller = useQuery(callerQuery).data
  const client = useQueryClient()
  const navigate = useNavigate()
  const { q = '', show } = route.useSearch()
  const set = (change: { [name in keyof GraphsSearch]: string }) =>
    void navigate({ to: '/graphs', search: (before) => readGraphsSearch({ ...before, ...change }), replace: true })
  const [busy, setBusy] = useState(false)
  const mayWrite = caller?.scopes.includes('graphs:write') ?? false
  const found: GraphFilter = q === '' ? {} : { search: q }
  const create = async () => {
    setBusy(true)
    try {
      const { id } = await call('createGraph', { body: { name: 'New graph' } })
      void client.invalidateQueries({ queryKey: ['graphs'] })
      await navigate({ to: '/graphs/$graph_id', params: { graph_id: id } })
    } catch (error) {
      tellError(error, 'Not created')
      setBusy(false)
    }
  }
  return (
    <div className="page">
      <div className="page-head">
        <div>
          <h1>Graphs</h1>
          <p>A graph is a reusable recipe of nodes that makes the files of a task. Each run has a copy of its own.</p>
        </div>
        {mayWrite ? (
          <Button loading={busy} leftSection={<Icon name="plus" size={14} />} onClick={() => void create()}>
            New graph
          </Button>
        ) : null}
      </div>
      <div className="list-tools">
        <SearchField label="Search graphs" placeholder="Search by name" q={q} ask={(q) => set({ q })} />
        <SegmentedControl
          size="xs"
          aria-label="Which graphs"
          data={[
            { value: 'all', label: 'All' },
            { value: 'own', label: 'Mine' },
            { value: 'deleted', label: 'Deleted' },
          ]}
          value={show ?? 'all'}
          onChange={(value) => set({ show: value })}
        />
      </div>
      {show === 'deleted' ? (
        <Section title="Deleted" filter={{ ...found, deleted: true }} empty="Nothing is deleted" />
      ) : (
        <>
          <Section title="Templates" filter={{ ...found, template: true }} empty={null} />
          <Section
            title={show === 'own' ? 'Mine' : 'Graphs'}
            filter={{
              ...found,
              template: false,
              ...(show === 'own' && caller?.user ? { owner_id: caller.user.id } : {}),
            }}
            empty={q === '' ? 'No graphs yet' : `No graph is called “${q}”`}
          />
        </>
      )}
    </div>
  )
}

function Section({ title, filter, empty }: { title: string; filter: GraphFilter; empty: string | null }) {
  const graphs = useInfiniteQuery({ ...graphsQuery(filter), placeholderData: keepPreviousData })
  const items = graphs.data?.pages.flatMap(({ items }) => items) ?? []
  if (graphs.isPending) return empty === null ? null : <Loading what="the graphs" />
  if (graphs.error && items.length === 0) return <Failed error={graphs.error} retry={() => void graphs.refetch()} />
  if (items.length === 0 && empty === null) return null
  return (
    <section className="tiles-section" aria-label={title}>
      <h2>{title}</h2>
      {items.length === 0 ? <Empty icon="graph" title={empty ?? ''} /> : null}
      <ul className="tiles">
        {items.map((graph) => (
          <GraphTile key={graph.id} graph={graph} />
        ))}
      </ul>
      {graphs.hasNextPage ? (
        <Button variant="default" loading={graphs.isFetchingNextPage} onClick={() => void graphs.fetchNextPage()}>
          More
        </Button>
      ) : null}
    </section>
  )
}
