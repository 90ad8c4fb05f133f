// Facts about the node type `task.fields`.
import { examples } from '@atelier/contract/examples/examples.ts'
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

test('of one variant it gives what that says, and the rest as the card has it', async () => {
  const says = { audience: 'Night owls', messaging_angle: null, hook_type: 'pov', notes: null }
  const task = {
    ...examples.task,
    notes: 'No faces.',
    messaging_angle: 'pain_relief',
    variants: [
      { key: 'a', variation_num: 1 },
      { key: 'b', variation_num: 7, ...says },
    ],
    planned_creative_names: ['V1_01', 'V1_02', 'V7_01', 'V7_02'],
  }
  const own = taskFields({ readTask: async () => task })
  const { outputs } = await callNode(own, { taskId: 'a', params: { variant: 7 } })
  expect(outputs).toMatchObject({ audience: 'Night owls', hook_type: 'pov', messaging_angle: 'pain_relief' })
  expect(outputs).toMatchObject({ notes: 'No faces.', planned_names: ['V7_01', 'V7_02'], variants: [task.variants[1]] })
  expect(await failureOf(callNode(own, { taskId: 'a', params: { variant: 2 } }))).toMatch(/no variant 2/)
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
