// In charge of how the history of a task reads. Pure.
import type { Activity } from '../lib/types.ts'

const sentences: Record<Activity['kind'], string> = {
  task_created: 'created the task',
  task_changed: 'changed',
  task_moved: 'moved the task',
  task_deleted: 'deleted the task',
  task_restored: 'restored the task',
  comment_added: 'commented',
  comment_changed: 'changed a comment',
  comment_deleted: 'deleted a comment',
  creative_created: 'added a creative',
  creative_changed: 'changed a creative',
  creative_deleted: 'deleted a creative',
  creative_restored: 'restored a creative',
  launch_recorded: 'recorded a launch',
  automation_started: 'set off an automation',
  automation_ended: 'ended',
  automation_skipped: 'set off an automation that did not start',
}

/** A change from nothing has no `from`: what is there now says it all. */
export type Words = { did: string; changes: { label: string; from: string | null; to: string }[] }

type Labels = {
  /** What a member is called. */
  member: (name: string) => string
  /** What a value of a member reads as. */
  value: (name: string, value: unknown) => string
}

export function wordsOfActivity(
  { kind, changes }: Pick<Activity, 'kind' | 'changes'>,
  { member, value }: Labels,
): Words {
  const listed = Object.entries(changes).flatMap(([name, change]) =>
    isChange(change)
      ? [
          {
            name,
            label: member(name),
            from: isBlank(change.from) ? null : value(name, change.from),
            to: value(name, change.to),
          },
        ]
      : [],
  )
  const moved = kind === 'task_moved' ? listed.find(({ name }) => name === 'status') : undefined
  const rest = listed.filter((change) => change !== moved).map(({ label, from, to }) => ({ label, from, to }))
  const did = moved ? `moved the task from ${moved.from ?? 'nowhere'} to ${moved.to}` : sentences[kind]
  return {
    did: kind === 'task_changed' ? `changed ${rest.map(({ label }) => label).join(', ') || 'the task'}` : did,
    changes: rest,
  }
}

const isChange = (value: unknown): value is { from: unknown; to: unknown } =>
  typeof value === 'object' && value !== null && 'from' in value && 'to' in value

const isBlank = (value: unknown): boolean => value === null || value === undefined || value === ''

/** A value without a label of its own. */
export function plainValue(value: unknown): string {
  if (isBlank(value)) return 'nothing'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > 90 ? `${text.slice(0, 89)}…` : text
}
