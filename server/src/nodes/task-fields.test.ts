// Facts about task.fields.
import { examples } from '@atelier/contract/examples.ts'
import { expect, test } from 'vitest'
import { callNode, failureOf } from '../../test/support/nodes.ts'
import { taskFields } from './task-fields.ts'

const type = taskFields({
  readTask: async (id) => (id === 'deleted' ? null : { ...examples.task, id, audience: null, geo: '' }),
})

test('gives what is on the card, and nothing for what is empty', async () => {
  const { outputs } = await callNode(type, { taskId: 'a' })
  expect(outputs.task).toMatchObject({ id: 'a', name: examples.task.name })
  expect(outputs.name).toBe(examples.task.name)
  expect(outputs.variants).toEqual(examples.task.variants)
  expect(outputs.planned_names).toEqual(examples.task.planned_creative_names)
  expect('audience' in outputs || 'geo' in outputs).toBe(false)
})

test('every value it gives has a port', async () => {
  const { outputs } = await callNode(type, { taskId: 'a' })
  expect(Object.keys(outputs).filter((port) => !(port in type.outputs))).toEqual([])
})

test('needs a task that is there', async () => {
  expect(await failureOf(callNode(type, {}))).toMatch(/not started for a task/)
  expect(await failureOf(callNode(type, { taskId: 'deleted' }))).toMatch(/is deleted/)
})

test('is never taken from the cache: cards change', () => {
  expect(type.cacheable).toBe(false)
})
