// In charge of the field in which users choose a task by its number or a part of its name.
import { Select } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '../lib/api.ts'
import { taskQuery } from '../lib/queries.ts'
import { useSearchedOptions, useSearchText } from '../ui/searched-options.ts'

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
  const task = useQuery({ ...taskQuery(value ?? ''), enabled: value !== null }).data?.task
  const chosen = value !== null && task ? { value, label: labelOf(task) } : null
  const { search, setSearch, wanted, isAwaited } = useSearchText(chosen)
  // The service searches task numbers without the `#` that the labels have before a number.
  const asked = wanted.replace(/^#(?=\d)/, '')
  const found = useQuery({
    queryKey: ['task-search', asked],
    queryFn: ({ signal }) =>
      call('tasksBoard', { query: { limit: 20, ...(asked === '' ? {} : { search: asked }) }, signal }),
    placeholderData: keepPreviousData,
  })
  const isFound = isAwaited && !found.isPlaceholderData
  const tasks = (found.data?.tasks ?? []).map((one) => ({ value: one.id, label: labelOf(one) }))
  const options = useSearchedOptions({ search, chosen, found: tasks, isFound })
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
      {...options}
      value={value}
      onChange={change}
      searchValue={search}
      onSearchChange={setSearch}
    />
  )
}

const labelOf = ({ number, name }: { number: number | null; name: string }): string => `#${number} ${name}`
