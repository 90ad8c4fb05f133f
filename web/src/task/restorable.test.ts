// Facts about which creatives of a task can be restored.
import { expect, test } from 'vitest'
import { restorableIn } from './restorable.ts'

const day = 86_400_000
const now = Date.parse('2026-11-20T12:00:00Z')
const entry = (
  id: string,
  kind: 'creative_deleted' | 'creative_restored' | 'task_moved',
  subject: string | null,
  daysAgo = 1,
) => ({
  id,
  kind,
  subject_id: subject,
  at: new Date(now - daysAgo * day).toISOString(),
})

test('a deleted creative can be restored from the entry that tells its last deletion', () => {
  const entries = [
    entry('5', 'creative_deleted', 'a'),
    entry('4', 'creative_deleted', 'b'),
    entry('3', 'creative_restored', 'a', 2),
    entry('2', 'task_moved', null, 2),
    entry('1', 'creative_deleted', 'a', 3),
  ]
  expect([...restorableIn(entries, 30 * day, now)]).toEqual([
    ['5', 'a'],
    ['4', 'b'],
  ])
})

test('one that was restored, or deleted longer ago than it is kept, cannot', () => {
  const entries = [
    entry('3', 'creative_restored', 'a'),
    entry('2', 'creative_deleted', 'a', 2),
    entry('1', 'creative_deleted', 'b', 30),
  ]
  expect([...restorableIn(entries, 30 * day, now)]).toEqual([])
})
