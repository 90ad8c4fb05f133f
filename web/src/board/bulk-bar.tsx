// In charge of the bar with the actions for several selected cards.
import { ActionIcon, Button, Menu, ScrollArea, Tooltip } from '@mantine/core'
import { useIsFetching } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Icon, type IconName } from '../ui/icons.tsx'
import { useBoard } from './board-context.ts'
import { clearSelected, useSelected } from './selection.ts'
import { useDelete } from './use-delete.ts'
import { useFeeds } from './use-feeds.ts'
import { useMove, usePatchMany } from './use-move.ts'

const priorities = [1, 2, 3, 4, 5]

export function BulkBar() {
  const selected = useSelected()
  const { columns, people } = useBoard()
  const feeds = useFeeds()
  const move = useMove()
  const patch = usePatchMany()
  const remove = useDelete()
  // Draws the bar again when another search or filter has been read.
  useIsFetching({ queryKey: ['feed'] })
  // A selected card that a search or a filter hides, or that somebody has deleted, is left out of everything that the bar does.
  const cards = () =>
    [...selected]
      .map((id) => feeds.find(id))
      .filter((card) => card !== undefined)
      .filter((card) => card.deleted_at === null)
  const ids = () => cards().map(({ id }) => id)
  const count = cards().length
  if (count === 0) return null
  const active = [...people.values()].filter((person) => person.active)
  return (
    <div className="bulk-bar" role="toolbar" aria-label="Selected tasks">
      <strong>{count} selected</strong>
      <Choice icon="move" label="Move to">
        {columns.map(({ name, label }) =>
          name === 'deleted' ? null : (
            <Menu.Item key={name} onClick={() => move(cards(), name)}>
              {label}
            </Menu.Item>
          ),
        )}
      </Choice>
      <Choice icon="people" label="Assign">
        <Menu.Item onClick={() => patch(ids(), { assignee_id: null }, { assignee_id: null })}>Nobody</Menu.Item>
        {active.map(({ id, name }) => (
          <Menu.Item key={id} onClick={() => patch(ids(), { assignee_id: id }, { assignee_id: id })}>
            {name ?? 'Unnamed'}
          </Menu.Item>
        ))}
      </Choice>
      <Choice icon="flag" label="Priority">
        {priorities.map((priority) => (
          <Menu.Item key={priority} onClick={() => patch(ids(), { priority }, { priority })}>
            P{priority}
          </Menu.Item>
        ))}
        <Menu.Item onClick={() => patch(ids(), { priority: null }, { priority: null })}>None</Menu.Item>
      </Choice>
      <Button
        variant="subtle"
        color="red"
        leftSection={<Icon name="trash" size={14} />}
        onClick={() => void remove(cards())}
      >
        Delete
      </Button>
      <Tooltip label="Clear the selection (Esc)">
        <ActionIcon aria-label="Clear the selection" onClick={clearSelected}>
          <Icon name="close" />
        </ActionIcon>
      </Tooltip>
    </div>
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
