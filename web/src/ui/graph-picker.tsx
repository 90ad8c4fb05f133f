// In charge of choosing a graph by its name.
import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../lib/api.ts'

type Props = {
  label: string
  description?: string
  value: string | null
  change: (id: string | null, name: string) => void
  error?: string | null
  /** Takes the focus and opens its list once the graphs have been read. */
  isOpenAtFirst?: boolean
}

/** The chosen graph is offered too, even if the search does not find it. */
export const graphNameQuery = (id: string) => ({
  queryKey: ['graphs', 'one', id],
  queryFn: () => call('getGraph', { params: { graph_id: id } }),
})

export function GraphPicker({ label, description, value, change, error = null, isOpenAtFirst = false }: Props) {
  const [search, setSearch] = useState('')
  // The focus is not taken from a user who has moved it elsewhere by keyboard.
  const [opens] = useState(() => isOpenAtFirst && !document.activeElement?.matches(':focus-visible'))
  const [wanted] = useDebouncedValue(search.trim(), 200)
  const chosen = useQuery({ ...graphNameQuery(value ?? ''), enabled: value !== null }).data
  // The name of the chosen graph in the field is not a search text.
  const query = wanted === '' || wanted === chosen?.name ? {} : { search: wanted }
  const found = useQuery({
    queryKey: ['graphs', 'picked', query],
    queryFn: ({ signal }) => call('listGraphs', { query: { ...query, limit: 50 }, signal }),
    placeholderData: keepPreviousData,
  })
  const about = new Map((found.data?.items ?? []).map(({ id, description }) => [id, description]))
  const options = new Map((found.data?.items ?? []).map((graph) => [graph.id, nameOf(graph)]))
  if (value !== null && chosen) options.set(value, chosen.name)
  return (
    <Select
      label={label}
      description={description ?? null}
      placeholder="Name of a graph"
      searchable
      error={error}
      {...(opens ? { autoFocus: true } : {})}
      nothingFoundMessage={found.isFetching ? 'Looking …' : 'No graph is called so'}
      // The service has searched already: everything it found is shown.
      filter={({ options }) => options}
      data={[...options].map(([value, label]) => ({ value, label }))}
      // The description is shown too: the name alone often does not say what a graph does.
      renderOption={({ option }) => (
        <span className="menu-lines">
          {option.label}
          {about.get(option.value) ? <span className="hint option-about">{about.get(option.value)}</span> : null}
        </span>
      )}
      value={value}
      onChange={(id) => change(id, id === null ? '' : (options.get(id) ?? ''))}
      searchValue={search}
      onSearchChange={setSearch}
    />
  )
}

const nameOf = ({ name, template }: { name: string; template: boolean }): string =>
  template ? `${name} (template)` : name
