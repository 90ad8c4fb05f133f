// In charge of the bar with the actions for several selected cards.
import { ActionIcon, Button, Combobox, Menu, ScrollArea, Tooltip, useCombobox } from '@mantine/core'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { namedApart } from '../lib/apart.ts'
import type { Person } from '../lib/types.ts'
import { Icon, type IconName } from '../ui/icons.tsx'
import { useBoard } from './board-context.ts'
import { priorities, useOfferMany } from './many-acts.ts'
import { restOfDoubleClick } from './rest-of-double-click.ts'
import { useSelectAll } from './select-all.ts'
import { cardsShown, useSelected } from './selection.ts'
import { useClearSelected } from './use-clear-selected.ts'
import { useDelete } from './use-delete.ts'
import { useFeeds } from './use-feeds.ts'
import { useFocusAfter } from './use-focus-after.ts'
import { useMove } from './use-move.ts'
import { usePatchMany } from './use-patch-many.ts'
import { useSeenSelected } from './use-seen-selected.ts'

export function BulkBar() {
  const selected = useSelected()
  const { columns, people } = useBoard()
  const feeds = useFeeds()
  const move = useMove()
  const patch = usePatchMany()
  const remove = useDelete()
  const focusAfter = useFocusAfter()
  const clear = useClearSelected()
  useSeenSelected()
  const cards = () => cardsShown(selected, feeds.findSelected)
  const count = cards().length
  const unseen = cards().filter(({ id }) => feeds.find(id) === undefined).length
  const setPriority = (priority: number | null) =>
    patch(
      cards(),
      { priority },
      (what) => `Set the priority of ${what} to ${priority === null ? 'none' : `P${priority}`}`,
    )
  const assign = (id: string | null, name: string) =>
    patch(cards(), { assignee_id: id }, (what) => `Assigned ${what} to ${name}`)
  const removeAll = () => {
    // The bar disappears with the cards, and the pressed button with it.
    focusAfter(cards())
    remove(cards())
  }
  useOfferMany({ count, move: (to) => move(cards(), to), assign, setPriority, remove: removeAll })
  if (count === 0) return null
  const active = [...people.values()].filter((person) => person.active)
  return (
    <div className="bulk-bar" role="toolbar" aria-label="Selected tasks">
      <div className="bulk-count">
        <strong>{count} selected</strong>
        {unseen > 0 ? <span className="bulk-unseen">{unseen} not in sight</span> : null}
        <SelectAll />
      </div>
      <Choice icon="move" label="Move to">
        {columns.map(({ name, label }) =>
          name === 'deleted' ? null : (
            <Menu.Item key={name} onClick={() => move(cards(), name)}>
              {label}
            </Menu.Item>
          ),
        )}
      </Choice>
      <AssigneeChoice people={active} choose={assign} />
      <Choice icon="flag" label="Priority">
        {priorities.map((priority) => (
          <Menu.Item key={priority} onClick={() => setPriority(priority)}>
            P{priority}
          </Menu.Item>
        ))}
        <Menu.Item onClick={() => setPriority(null)}>None</Menu.Item>
      </Choice>
      <Button
        variant="subtle"
        color="red"
        leftSection={<Icon name="trash" size={14} />}
        onClick={({ detail }) => {
          restOfDoubleClick(detail)
          removeAll()
        }}
      >
        Delete
      </Button>
      <Tooltip label="Clear the selection (Esc)">
        <ActionIcon
          aria-label="Clear the selection"
          onClick={({ detail }) => {
            restOfDoubleClick(detail)
            clear()
          }}
        >
          <Icon name="close" />
        </ActionIcon>
      </Tooltip>
    </div>
  )
}

/** Selects the rest of the column of the card that was selected last. */
function SelectAll() {
  const offer = useSelectAll()
  const button = useRef<HTMLButtonElement>(null)
  if (!offer) return null
  return (
    <Button
      ref={button}
      className="bulk-all"
      variant="subtle"
      aria-busy={offer.isReading}
      onClick={() => {
        if (offer.isReading) return
        // The button disappears once nothing is left to be selected.
        const passFocus = () => {
          if (document.activeElement === button.current)
            document.querySelector<HTMLElement>('.bulk-bar [aria-haspopup]')?.focus()
        }
        void offer.select(passFocus)
      }}
    >
      {offer.words}
    </Button>
  )
}

function Choice({ icon, label, children }: { icon: IconName; label: string; children: ReactNode }) {
  return (
    <Menu position="top" width={220}>
      <Menu.Target>
        <Button variant="subtle" leftSection={<Icon name={icon} size={14} />}>
          {label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <ScrollArea.Autosize mah={320} type="auto">
          {children}
        </ScrollArea.Autosize>
      </Menu.Dropdown>
    </Menu>
  )
}

const wantedIn = (search: string): string => search.trim().toLowerCase()

type AssigneeProps = { people: readonly Person[]; choose: (id: string | null, name: string) => void }

/**
 * The list of people, with a field that searches it. In a plain menu, a typed letter focuses an entry and the space in a name then
 * chooses it.
 */
function AssigneeChoice({ people, choose }: AssigneeProps) {
  const [search, setSearch] = useState('')
  const button = useRef<HTMLButtonElement>(null)
  const combobox = useCombobox({
    onDropdownOpen: () => combobox.focusSearchInput(),
    onDropdownClose: () => {
      combobox.resetSelectedOption()
      setSearch('')
    },
  })
  const choices = [{ id: null, name: 'Nobody' }, ...namedApart(people)]
  const wanted = wantedIn(search)
  const found = choices.filter(({ name }) => name.toLowerCase().includes(wanted))
  const { selectFirstOption } = combobox
  // As in other lists of choices, Enter takes the first that fits what is typed. While nothing is, the first is “Nobody”.
  useEffect(() => {
    if (wanted !== '') selectFirstOption()
  }, [wanted, selectFirstOption])
  return (
    <Combobox
      store={combobox}
      position="top"
      width={220}
      onOptionSubmit={(value) => {
        const chosen = choices.find(({ id }) => (id ?? '') === value)
        if (chosen) choose(chosen.id, chosen.name)
        combobox.closeDropdown()
        combobox.focusTarget()
      }}
    >
      <Combobox.Target targetType="button">
        <Button
          ref={button}
          variant="subtle"
          leftSection={<Icon name="people" size={14} />}
          onClick={() => combobox.toggleDropdown()}
        >
          Assign
        </Button>
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Search
          aria-label="Search people"
          placeholder="Name"
          value={search}
          onKeyDown={({ key }) => {
            if (key !== 'Tab') return
            // The field disappears with the list, at the end of the page. So Tab goes on from the button.
            button.current?.focus()
            combobox.closeDropdown()
          }}
          onChange={(event) => {
            const next = event.currentTarget.value
            setSearch(next)
            // A space at the end finds the same people, so the mark stays.
            if (wantedIn(next) !== wanted) combobox.resetSelectedOption()
          }}
        />
        <Combobox.Options aria-label="People">
          <ScrollArea.Autosize mah={280} type="auto">
            {found.map(({ id, name }) => (
              <Combobox.Option key={id} value={id ?? ''}>
                {name}
              </Combobox.Option>
            ))}
          </ScrollArea.Autosize>
          {found.length === 0 ? <Combobox.Empty>Nobody is called so</Combobox.Empty> : null}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}
