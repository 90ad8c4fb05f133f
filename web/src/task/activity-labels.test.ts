// Facts about the sentences of every kind of activity, with the labels that the page has: people can read all of them.
import { type ActivityKind, activityKinds } from '@atelier/contract/workspace.ts'
import { expect, test } from 'vitest'
import type { Activity, TaskSchema } from '../lib/types.ts'
import { labelsOf } from './activity-labels.ts'
import { wordsOfActivity } from './activity-words.ts'

const [ann, bob, gone] = [1, 2, 3].map((digit) => `01a21c18-9fd8-7000-8000-00000000000${digit}`)
const [oneFile, otherFile] = ['a', 'b'].map((digit) => digit.repeat(64))
const run = '01a21c18-9fd8-7000-8000-0000000000aa'

const field = { type: 'enum', nullable: true, operators: [], vocabulary: null, values: null }
const statuses = [
  { value: 'tech_check', label: 'Tech check' },
  { value: 'done', label: 'Done' },
]
const schema: Pick<TaskSchema, 'filter_fields' | 'vocabularies'> = {
  filter_fields: [
    { ...field, name: 'status', label: 'Status', values: statuses },
    { ...field, name: 'varied_elements', label: 'Varied elements', vocabulary: 'VariedElement' },
    { ...field, name: 'assignee_id', label: 'Assignee' },
    { ...field, name: 'ad_id', label: 'Campaign id' },
  ],
  vocabularies: { VariedElement: [{ value: 'hook_text', label: 'Hook text' }] },
}
const people = new Map([
  [ann ?? '', { name: 'Ann' }],
  [bob ?? '', { name: 'Bob' }],
])
const labels = labelsOf({ schema, people, products: new Map() })

const set = (to: unknown, from: unknown = null) => ({ from, to })
const zoe = { guest: set('Zoe') }

/** For each kind, the changes that the service records: `by` nobody where a guest is named, by an automation where one ends, else by Ann. */
const recorded: Record<ActivityKind, readonly Activity['changes'][]> = {
  task_created: [{}],
  task_changed: [
    { assignee_id: set(bob, gone), varied_elements: set(['hook_text'], []), product_id: set(gone, run) },
    { source_creative_ids: set([gone, run], [gone]), origin_creative_id: set(gone, run) },
    { variants: set([{ key: 'v7', notes: 'changed!' }], [{ key: 'v7', notes: 'note 6' }]) },
  ],
  task_moved: [{ status: set('done', 'tech_check') }, { status: set('done', 'tech_check'), ...zoe }],
  task_deleted: [{}],
  task_restored: [{}],
  comment_added: [{}],
  comment_changed: [{}],
  comment_deleted: [{}],
  creative_created: [{ name: set('Hero') }],
  creative_changed: [
    { file: set(otherFile, oneFile) },
    { file: set(oneFile) },
    { file: set(null, oneFile) },
    { completed: set(true, false), tags: set(['warm'], null) },
    { synthetic_performer: set(true), label: set(null, false), label_waived: set('DE: no people in it') },
  ],
  creative_deleted: [{ name: set(null, 'Hero') }, {}],
  creative_restored: [{}],
  review_commented: [{}, zoe],
  review_resolved: [{ resolved: set(true, false) }, { resolved: set(false, true) }],
  review_comment_deleted: [{}],
  review_decided: [{ decision: set('accepted') }, { decision: set('changes_wanted'), ...zoe }],
  task_stayed: [{ reason: set('A label is missing.') }, { reason: set('A label is missing.'), ...zoe }],
  review_take_started: [{ run: set(run) }],
  review_take_ended: [{ version: set(2) }, { error: set('The model refused.') }],
  review_take_decided: [
    { take: set('used', 'proposed'), version: set(2) },
    { take: set('dismissed', 'proposed'), version: set(2) },
  ],
  reviewers_changed: [
    { reviewers: set([ann, bob], []), needs: set('all', 'one'), moves_to: set('done', 'tech_check') },
    { reviewers: set([], [ann, gone]), moves_to: set(null, 'done') },
    // An earlier version recorded the reviewers when only the other settings had changed.
    { reviewers: set([ann], [ann]) },
  ],
  guest_link_created: [{ link: set('Client') }],
  guest_link_revoked: [{ link: set(null, 'Client') }],
  guest_looked: [zoe],
  launch_recorded: [{}],
  launch_corrected: [{ ad_id: set(null, '120210') }],
  automation_started: [{ automation: set('Drafts') }],
  automation_skipped: [{ automation: set('Drafts'), reason: set('“Drafts” is at work on this task.') }],
  automation_ended: [{ state: set('succeeded') }, { state: set('failed'), error: set('The model refused.') }],
}

/** What the page shows of an entry, as one line; a value before a change stands in brackets. */
function lineOf(kind: ActivityKind, changes: Activity['changes']): string {
  const name = kind === 'automation_ended' ? 'Automation “Drafts”' : 'Ann'
  const by = 'guest' in changes ? null : { user_id: null, token_id: null, name }
  const words = wordsOfActivity({ kind, changes, by }, labels)
  const lines = words.changes.map(({ label, from, to }) => `${label}: ${from === null ? '' : `[${from}] `}${to}`)
  return [`${words.who} ${words.did}`, ...lines].join(' | ')
}

test('each kind of activity is told in words: no ids, digests or names of values, and one subject', () => {
  const told = activityKinds.map((kind) => recorded[kind].map((changes) => lineOf(kind, changes)))
  expect(told.every((lines) => lines.length > 0)).toBe(true)
  for (const line of told.flat()) {
    expect(line).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-|[0-9a-f]{64}|[a-z]_[a-z]/)
    expect(line).not.toMatch(/^(?:Somebody|.*\(guest\).*guest:)/i)
  }
})

test('a guest is the subject, decisions and settings have words, and another file is told as such', () => {
  const linesOf = (kind: ActivityKind) => recorded[kind].map((changes) => lineOf(kind, changes))
  expect(linesOf('guest_looked')).toEqual(['Zoe (guest) opened a link for guests'])
  expect(linesOf('review_decided')).toEqual(['Ann accepted a creative', 'Zoe (guest) wants changes to a creative'])
  expect(linesOf('review_take_started')).toEqual(['Ann asked for a new take of a creative'])
  expect(linesOf('creative_changed').slice(0, 3)).toEqual([
    'Ann changed a creative | File: another file',
    'Ann changed a creative | File: a file',
    'Ann changed a creative | File: [a file] nothing',
  ])
  const reviewed = 'Ann changed how the creatives are reviewed'
  expect(linesOf('reviewers_changed')).toEqual([
    `${reviewed} | Reviewers: Ann, Bob | To accept: [One of them] All of them | When all is accepted, move to: [Tech check] Done`,
    `${reviewed} | Reviewers: [Ann, a person] anybody | When all is accepted, move to: [Done] it stays`,
    reviewed,
  ])
})
