// In charge of the field in which users choose a task by its number or a part of its name.
import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../lib/api.ts'
import { taskQuery } from '../lib/queries.ts'

type Props = {
  label: string
  description?: string
  value: string | null
  change: (id: string | null) => void
  error?: string | null
}

export function TaskPicker({ label, description, value, change, error = null }: Props) {
  const [search, setSearch] = useState('')
  const [wanted] = useDebouncedValue(search.trim(), 200)
  const chosen = useQuery({ ...taskQuery(value ?? ''), enabled: value !== null })
  const found = useQuery({
    queryKey: ['task-search', wanted],
    queryFn: ({ signal }) =>
      call('tasksBoard', { query: { limit: 20, ...(wanted === '' ? {} : { search: wanted }) }, signal }),
    placeholderData: keepPreviousData,
  })
  const options = new Map((found.data?.tasks ?? []).map(({ id, name, number }) => [id, `#${number} ${name}`]))
  const task = chosen.data?.task
  if (value !== null && task) options.set(value, `#${task.number} ${task.name}`)
  return (
    <Select
      label={label}
      description={description ?? null}
      placeholder="Name or number"
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'No task' }}
      error={error}
      nothingFoundMessage={found.isFetching ? 'Looking …' : 'No task is called so'}
      // The service has already filtered the tasks, so the field shows all options.
      filter={({ options }) => options}
      data={[...options].map(([value, label]) => ({ value, label }))}
      value={value}
      onChange={change}
      searchValue={search}
      onSearchChange={setSearch}
    />
  )
}
