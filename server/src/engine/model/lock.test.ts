// Facts about locks.
import { expect, test } from 'vitest'
import { createLock } from './lock.ts'

test('of tasks that want a lock, the next has it once the one before has given it back', async () => {
  const lock = createLock()
  const first = await lock()
  const order: string[] = []
  const second = lock().then((give) => {
    order.push('second')
    give()
  })
  const third = lock().then((give) => {
    order.push('third')
    give()
  })
  order.push('first')
  first()
  await Promise.all([second, third])
  expect(order).toEqual(['first', 'second', 'third'])
  ;(await lock())()
})
