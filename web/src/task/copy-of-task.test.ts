// Facts about the copy of a task.
import { examples } from '@atelier/contract/examples/examples.ts'
import { TaskCreate } from '@atelier/contract/tasks.ts'
import { Compile } from 'typebox/compile'
import { expect, test } from 'vitest'
import { copyOfTask } from './copy-of-task.ts'
import { nextVariant } from './variant-list.ts'

const task = { ...examples.task, variants: [{ ...nextVariant([]), audience: 'Parents', completed: true }] }

test('a copy has the brief and the variants, and nothing of what became of the task', () => {
  const copy = copyOfTask(task)
  expect(copy).toMatchObject({ language: task.language, priority: task.priority, count: task.count })
  expect(copy.variants).toEqual([{ ...task.variants[0], completed: false }])
  for (const name of ['status', 'test_status', 'launched_at', 'resolution', 'drive_url'])
    expect(copy).not.toHaveProperty(name)
})

test('a copy is what the contract takes, also of the longest name', () => {
  const copy = copyOfTask({ ...task, name: '🌱'.repeat(255) })
  expect(Array.from(copy.name)).toHaveLength(255)
  expect(Compile(TaskCreate).Check(copy)).toBe(true)
})
