// Facts about naming many new creatives of a task that has thousands. On the embedded database they would say nothing: it executes
// its statements in the thread of the service.
import { defaultNameTemplate, parseNameTemplate } from '@atelier/contract/names.ts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createCreative, nextPlaces } from '../../src/features/tasks/creatives/write.ts'
import { lockTask, seeTask } from '../../src/features/tasks/store.ts'
import type { Actor } from '../../src/platform/actor.ts'
import { type Body, type Service, startService } from '../support/harness.ts'
import { makers } from '../support/make.ts'
import { processorMs } from '../support/processor-time.ts'

const parsed = parseNameTemplate(defaultNameTemplate)
if (!('template' in parsed)) throw new Error('The default template is valid.')
const { template } = parsed

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const made = 10_000
/** How the statement begins that reads all names of a task. */
const readsNames = 'select "name" from "creatives" where "task_id" ='
const nameOf = (task: Body, index: number) => `T${task.number}_V1_${String(index).padStart(2, '0')}`

/**
 * A task with one variant and the creatives of its first 10,000 names, without every thousandth. They are deleted: their names stay
 * in use, while the statements that count the creatives of a task have nothing to do.
 */
async function fullTask(): Promise<Body> {
  const task = await makers(service).task({ variants: [{ key: 'a', variation_num: 1 }] })
  const names = Array.from({ length: made }, (_, at) => nameOf(task, at + 1)).filter((_, at) => (at + 1) % 1000 !== 0)
  await service.rows(
    `insert into creatives (id, task_id, name, variation_num, deleted_at, delete_id)
     select gen_random_uuid(), $1, unnest($2::text[]), 1, now_ms(), gen_random_uuid()`,
    [task.id, names],
  )
  return task
}

const expectedNames = (task: Body, count: number) =>
  Array.from({ length: count }, (_, at) => nameOf(task, at < 10 ? (at + 1) * 1000 : made + at - 9))

test('names for hundreds of new creatives are found without going through those of the others for each', async () => {
  const task = await fullTask()
  const seen = await seeTask(service.database.main, task.id)
  if (!seen) throw new Error('There is the task.')
  const began = processorMs()
  const places = await nextPlaces(service.database.main, seen, Array(300).fill(1), template)
  expect(processorMs() - began).toBeLessThan(1000)
  expect(places.map(({ name }) => name)).toEqual(expectedNames(task, 300))
})

test('a transaction that adds many creatives reads the names of the task once', async () => {
  const task = await fullTask()
  const actor: Actor = { tokenId: null, userId: service.owner.id, role: 'admin', name: null, scopes: new Set() }
  const wanted = [
    ...Array.from({ length: 40 }, () => ({ variation_num: 1 })),
    { name: nameOf(task, made + 35) },
    { variation_num: 1 },
  ]
  const ids: string[] = []
  const readings = await service.database.tx(async (tx) => {
    const locked = await lockTask(tx, task.id)
    if (!locked) throw new Error('There is the task.')
    const execute = vi.spyOn(tx.getExecutor(), 'executeQuery')
    for (const body of wanted) ids.push(await createCreative(tx, locked, body, actor, template))
    return execute.mock.calls.filter(([query]) => query.sql.startsWith(readsNames))
  })
  expect(readings).toHaveLength(1)
  const names = await service.rows<{ name: string }>(
    'select name from creatives where id = any($1::uuid[]) order by array_position($1::uuid[], id)',
    [ids],
  )
  const expected = [...expectedNames(task, 40), nameOf(task, made + 35), nameOf(task, made + 31)]
  expect(names.map(({ name }) => name)).toEqual(expected)
})
