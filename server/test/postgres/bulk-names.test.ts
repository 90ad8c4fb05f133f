// Facts about bulk changes of tasks with many planned names. On the embedded database they would say nothing: it executes its
// statements in the thread of the service.
import { expect, test } from 'vitest'
import { type Body, startService } from '../support/harness.ts'
import { makers } from '../support/make.ts'
import { processorMs } from '../support/processor-time.ts'

test('a change of the names of many tasks is made in pieces, between which others are served', async () => {
  const service = await startService()
  const variants = Array.from({ length: 100 }, (_, at) => ({ key: `${at}`, variation_num: at + 1 }))
  const tasks: Body[] = []
  for (let made = 0; made < 15; made++) tasks.push(await makers(service).task({ variants, count: 100 }))

  const begun = processorMs()
  let [last, longest] = [begun, 0]
  const look = (): void => {
    const now = processorMs()
    longest = Math.max(longest, now - last)
    last = now
  }
  const timer = setInterval(look, 1)
  const { status, data } = await service.post('/api/v1/tasks/bulk', {
    ids: tasks.map(({ id }) => id),
    patch: { subject: 'Hands' },
  })
  look()
  clearInterval(timer)
  expect(status).toBe(200)
  for (const { number, planned_creative_names } of data.updated)
    expect(planned_creative_names.at(-1)).toBe(`T${number}_Hands_V100_100`)
  expect(longest).toBeLessThan((last - begun) / 2)
  await service.close()
})
