// In charge of the menu of a card: actions for which the user need not open the task. The menu is created only when a user opens
// it, because a board has many cards and few of their menus are ever opened.
import { Menu } from '@mantine/core'
import { useEffect, useState } from 'react'
import type { Card } from '../lib/types.ts'
import { copyText } from '../ui/copy.ts'
import { Icon } from '../ui/icons.tsx'
import { useBoard } from './board-context.ts'
import { focusCard } from './selection.ts'
import { useDelete } from './use-delete.ts'
import { useFocusAfter } from './use-focus-after.ts'
import { useMove } from './use-move.ts'

export function CardMenu({ card }: { card: Card }) {
  const [opened, setOpened] = useState(false)
  const button = (
    <button
      type="button"
      className="card-menu"
      aria-label={`Menu of ${card.name}`}
      aria-haspopup="menu"
      aria-expanded={opened}
      onClick={() => setOpened((before) => !before)}
    >
      <Icon name="more" />
    </button>
  )
  const hide = () => setOpened(false)
  const close = () => {
    hide()
    focusCard(card.id, card.status)
  }
  return opened ? <OpenMenu {...{ card, button, close, hide }} /> : button
}

/** `close` also gives the focus back to the card; `hide` does not. */
type Props = { card: Card; button: React.ReactNode; close: () => void; hide: () => void }

function OpenMenu({ card, button, close, hide }: Props) {
  const { columns, canWrite } = useBoard()
  // The menu is drawn closed and then opened, because Mantine does not move the focus into a menu that is open when first drawn.
  const [shown, setShown] = useState(false)
  useEffect(() => setShown(true), [])
  const move = useMove()
  const remove = useDelete()
  const focusAfter = useFocusAfter()
  const link = `${location.origin}/tasks/${card.id}`
  return (
    <Menu opened={shown} onClose={close} width={210} returnFocus={false}>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        {canWrite ? <Menu.Label>Move to</Menu.Label> : null}
        {columns.map(({ name, label }) =>
          canWrite && name !== 'deleted' && name !== card.status ? (
            <Menu.Item key={name} onClick={() => move([card], name)}>
              {label}
            </Menu.Item>
          ) : null,
        )}
        <Menu.Divider />
        <Menu.Item leftSection={<Icon name="link" />} onClick={() => copyText(link, 'Link copied')}>
          Copy link
        </Menu.Item>
        {canWrite ? (
          <Menu.Item
            leftSection={<Icon name="trash" />}
            className="danger-item"
            // Mantine would close the menu by `close`, and the focus would be lost with the deleted card.
            closeMenuOnClick={false}
            onClick={() => {
              hide()
              focusAfter([card])
              remove([card])
            }}
          >
            Delete
          </Menu.Item>
        ) : null}
      </Menu.Dropdown>
    </Menu>
  )
}
