// In charge of the field in which users choose a task by its number or a part of its name.
import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../lib/api.ts'
import { taskQuery } from '../lib/queries.ts'
import { useMarkTyped } from '../ui/use-mark-typed.ts'

type Props = {
  label: string
  /** If true, only screen readers are told the label. */
  isLabelHidden?: boolean
  description?: string
  placeholder?: string
  value: string | null
  change: (id: string | null) => void
  error?: string | null
}

export function TaskPicker(props: Props) {
  const {
    label,
    isLabelHidden = false,
    description,
    placeholder = 'Name or number',
    value,
    change,
    error = null,
  } = props
  const [search, setSearch] = useState('')
  const [awaited] = useDebouncedValue(search, 200)
  const wanted = awaited.trim()
  const task = useQuery({ ...taskQuery(value ?? ''), enabled: value !== null }).data?.task
  // After a choice, the field contains the label of the chosen task, which must not be used as a search text.
  const isChosen = task !== undefined && wanted === labelOf(task)
  // The service searches task numbers without the `#` that the labels have before a number.
  const asked = isChosen ? '' : wanted.replace(/^#(?=\d)/, '')
  const found = useQuery({
    queryKey: ['task-search', asked],
    queryFn: ({ signal }) =>
      call('tasksBoard', { query: { limit: 20, ...(asked === '' ? {} : { search: asked }) }, signal }),
    placeholderData: keepPreviousData,
  })
  const isFound = search === awaited && !found.isPlaceholderData
  const marksFirst = useMarkTyped(task !== undefined && search.trim() === labelOf(task) ? '' : search, isFound)
  const options = new Map((found.data?.tasks ?? []).map((one) => [one.id, labelOf(one)]))
  if (value !== null && task) options.set(value, labelOf(task))
  return (
    <Select
      {...(isLabelHidden ? { 'aria-label': label } : { label })}
      description={description ?? null}
      placeholder={placeholder}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'No task' }}
      error={error}
      nothingFoundMessage={found.isFetching || !isFound ? 'Looking …' : 'No task is called so'}
      // The service has already filtered the tasks, so the field shows all options.
      filter={({ options }) => options}
      data={[...options].map(([value, label]) => ({ value, label }))}
      value={value}
      onChange={change}
      selectFirstOptionOnChange={marksFirst}
      searchValue={search}
      onSearchChange={setSearch}
    />
  )
}

const labelOf = ({ number, name }: { number: number | null; name: string }): string => `#${number} ${name}`
