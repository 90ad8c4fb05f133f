// In charge of the sentences that the history of a task shows. Pure.
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
  review_commented: 'commented on a creative',
  review_resolved: 'resolved or reopened a comment on a creative',
  review_comment_deleted: 'deleted a comment on a creative',
  review_decided: 'decided about a creative',
  task_stayed: 'gave the last acceptance, but the task stays where it is',
  review_take_started: 'asked for a new take of a creative',
  review_take_ended: 'got a new take of a creative',
  review_take_decided: 'decided about a new take of a creative',
  reviewers_changed: 'changed who reviews',
  guest_link_created: 'made a link for guests',
  guest_link_revoked: 'revoked a link for guests',
  guest_looked: 'a guest looked at it',
  launch_recorded: 'recorded a launch',
  launch_corrected: 'corrected a launch',
  automation_started: 'set off an automation',
  automation_ended: 'ended',
  automation_skipped: 'set off an automation that did not start',
}

/** Returns the sentence of a kind. A newer service may report kinds that this page does not know: these are told in general words. */
const sentenceOf = (kind: string): string =>
  Object.entries(sentences).find(([known]) => known === kind)?.[1] ?? 'did something here'

/** Returns the name of the creative whose deletion an entry tells; undefined for other entries, and for those of older services. */
export function deletedNameOf({ kind, changes }: Pick<Activity, 'kind' | 'changes'>): string | undefined {
  const { name } = changes
  return kind === 'creative_deleted' && isChange(name) && typeof name.from === 'string' ? name.from : undefined
}

/** What somebody did (`did`), and which members changed thereby. `from` is null if the member was empty before the change. */
export type Words = { did: string; changes: { label: string; from: string | null; to: string }[] }

type Labels = {
  /** Returns the label of a member. */
  member: (name: string) => string
  /** Returns the text of a value of a member. */
  value: (name: string, value: unknown) => string
}

export function wordsOfActivity(
  { kind, changes }: Pick<Activity, 'kind' | 'changes'>,
  { member, value }: Labels,
): Words {
  const deleted = deletedNameOf({ kind, changes })
  if (deleted !== undefined) return { did: `deleted the creative “${deleted}”`, changes: [] }
  const listed = changesOf(changes, member).flatMap((change) => {
    const parts = inParts(change, member)
    return parts.map(({ name, label, from, to }) => ({
      name,
      label,
      from: isBlank(from) ? null : value(name, from),
      to: textAfter(name, to, value),
    }))
  })
  const moved = kind === 'task_moved' ? listed.find(({ name }) => name === 'status') : undefined
  const rest = listed.filter((change) => change !== moved).map(({ label, from, to }) => ({ label, from, to }))
  const did = moved ? `moved the task from ${moved.from ?? 'nowhere'} to ${moved.to}` : sentenceOf(kind)
  return {
    did: kind === 'task_changed' ? `changed ${namesOf(changes, member) || 'the task'}` : did,
    changes: rest,
  }
}

/** The text of what a member became. A reason is a sentence of the service, which is not cut, unlike other long values. */
function textAfter(name: string, to: unknown, value: Labels['value']): string {
  if (to === removed) return 'removed'
  return name === 'reason' && typeof to === 'string' ? to : value(name, to)
}

const namesOf = (changes: Readonly<Record<string, unknown>>, member: Labels['member']): string =>
  changesOf(changes, member)
    .map(({ label }) => label)
    .join(', ')

type Change = { name: string; label: string; from: unknown; to: unknown }

const changesOf = (changes: Readonly<Record<string, unknown>>, label: (name: string) => string): Change[] =>
  Object.entries(changes).flatMap(([name, change]) =>
    isChange(change) ? [{ name, label: label(name), from: change.from, to: change.to }] : [],
  )

const removed = Symbol('removed')

/** Splits the change of a list, such as the variants, into the elements added or removed and the changed members of the others. */
function inParts(change: Change, member: Labels['member']): Change[] {
  const [before, after] = [keyed(change.from), keyed(change.to)]
  if (!before || !after) return [change]
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((key): Change[] => {
    const [from, to] = [before.get(key), after.get(key)]
    const label = `${change.label} › ${key}`
    if (!to) return [{ name: change.name, label, from: null, to: removed }]
    if (!from) return [{ name: change.name, label, from: null, to: 'added' }, ...membersOf({}, to, label, member)]
    return membersOf(from, to, label, member)
  })
}

type Members = Readonly<Record<string, unknown>>

const membersOf = (from: Members, to: Members, label: string, member: Labels['member']): Change[] =>
  Object.keys(to)
    .filter((name) => name !== 'key' && JSON.stringify(from[name] ?? null) !== JSON.stringify(to[name] ?? null))
    .filter((name) => !(isBlank(from[name]) && (isBlank(to[name]) || to[name] === false)))
    .map((name) => ({ name, label: `${label} › ${member(name)}`, from: from[name], to: to[name] }))

/** Returns the elements of a list by their member `key`; null if the value is not a list, or if an element has no such member. */
function keyed(value: unknown): ReadonlyMap<string, Members> | null {
  if (!Array.isArray(value)) return null
  const entries = value.flatMap((entry: unknown) => (hasKey(entry) ? [[entry.key, entry] as const] : []))
  return entries.length === value.length ? new Map(entries) : null
}

const hasKey = (value: unknown): value is Members & { key: string } =>
  typeof value === 'object' && value !== null && 'key' in value && typeof value.key === 'string'

const isChange = (value: unknown): value is { from: unknown; to: unknown } =>
  typeof value === 'object' && value !== null && 'from' in value && 'to' in value

const isBlank = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

/** Returns a text of at most 90 characters for a value of a member that has no labels for its values. */
export function plainValue(value: unknown): string {
  if (isBlank(value)) return 'nothing'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  const text = textOf(value)
  return text.length > 90 ? `${text.slice(0, 89)}…` : text
}

/** Returns a text for any value: list elements are joined with commas, and an object is written as its members, not as JSON. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(', ')
  if (typeof value !== 'object' || value === null) return String(value)
  return Object.entries(value)
    .filter(([, part]) => !isBlank(part))
    .map(([name, part]) => `${name}: ${textOf(part)}`)
    .join(', ')
}
