// In charge of the menu of one row of a long list. The menu is created only when a user opens it for the first time, because a list
// has many rows and few of their menus are ever opened.
import { ActionIcon, Menu } from '@mantine/core'
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Icon } from './icons.tsx'

/** `children`: the items. `button`: is given the button that opens the menu, for who wants to move the focus there. */
type Props = { label: string; width: number; button?: RefObject<HTMLButtonElement | null>; children: ReactNode }

export function RowMenu(props: Props) {
  const { label, button } = props
  const [isCreated, setIsCreated] = useState(false)
  if (isCreated) return <CreatedMenu {...props} />
  return (
    <ActionIcon
      ref={button}
      size="sm"
      aria-label={label}
      aria-haspopup="menu"
      aria-expanded={false}
      onClick={() => setIsCreated(true)}
    >
      <Icon name="more" />
    </ActionIcon>
  )
}

function CreatedMenu({ label, width, button, children }: Props) {
  // The menu is drawn closed and then opened, because Mantine does not move the focus into a menu that is open when first drawn.
  const [shown, setShown] = useState(false)
  useEffect(() => setShown(true), [])
  const own = useRef<HTMLButtonElement>(null)
  const target = button ?? own
  // The button was drawn anew around the menu: without the focus, Mantine could not give it back when the menu closes.
  useLayoutEffect(() => target.current?.focus({ preventScroll: true }), [target])
  return (
    <Menu width={width} opened={shown} onChange={setShown}>
      <Menu.Target>
        <ActionIcon ref={target} size="sm" aria-label={label}>
          <Icon name="more" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  )
}
