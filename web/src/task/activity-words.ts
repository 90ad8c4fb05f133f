// In charge of the sentences that the history of a task shows. Pure.
import { startOfDifference } from '@atelier/contract/text-difference.ts'
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
  reviewers_changed: 'changed how the creatives are reviewed',
  guest_link_created: 'made a link for guests',
  guest_link_revoked: 'revoked a link for guests',
  guest_looked: 'opened a link for guests',
  launch_recorded: 'recorded a launch',
  launch_corrected: 'corrected a launch',
  automation_started: 'set off an automation',
  automation_ended: 'ended',
  automation_skipped: 'set off an automation that did not start',
}

type Telling = {
  member: string
  /** Returns the sentence for what the member became (or was, if it is empty now); undefined: the general sentence of the kind. */
  did: (value: string) => string | undefined
  /** Whether the member is also listed below the sentence. */
  isListed?: boolean
}

const choose =
  (words: Readonly<Record<string, string>>) =>
  (value: string): string | undefined =>
    words[value]

/** The kinds whose sentence depends on a member of their changes. */
const telling: Partial<Record<string, Telling>> = {
  review_resolved: {
    member: 'resolved',
    did: choose({ true: 'resolved a comment on a creative', false: 'reopened a comment on a creative' }),
  },
  review_decided: {
    member: 'decision',
    did: choose({ accepted: 'accepted a creative', changes_wanted: 'wants changes to a creative' }),
  },
  // The member is the id of the run, which says nothing to people.
  review_take_started: { member: 'run', did: () => undefined },
  review_take_ended: { member: 'error', did: () => 'got no new take of a creative', isListed: true },
  review_take_decided: {
    member: 'take',
    did: choose({ used: 'used a new take of a creative', dismissed: 'dismissed a new take of a creative' }),
  },
  guest_link_created: { member: 'link', did: (name) => `made the link “${name}” for guests` },
  guest_link_revoked: { member: 'link', did: (name) => `revoked the link “${name}” for guests` },
  automation_started: { member: 'automation', did: (name) => `set off the automation “${name}”` },
  automation_ended: { member: 'state', did: choose({ succeeded: 'succeeded', failed: 'failed' }) },
  automation_skipped: {
    member: 'automation',
    did: (name) => `set off the automation “${name}”, which did not start`,
  },
}

/**
 * Returns the sentence of an entry, and the member that needs no line below it, if there is one. A newer service may report kinds that
 * this page does not know: these are told in general words.
 */
function sentenceOf(kind: string, changes: readonly Change[]): { did: string; told?: Change } {
  const did = Object.entries(sentences).find(([known]) => known === kind)?.[1] ?? 'did something here'
  const rule = telling[kind]
  const change = changes.find(({ name }) => name === rule?.member)
  if (!rule || !change) return { did }
  return { did: rule.did(String(change.to ?? change.from)) ?? did, ...(rule.isListed ? {} : { told: change }) }
}

/** Returns the name of the creative whose deletion an entry tells; undefined for other entries, and for those of older services. */
export function deletedNameOf({ kind, changes }: Pick<Activity, 'kind' | 'changes'>): string | undefined {
  const { name } = changes
  return kind === 'creative_deleted' && isChange(name) && typeof name.from === 'string' ? name.from : undefined
}

/**
 * Who (`who`) did what (`did`), and which members changed thereby. `from` is null if the member was empty before the change, or if its
 * value before says nothing that `to` does not say.
 */
export type Words = { who: string; did: string; changes: { label: string; from: string | null; to: string }[] }

export type Labels = {
  /** Returns the label of a member. */
  member: (name: string) => string
  /** Returns the text of a value of a member, however long it is. */
  value: (name: string, value: unknown) => string
}

export function wordsOfActivity(
  { kind, changes, by }: Pick<Activity, 'kind' | 'changes' | 'by'>,
  { member, value }: Labels,
): Words {
  const all = changesOf(changes, member)
  // The author of an entry is a person, a token or an automation: a guest is named by the changes instead.
  const guest = by?.name == null ? all.find(({ name }) => name === 'guest') : undefined
  const who = by?.name ?? (guest ? `${guest.to} (guest)` : 'Somebody')
  const deleted = deletedNameOf({ kind, changes })
  if (deleted !== undefined) return { who, did: `deleted the creative “${deleted}”`, changes: [] }
  const own = all.filter((change) => change !== guest)
  const { did, told } = sentenceOf(kind, own)
  const listed = own
    .filter((change) => change !== told && !isSame(change.from, change.to))
    .flatMap((change) => inParts(change, member))
    .map((change) => ({ name: change.name, label: change.label, ...textsOf(change, value) }))
  const moved = kind === 'task_moved' ? listed.find(({ name }) => name === 'status') : undefined
  const rest = listed.filter((change) => change !== moved).map(({ label, from, to }) => ({ label, from, to }))
  if (moved) return { who, did: `moved the task from ${moved.from ?? 'nowhere'} to ${moved.to}`, changes: rest }
  const names = own.map(({ label }) => label).join(', ')
  return { who, did: kind === 'task_changed' ? `changed ${names || 'the task'}` : did, changes: rest }
}

/** Members that hold a sentence of the service, which is not cut, unlike other long values. */
const sentencesOfService = ['reason', 'error']

function textsOf({ name, from, to }: Change, value: Labels['value']): { from: string | null; to: string } {
  if (to === removed) return { from: null, to: 'removed' }
  if (isCutJson(from) || isCutJson(to)) return { from: null, to: isBlank(to) ? value(name, to) : 'too long to show' }
  const [before, after] = [isBlank(from) ? null : value(name, from), value(name, to)]
  // Values that people cannot read, such as the digests of files, all have the same text.
  if (before === after) return { from: null, to: anotherOf(after) }
  return sentencesOfService.includes(name) ? { from: before, to: after } : cutBoth(before, after)
}

const anotherOf = (text: string): string => (text.startsWith('a ') ? text.replace('a ', 'another ') : 'changed')

/** Whether a value is the beginning of a JSON text, which the service records in place of a value that is too long. */
const isCutJson = (value: unknown): boolean =>
  typeof value === 'string' && value.length === 201 && /^(?:\{"|\[["{[\d]).*…$/s.test(value)

const longest = 90

/** Cuts long texts. Of two that begin alike, most of that beginning is left out, so that their difference is shown. */
function cutBoth(from: string | null, to: string): { from: string | null; to: string } {
  if (from === null) return { from, to: cut(to, 0) }
  const start = Math.max(from.length, to.length) > longest ? startOfDifference(from, to) : 0
  return { from: cut(from, start), to: cut(to, start) }
}

function cut(text: string, start: number): string {
  const end = text.length - start > longest ? start + longest - 1 : text.length
  return `${start > 0 ? '…' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''}`
}

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
    // Of changed elements that are too many, the service records only the keys.
    if (from && Object.keys(to).length === 1) return [{ name: change.name, label, from: null, to: 'changed' }]
    if (!from) return [{ name: change.name, label, from: null, to: 'added' }, ...membersOf({}, to, label, member)]
    return membersOf(from, to, label, member)
  })
}

type Members = Readonly<Record<string, unknown>>

const membersOf = (from: Members, to: Members, label: string, member: Labels['member']): Change[] =>
  Object.keys(to)
    .filter((name) => name !== 'key' && !isSame(from[name], to[name]))
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

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one ?? null) === JSON.stringify(other ?? null)

export const isBlank = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

/** Returns a text for a value of a member that has no labels for its values. */
export function plainValue(value: unknown): string {
  if (isBlank(value)) return 'nothing'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return textOf(value)
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
