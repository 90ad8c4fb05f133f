// In charge of the field in which users choose a graph by its name.
import { Select } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { changesApart } from '../lib/apart.ts'
import { call } from '../lib/api.ts'
import { underCut } from './cut-list.ts'
import { useSearchedOptions, useSearchText } from './searched-options.ts'

type Props = {
  label: string
  description?: string
  value: string | null
  change: (id: string | null, name: string) => void
  error?: string | null
  /** What is shown right below the field. */
  note?: ReactNode
  /** If true, the field takes the focus when it appears, which opens its list. */
  isOpenAtFirst?: boolean
}

/** How many graphs one search reads. */
const mostFound = 50

/** Reads the chosen graph by its id, so that this graph is among the options even if the search does not find it. */
export const graphNameQuery = (id: string) => ({
  queryKey: ['graphs', 'one', id],
  queryFn: () => call('getGraph', { params: { graph_id: id } }),
})

export function GraphPicker({ label, description, value, change, error = null, note, isOpenAtFirst = false }: Props) {
  // If the user has moved the focus by keyboard, this field does not take the focus away.
  const [opens] = useState(() => isOpenAtFirst && !document.activeElement?.matches(':focus-visible'))
  const graph = useQuery({ ...graphNameQuery(value ?? ''), enabled: value !== null }).data
  const chosen = value !== null && graph ? { value, label: graph.name } : null
  const { search, setSearch, wanted, isAwaited } = useSearchText(chosen)
  const query = wanted === '' ? {} : { search: wanted }
  const found = useQuery({
    queryKey: ['graphs', 'picked', query],
    queryFn: ({ signal }) => call('listGraphs', { query: { ...query, limit: mostFound }, signal }),
    placeholderData: keepPreviousData,
  })
  const isFound = isAwaited && !found.isPlaceholderData
  const graphs = found.data?.items ?? []
  const isCut = found.data?.meta.next_cursor != null
  const changes = changesApart(graphs)
  const about = new Map(graphs.map(({ id, description }) => [id, description]))
  const named = graphs.map((graph) => ({ value: graph.id, label: nameOf(graph) }))
  const { filter, ...options } = useSearchedOptions({ search, chosen, found: named, isFound })
  return (
    <Select
      label={label}
      description={description ?? null}
      placeholder="Name of a graph"
      searchable
      error={error}
      inputContainer={(input) => (
        <>
          {input}
          {note}
        </>
      )}
      {...(opens ? { autoFocus: true } : {})}
      nothingFoundMessage={found.isFetching || !isFound ? 'Looking …' : 'No graph is called so'}
      {...options}
      filter={(all) => underCut(filter(all), isCut ? mostFound : null)}
      // Each option also shows the description, because the name alone often does not say what a graph does. Graphs of the same name
      // also show when they were changed, because two copies often have the same description.
      renderOption={({ option }) => (
        <span className="menu-lines">
          {option.label}
          {changes.has(option.value) ? <span className="hint">{changes.get(option.value)}</span> : null}
          {about.get(option.value) ? <span className="hint option-about">{about.get(option.value)}</span> : null}
        </span>
      )}
      value={value}
      onChange={(id, option) => change(id, option?.label ?? '')}
      searchValue={search}
      onSearchChange={setSearch}
    />
  )
}

const nameOf = ({ name, template }: { name: string; template: boolean }): string =>
  template ? `${name} (template)` : name
