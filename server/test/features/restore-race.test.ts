// Facts about restores that claim the same names at the same time.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Body, type Service, startService } from '../support/harness.ts'
import { makers } from '../support/make.ts'

let service: Service
let make: ReturnType<typeof makers>
beforeAll(async () => {
  service = await startService()
  make = makers(service)
})
afterAll(() => service.close())

const names = Array.from({ length: 12 }, (_, index) => `RACE_${String(index).padStart(2, '0')}`)

/** A deleted task with a creative of each name, created in this order. */
async function deletedTaskWith(order: readonly string[]): Promise<Body> {
  const { task } = await make.taskWith(order)
  await make.deleted(`/api/v1/tasks/${task.id}`)
  return task
}

test('of restores that want the same names one wins, and the others are told every name they lost', async () => {
  const tasks = [
    await deletedTaskWith(names),
    await deletedTaskWith(names.toReversed()),
    await deletedTaskWith(names.toSorted((a, b) => a.slice(-1).localeCompare(b.slice(-1)))),
  ]
  for (let round = 0; round < 4; round++) {
    const answers = await Promise.all(tasks.map(({ id }) => service.post(`/api/v1/tasks/${id}/restore`)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    for (const { status, body } of answers) {
      if (status === 409) expect(body.conflicts.map(({ name }: Body) => name)).toEqual(names)
    }
    const winner = tasks[answers.findIndex(({ status }) => status === 200)]
    await make.deleted(`/api/v1/tasks/${winner.id}`)
  }
})
