// Facts about the list of deleted tasks that cannot be restored, because names of their creatives now belong to other creatives.
import { expect, test } from 'vitest'
import { withConflicts, withoutTask } from './conflicts.ts'

const of = (id: string, ...names: string[]) => ({
  task: { id, name: id },
  conflicts: names.map((name) => ({ creative_id: name, name, taken_by: 'x', taken_by_task_id: 'y' })),
})

test('several wait in line, and what is left of one keeps its place', () => {
  const waiting = withConflicts(withConflicts([], of('a', '1', '2')), of('b', '3'))
  expect(waiting.map(({ task }) => task.id)).toEqual(['a', 'b'])
  expect(withConflicts(waiting, of('a', '2'))).toEqual([of('a', '2'), of('b', '3')])
})

test('a task that is back waits no longer', () => {
  expect(withoutTask([of('a', '1'), of('b', '2')], 'a')).toEqual([of('b', '2')])
})
