// Facts about the text of the history of a task.
import { expect, test } from 'vitest'
import type { Activity } from '../lib/types.ts'
import { deletedNameOf, plainValue, wordsOfActivity } from './activity-words.ts'

const labels = {
  member: (name: string) => name.toUpperCase(),
  value: (_name: string, value: unknown) => plainValue(value),
}
type Entry = Pick<Activity, 'kind' | 'changes'>
/** The words of an entry of Ann's. */
const wordsOf = (entry: Entry, by: Activity['by'] = { user_id: 'a', token_id: null, name: 'Ann' }) =>
  wordsOfActivity({ ...entry, by }, labels)
/** The only line below the sentence of a change of the notes. */
const ofNotes = (from: unknown, to: unknown) =>
  wordsOf({ kind: 'task_changed', changes: { notes: { from, to } } }).changes.map(({ from, to }) => [from, to])

test('a move names both columns, and what else changed with it', () => {
  const changes = { status: { from: 'backlog', to: 'done' }, completed_at: { from: null, to: 'now' } }
  expect(wordsOf({ kind: 'task_moved', changes })).toEqual({
    who: 'Ann',
    did: 'moved the task from backlog to done',
    changes: [{ label: 'COMPLETED_AT', from: null, to: 'now' }],
  })
})

test('a change names what was changed', () => {
  const changes = { name: { from: 'a', to: 'b' }, flag: { from: false, to: true } }
  expect(wordsOf({ kind: 'task_changed', changes })).toMatchObject({
    did: 'changed NAME, FLAG',
    changes: [
      { from: 'a', to: 'b' },
      { from: 'no', to: 'yes' },
    ],
  })
})

test('the deletion of a creative names it, except in entries of older services', () => {
  const entry = { kind: 'creative_deleted', changes: { name: { from: 'Hero_01', to: null } } } as const
  expect(wordsOf(entry)).toMatchObject({ did: 'deleted the creative “Hero_01”', changes: [] })
  expect(deletedNameOf(entry)).toBe('Hero_01')
  const older = { ...entry, changes: {} }
  expect(wordsOf(older)).toMatchObject({ did: 'deleted a creative', changes: [] })
  expect(deletedNameOf(older)).toBeUndefined()
  expect(deletedNameOf({ ...entry, kind: 'creative_changed' })).toBeUndefined()
})

test('what is no change is left out', () => {
  expect(wordsOf({ kind: 'launch_recorded', changes: { ad_id: 'x' } }).changes).toEqual([])
})

test('long values are cut', () => {
  expect(ofNotes(null, 'x'.repeat(200))).toEqual([[null, `${'x'.repeat(89)}…`]])
  expect(plainValue(['a', 'b'])).toBe('a, b')
  expect(plainValue({ url: 'https://x', tags: ['a'], none: null })).toBe('url: https://x, tags: a')
})

test('of long texts that begin alike, their difference is shown', () => {
  const same = 'x'.repeat(100)
  expect(ofNotes(`${same}before${same}`, `${same}after`)).toEqual([
    [`…${'x'.repeat(30)}before${'x'.repeat(53)}…`, `…${'x'.repeat(30)}after`],
  ])
  expect(ofNotes('a'.repeat(80), 'a'.repeat(81))).toEqual([['a'.repeat(80), 'a'.repeat(81)]])
})

test('of values that the service has cut, only that they changed is told, and of the same values nothing', () => {
  const cut = `${JSON.stringify([{ key: 'v1', notes: 'x'.repeat(300) }]).slice(0, 200)}…`
  const entry = { kind: 'task_changed', changes: { variants: { from: [{ key: 'v1' }], to: cut } } } as const
  expect(wordsOf(entry)).toMatchObject({
    did: 'changed VARIANTS',
    changes: [{ label: 'VARIANTS', from: null, to: 'too long to show' }],
  })
  expect(ofNotes(cut, null)).toEqual([[null, 'nothing']])
  expect(ofNotes('same', 'same')).toEqual([])
})

test('a guest is who did it, and an entry of nobody known is somebody’s', () => {
  const entry: Entry = { kind: 'guest_looked', changes: { guest: { from: null, to: 'Zoe' } } }
  expect(wordsOf(entry, null)).toEqual({ who: 'Zoe (guest)', did: 'opened a link for guests', changes: [] })
  expect(wordsOf({ ...entry, changes: {} }, null).who).toBe('Somebody')
})

test('why a task stays where it is is told whole', () => {
  const why = `“${'x'.repeat(200)}” needs the label “AI-generated”.`
  const changes = { reason: { from: null, to: why }, guest: { from: null, to: 'Grace' } }
  expect(wordsOf({ kind: 'task_stayed', changes }, null)).toEqual({
    who: 'Grace (guest)',
    did: 'gave the last acceptance, but the task stays where it is',
    changes: [{ label: 'REASON', from: null, to: why }],
  })
})

test('variants are told one by one, by what came, went and changed, never as JSON', () => {
  const one = { key: 'v1', variation_num: 1, notes: null, audience: 'all', tag_slugs: [], completed: false }
  const words = (from: unknown, to: unknown) =>
    wordsOf({ kind: 'task_changed', changes: { variants: { from, to } } }).changes
  expect(words([], [one])).toEqual([
    { label: 'VARIANTS › v1', from: null, to: 'added' },
    { label: 'VARIANTS › v1 › VARIATION_NUM', from: null, to: '1' },
    { label: 'VARIANTS › v1 › AUDIENCE', from: null, to: 'all' },
  ])
  expect(words([one], [{ ...one, audience: 'new', completed: true }])).toEqual([
    { label: 'VARIANTS › v1 › AUDIENCE', from: 'all', to: 'new' },
    { label: 'VARIANTS › v1 › COMPLETED', from: 'no', to: 'yes' },
  ])
  expect(words([one], [])).toEqual([{ label: 'VARIANTS › v1', from: null, to: 'removed' }])
  expect(words([{ key: 'v7', notes: 'note 6' }], [{ key: 'v7', notes: 'changed!' }])).toEqual([
    { label: 'VARIANTS › v7 › NOTES', from: 'note 6', to: 'changed!' },
  ])
  expect(words([{ key: 'v8' }, { key: 'v9' }], [{ key: 'v8' }, { key: 'v10' }])).toEqual([
    { label: 'VARIANTS › v8', from: null, to: 'changed' },
    { label: 'VARIANTS › v9', from: null, to: 'removed' },
    { label: 'VARIANTS › v10', from: null, to: 'added' },
  ])
  expect(words(['v1', 'v2'], ['v2', 'v1'])).toEqual([{ label: 'VARIANTS', from: 'v1, v2', to: 'v2, v1' }])
})

test('a kind of a newer service has a sentence too', () => {
  const entry: Entry = JSON.parse('{"kind":"some_later_kind","changes":{}}')
  expect(wordsOf(entry)).toMatchObject({ did: 'did something here', changes: [] })
})
