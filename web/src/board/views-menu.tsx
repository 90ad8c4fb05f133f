// In charge of the menu for choosing, saving, sharing and deleting views.
import { ActionIcon, Menu } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { copyText } from '../ui/copy.ts'
import { Icon } from '../ui/icons.tsx'
import { lazyDialog } from '../ui/lazy-dialog.tsx'
import { useBoard } from './board-context.ts'
import { currentView, sameSearch, savedViews, saveViews, type View, withView } from './views.ts'

const ViewDialog = lazyDialog(
  'this dialog',
  async () => (await import('./view-dialog.tsx')).ViewDialog,
  ({ title, close }) => ({ title, close }),
)

export function ViewsMenu() {
  const { search } = useBoard()
  const [views, setViews] = useState(savedViews)
  const [naming, setNaming] = useState(false)
  const navigate = useNavigate()
  const current = currentView(views, search)
  /** Changes the views as they are stored now: another tab may have stored some since this one has read them. */
  const keep = (change: (stored: View[]) => View[]) => {
    const next = change(savedViews())
    setViews(next)
    saveViews(next)
  }
  const show = (view: View['search']) =>
    void navigate({ to: '.', search: ({ layout }) => ({ ...view, ...(layout ? { layout } : {}) }), hash: true })
  const everything = sameSearch(search, {})
  return (
    <>
      <Menu width={240} position="bottom-start" onOpen={() => void ViewDialog.preload()}>
        <Menu.Target>
          <button type="button" className="tool tool-view">
            <Icon name="bookmark" size={14} />
            <span>{current?.name ?? (everything ? 'All tasks' : 'Unsaved view')}</span>
            <Icon name="chevron" size={12} />
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => show({})} rightSection={everything ? <Icon name="check" size={14} /> : null}>
            All tasks
          </Menu.Item>
          {views.map((view) => (
            <Menu.Item
              key={view.name}
              onClick={() => show(view.search)}
              rightSection={view === current ? <Icon name="check" size={14} /> : null}
            >
              {view.name}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item leftSection={<Icon name="plus" />} disabled={everything} onClick={() => setNaming(true)}>
            Save this view
          </Menu.Item>
          <Menu.Item
            leftSection={<Icon name="link" />}
            onClick={() => copyText(location.href, 'Link to this view copied')}
          >
            Copy link to this view
          </Menu.Item>
          {current ? (
            <Menu.Item
              leftSection={<Icon name="trash" />}
              className="danger-item"
              onClick={() => keep((stored) => stored.filter(({ name }) => name !== current.name))}
            >
              Forget “{current.name}”
            </Menu.Item>
          ) : null}
        </Menu.Dropdown>
      </Menu>
      {everything ? null : (
        <ActionIcon size="sm" aria-label="Show all tasks" onClick={() => show({})}>
          <Icon name="close" size={14} />
        </ActionIcon>
      )}
      {naming ? (
        <ViewDialog
          title="Save this view"
          close={() => setNaming(false)}
          save={(name) => keep((stored) => withView(stored, { name, search }))}
        />
      ) : null}
    </>
  )
}
