// In charge of the head of an open task: the task's name, its column, and the actions on the whole task.

import type { TaskStatus } from '@atelier/contract/enums.ts'
import type { Task } from '@atelier/contract/tasks.ts'
import { ActionIcon, Button, CopyButton, Menu, Select, Tooltip } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { AutomationMark } from '../board/automation-mark.tsx'
import { showBarred } from '../board/barred.ts'
import { useBoard } from '../board/board-context.ts'
import { readUndoStarts } from '../board/undo-starts.ts'
import { useRestore } from '../board/use-delete.ts'
import { useFeeds } from '../board/use-feeds.ts'
import { useMove } from '../board/use-move.ts'
import { leftOf, spanWords } from '../lib/dates.ts'
import { useNow } from '../lib/use-now.ts'
import { copyText } from '../ui/copy.ts'
import { Icon } from '../ui/icons.tsx'
import { tellError, tellUndoable } from '../ui/toasts.tsx'
import { cardOf } from './card-of.ts'
import { EditableText } from './editable-text.tsx'
import { LaunchDialog } from './launch-dialog.tsx'
import { LaunchesDialog } from './launches-dialog.tsx'
import { NextStep } from './next-step.tsx'
import { hideLaunches, showLaunches, useLaunchesShown } from './shown-launches.ts'
import { TemplateDialog } from './template-dialog.tsx'
import { useDeleteOpened } from './use-delete-opened.ts'
import { useDuplicate } from './use-duplicate.ts'
import type { Save } from './use-task-edit.ts'

/** `deleted` is called when the user deletes the task, with what then focuses its neighbour. */
type Props = { task: Task; save: Save; disabled: boolean; deleted: (focus: () => void) => void }

export function TaskHead({ task, save, disabled, deleted }: Props) {
  useDocumentTitle(`#${task.number} ${task.name} · Atelier`)
  const { schema, canWrite } = useBoard()
  const navigate = useNavigate()
  const remove = useDeleteOpened()
  const duplicate = useDuplicate()
  const [launching, setLaunching] = useState(false)
  const [keeping, setKeeping] = useState(false)
  const hasLaunches = useLaunchesShown(task.id)
  const close = () => void navigate({ to: '/', search: (search) => search })
  const feeds = useFeeds()
  const moveCards = useMove()
  const client = useQueryClient()
  const statuses = schema.statuses.map(({ value, label }) => ({ value, label }))
  const move = (to: TaskStatus) => {
    const label = statuses.find(({ value }) => value === to)?.label ?? to
    const moved = (status: TaskStatus) => ({ ...(feeds.find(task.id) ?? cardOf(task)), status })
    const starts = readUndoStarts(client, task.status)
    const undo = () => moveCards([moved(to)], task.status)
    save({ status: to }).then(
      async () => tellUndoable(`Moved “${task.name}” to ${label}${await starts}`, undo, 'moved'),
      (error: unknown) => showBarred(error, [moved(task.status)]) || tellError(error, 'Not moved'),
    )
  }
  return (
    <header className="task-head">
      <div className="task-bar">
        <span className="card-number">#{task.number}</span>
        <Select
          size="xs"
          w={160}
          aria-label="Column"
          data={statuses}
          value={task.status}
          disabled={disabled}
          onChange={(status) => status && move(status)}
        />
        {disabled ? null : <NextStep task={task} statuses={statuses} move={move} launch={() => setLaunching(true)} />}
        <span className="task-mark">
          <AutomationMark task={task} />
        </span>
        <span className="task-tools">
          <Menu width={240}>
            <Menu.Target>
              <ActionIcon aria-label="Menu of the task">
                <Icon name="more" />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item leftSection={<Icon name="link" />} onClick={() => copyText(location.href, 'Link copied')}>
                Copy link
              </Menu.Item>
              {canWrite ? (
                <Menu.Item leftSection={<Icon name="copy" />} onClick={() => duplicate(task)}>
                  Duplicate, without creatives
                </Menu.Item>
              ) : null}
              {canWrite ? (
                <Menu.Item leftSection={<Icon name="bookmark" />} onClick={() => setKeeping(true)}>
                  Save as a template
                </Menu.Item>
              ) : null}
              {disabled ? null : (
                <Menu.Item leftSection={<Icon name="flag" />} onClick={() => setLaunching(true)}>
                  Record a launch of the pack
                </Menu.Item>
              )}
              <Menu.Item leftSection={<Icon name="clock" />} onClick={() => showLaunches(task.id)}>
                Launches, and corrections
              </Menu.Item>
              {disabled ? null : (
                <Menu.Item
                  leftSection={<Icon name="trash" />}
                  className="danger-item"
                  onClick={() => {
                    deleted(remove(task))
                    close()
                  }}
                >
                  Delete
                </Menu.Item>
              )}
            </Menu.Dropdown>
          </Menu>
          <Tooltip label="Close (Esc)">
            <ActionIcon aria-label="Close the task" onClick={close}>
              <Icon name="close" />
            </ActionIcon>
          </Tooltip>
        </span>
      </div>
      <h2 className="visually-hidden">{task.name}</h2>
      <EditableText
        label="Name of the task"
        value={task.name}
        className="task-name"
        disabled={disabled}
        save={(name) => save({ name })}
      />
      {task.generated_name ? <GeneratedName name={task.generated_name} /> : null}
      {keeping ? <TemplateDialog task={task} close={() => setKeeping(false)} /> : null}
      {launching ? <LaunchDialog taskId={task.id} close={() => setLaunching(false)} /> : null}
      {hasLaunches ? <LaunchesDialog taskId={task.id} disabled={disabled} close={hideLaunches} /> : null}
      {task.deleted_at ? <DeletedBanner task={task} deletedAt={task.deleted_at} /> : null}
    </header>
  )
}

function GeneratedName({ name }: { name: string }) {
  return (
    <CopyButton value={name}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? 'Copied' : 'The name its creatives start with. Click to copy'}>
          <button type="button" className="generated-name" onClick={copy}>
            {name}
            <Icon name={copied ? 'check' : 'copy'} size={12} />
          </button>
        </Tooltip>
      )}
    </CopyButton>
  )
}

function DeletedBanner({ task, deletedAt }: { task: Task; deletedAt: string }) {
  const { retentionMs, canWrite } = useBoard()
  const restore = useRestore()
  const left = leftOf(deletedAt, retentionMs, useNow())
  return (
    <div className="deleted-banner" role="status">
      <span>
        This task is deleted.{' '}
        {left > 0 ? `It can be restored for ${spanWords(left)}, with its creatives.` : 'Its time is over.'}
      </span>
      {canWrite ? (
        <Button variant="white" leftSection={<Icon name="restore" size={14} />} onClick={() => void restore([task])}>
          Restore
        </Button>
      ) : null}
    </div>
  )
}
