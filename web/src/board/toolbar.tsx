// In charge of the toolbar above the board: saved views, search, filter, sort order, and the choice between columns and gallery.
import { sortFields } from '@atelier/contract/sort-fields.ts'
import { ActionIcon, CloseButton, Menu, TextInput, Tooltip } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { Icon } from '../ui/icons.tsx'
import { useBoard } from './board-context.ts'
import { FilterButton } from './filter-button.tsx'
import { useLayout } from './layout.ts'
import { sortText } from './search-params.ts'
import { useSetSearch } from './use-set-search.ts'
import { ViewsMenu } from './views-menu.tsx'

export function BoardToolbar() {
  return (
    <div className="toolbar">
      <ViewsMenu />
      <SearchField />
      <FilterButton />
      <SortMenu />
      <LayoutSwitch />
    </div>
  )
}

const layouts = [
  ['columns', 'board', 'Columns'],
  ['gallery', 'image', 'Gallery'],
] as const

function LayoutSwitch() {
  const { layout, setLayout } = useLayout()
  return (
    <fieldset className="layout-switch">
      <legend className="visually-hidden">Show the board as</legend>
      {layouts.map(([name, icon, label]) => (
        <button
          key={name}
          type="button"
          className="tool"
          aria-label={label}
          title={label}
          aria-pressed={layout === name}
          onClick={() => setLayout(name)}
        >
          <Icon name={icon} size={14} />
        </button>
      ))}
    </fieldset>
  )
}

function SearchField() {
  const { search } = useBoard()
  const setSearch = useSetSearch()
  const [text, setText] = useState(search.q ?? '')
  // The last search that this field has put into the address. The field does so only when the user pauses in typing; otherwise
  // every letter would cause a request.
  const asked = useRef(search.q ?? '')
  const askNow = (q: string) => {
    asked.current = q
    setSearch({ q }, true)
  }
  const ask = useDebouncedCallback(askNow, 220)
  useEffect(() => {
    // If the field itself has put this search into the address, its text is kept: the user may have typed more since then.
    if ((search.q ?? '') === asked.current) return
    ask.cancel()
    asked.current = search.q ?? ''
    setText(asked.current)
  }, [search.q, ask])
  const clear = () => {
    ask.cancel()
    setText('')
    askNow('')
  }
  return (
    <TextInput
      id="board-search"
      className="toolbar-search"
      size="xs"
      placeholder="Search names, or a number"
      aria-label="Search tasks by name or number"
      leftSection={<Icon name="search" size={14} />}
      rightSection={text === '' ? null : <CloseButton size="xs" aria-label="Clear the search" onClick={clear} />}
      value={text}
      maxLength={200}
      onChange={(event) => {
        setText(event.currentTarget.value)
        ask(event.currentTarget.value.trim())
      }}
      onKeyDown={(event) => {
        if (event.key === 'ArrowDown') {
          event.preventDefault()
          document.querySelector<HTMLElement>('.board-main [data-card] .card-name')?.focus()
        }
        if (event.key !== 'Escape') return
        if (text === '') event.currentTarget.blur()
        else clear()
      }}
    />
  )
}

function SortMenu() {
  const { schema, sortOf, search } = useBoard()
  const setSearch = useSetSearch()
  const sort = sortOf('backlog')
  const fields = schema.sort_fields.filter(({ feeds, name }) => feeds.includes('board') && name !== 'status')
  const label = fields.find(({ name }) => name === sort.field)?.label ?? sort.field
  const direction = sort.direction === 1 ? 'ascending' : 'descending'
  const turned = sortText({ field: sort.field, direction: sort.direction === 1 ? -1 : 1 })
  return (
    <span className="toolbar-sort">
      <Menu width={190} position="bottom-start">
        <Menu.Target>
          <button type="button" className="tool" data-on={search.sort !== undefined || undefined}>
            <Icon name="sort" size={14} />
            <span className="tool-label">{label}</span>
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>Sort every column by</Menu.Label>
          {fields.map(({ name, label }) => (
            <Menu.Item
              key={name}
              rightSection={name === sort.field ? <Icon name="check" size={14} /> : null}
              onClick={() =>
                setSearch({
                  sort: sortText({
                    field: name,
                    direction: name === sort.field ? sort.direction : firstDirection(name),
                  }),
                })
              }
            >
              {label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Tooltip label={`Now ${direction}; turn around`}>
        <ActionIcon
          size="sm"
          aria-label={`Sorted ${direction}; turn around`}
          onClick={() => setSearch({ sort: turned })}
        >
          <span className="turn" data-up={sort.direction === 1 || undefined}>
            <Icon name="chevron" size={14} />
          </span>
        </ActionIcon>
      </Tooltip>
    </span>
  )
}

const firstDirection = (field: string): 1 | -1 => sortFields.find(({ name }) => name === field)?.first ?? -1
