// In charge of the bar at the top: it has links to the pages, with the current page marked, and the menu of the signed-in user.
import { ActionIcon, Menu, Tooltip, UnstyledButton } from '@mantine/core'
import { Link, useMatchRoute } from '@tanstack/react-router'
import { hueOf, initialsOf } from '../lib/people.ts'
import { signOut } from '../lib/session.ts'
import type { Caller } from '../lib/types.ts'
import { commandKeyWords, openCommands } from '../ui/command-store.ts'
import { Icon } from '../ui/icons.tsx'
import { places } from '../ui/places.ts'
import { openShortcutHelp } from '../ui/shortcut-help.tsx'
import { tellError } from '../ui/toasts.tsx'
import { LiveMark } from './live-mark.tsx'
import { NoticeBadge } from './notice-badge.tsx'
import { ThemeSwitch } from './theme-switch.tsx'

export function TopBar({ caller }: { caller: Caller }) {
  const matches = useMatchRoute()
  // A task has an address of its own, but it opens beside the board; so the link to the board is then marked as the current page.
  const onBoard = matches({ to: '/tasks/$task_id' }) !== false
  return (
    <header className="top-bar">
      <Link to="/" className="brand" aria-label="Atelier, to the board">
        <img src="/icon.svg" alt="" width={24} height={24} />
        <span>Atelier</span>
      </Link>
      <nav aria-label="Main" className="nav-wide">
        {places.map(({ to, label }) => (
          <Link
            key={to}
            to={to}
            activeOptions={{ exact: to === '/', includeSearch: false }}
            className="nav-link"
            {...(to === '/' && onBoard ? { 'data-status': 'active', 'aria-current': 'page' } : {})}
          >
            {label}
          </Link>
        ))}
      </nav>
      <div className="top-right">
        <LiveMark />
        {caller.user ? <NoticeBadge userId={caller.user.id} /> : null}
        <Tooltip label={`Go to or do (${commandKeyWords})`}>
          <ActionIcon aria-label="Go to or do" aria-keyshortcuts="Control+K Meta+K" onClick={openCommands}>
            <Icon name="search" />
          </ActionIcon>
        </Tooltip>
        <Tooltip label="Keyboard shortcuts (?)">
          <ActionIcon aria-label="Keyboard shortcuts" onClick={openShortcutHelp} className="wide-only">
            <Icon name="help" />
          </ActionIcon>
        </Tooltip>
        <ThemeSwitch />
        <Who caller={caller} />
        <NarrowNav />
      </div>
    </header>
  )
}

function NarrowNav() {
  return (
    <div className="narrow-only">
      <Menu width={200}>
        <Menu.Target>
          <ActionIcon aria-label="Menu">
            <Icon name="menu" size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {places.map(({ to, label, icon }) => (
            <Menu.Item key={to} leftSection={<Icon name={icon} />} renderRoot={(props) => <Link to={to} {...props} />}>
              {label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </div>
  )
}

function Who({ caller }: { caller: Caller }) {
  const name = caller.name ?? 'Somebody'
  const leave = () =>
    signOut().then(
      () => location.assign('/'),
      (error: unknown) => tellError(error),
    )
  return (
    <Menu width={220}>
      <Menu.Target>
        <UnstyledButton aria-label={`${initialsOf(name)}, signed in as ${name}`} className="who">
          <span className="avatar" data-size="lg" data-hue={hueOf(caller.user?.id ?? name)} aria-hidden="true">
            {initialsOf(name)}
          </span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {name}
          {caller.user ? `, ${caller.user.role}` : ''}
        </Menu.Label>
        <Menu.Item leftSection={<Icon name="link" />} component="a" href="/docs">
          API documentation
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="out" />} onClick={() => void leave()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
