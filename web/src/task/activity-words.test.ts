// Facts about the text of the history of a task.
import { expect, test } from 'vitest'
import type { Activity } from '../lib/types.ts'
import { deletedNameOf, plainValue, wordsOfActivity } from './activity-words.ts'

const labels = {
  member: (name: string) => name.toUpperCase(),
  value: (_name: string, value: unknown) => plainValue(value),
}

test('a move names both columns, and what else changed with it', () => {
  const changes = { status: { from: 'backlog', to: 'done' }, completed_at: { from: null, to: 'now' } }
  expect(wordsOfActivity({ kind: 'task_moved', changes }, labels)).toEqual({
    did: 'moved the task from backlog to done',
    changes: [{ label: 'COMPLETED_AT', from: null, to: 'now' }],
  })
})

test('a change names what was changed', () => {
  const changes = { name: { from: 'a', to: 'b' }, flag: { from: false, to: true } }
  expect(wordsOfActivity({ kind: 'task_changed', changes }, labels)).toMatchObject({
    did: 'changed NAME, FLAG',
    changes: [
      { from: 'a', to: 'b' },
      { from: 'no', to: 'yes' },
    ],
  })
})

test('the deletion of a creative names it, except in entries of older services', () => {
  const entry = { kind: 'creative_deleted', changes: { name: { from: 'Hero_01', to: null } } } as const
  expect(wordsOfActivity(entry, labels)).toEqual({ did: 'deleted the creative “Hero_01”', changes: [] })
  expect(deletedNameOf(entry)).toBe('Hero_01')
  const older = { ...entry, changes: {} }
  expect(wordsOfActivity(older, labels)).toEqual({ did: 'deleted a creative', changes: [] })
  expect(deletedNameOf(older)).toBeUndefined()
  expect(deletedNameOf({ ...entry, kind: 'creative_changed' })).toBeUndefined()
})

test('what is no change is left out', () => {
  expect(wordsOfActivity({ kind: 'launch_recorded', changes: { ad_id: 'x' } }, labels).changes).toEqual([])
})

test('long values are cut', () => {
  expect(plainValue('x'.repeat(200))).toHaveLength(90)
  expect(plainValue(['a', 'b'])).toBe('a, b')
  expect(plainValue({ url: 'https://x', tags: ['a'], none: null })).toBe('url: https://x, tags: a')
})

test('why a task stays where it is is told whole', () => {
  const why = `“${'x'.repeat(200)}” needs the label “AI-generated”.`
  const changes = { reason: { from: null, to: why }, guest: { from: null, to: 'Grace' } }
  expect(wordsOfActivity({ kind: 'task_stayed', changes }, labels)).toEqual({
    did: 'gave the last acceptance, but the task stays where it is',
    changes: [
      { label: 'REASON', from: null, to: why },
      { label: 'GUEST', from: null, to: 'Grace' },
    ],
  })
})

test('variants are told one by one, by what came, went and changed, never as JSON', () => {
  const one = { key: 'v1', variation_num: 1, notes: null, audience: 'all', tag_slugs: [], completed: false }
  const words = (from: unknown, to: unknown) =>
    wordsOfActivity({ kind: 'task_changed', changes: { variants: { from, to } } }, labels).changes
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
})

test('a kind of a newer service has a sentence too', () => {
  const entry: Pick<Activity, 'kind' | 'changes'> = JSON.parse('{"kind":"some_later_kind","changes":{}}')
  expect(wordsOfActivity(entry, labels)).toEqual({ did: 'did something here', changes: [] })
})
