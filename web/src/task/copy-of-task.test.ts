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
  const { language, priority, count, resolution } = task
  expect(copy).toMatchObject({ language, priority, count, resolution })
  expect(copy.variants).toEqual([{ ...task.variants[0], completed: false }])
  for (const name of ['status', 'test_status', 'launched_at', 'drive_url']) expect(copy).not.toHaveProperty(name)
})

test('a copy is what the contract takes, also of the longest name', () => {
  const copy = copyOfTask({ ...task, name: '🌱'.repeat(255) })
  expect(Array.from(copy.name)).toHaveLength(255)
  expect(Compile(TaskCreate).Check(copy)).toBe(true)
})

test('every member that can be written is in a copy, or is known not to be', () => {
  const ofWhatBecame = ['status', 'test_status', 'manual_launch', 'launched_at']
  const ofItsPlace = ['is_legacy', 'legacy_remap_list', 'drive_url', 'drive_folder_id']
  const known = [...Object.keys(copyOfTask(task)), ...ofWhatBecame, ...ofItsPlace]
  expect(known.toSorted()).toEqual(Object.keys(TaskCreate.properties).toSorted())
})
