// Facts about how the history of a task reads.
import { expect, test } from 'vitest'
import { plainValue, wordsOfActivity } from './activity-words.ts'

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

test('what is no change is left out', () => {
  expect(wordsOfActivity({ kind: 'launch_recorded', changes: { ad_id: 'x' } }, labels).changes).toEqual([])
})

test('long values are cut', () => {
  expect(plainValue('x'.repeat(200))).toHaveLength(90)
  expect(plainValue(['a'])).toBe('["a"]')
})
