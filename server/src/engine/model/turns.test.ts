// Facts about taking turns: nobody holds up the event loop, and whoever came first is first.
import { expect, test } from 'vitest'
import { turn } from './turns.ts'

const busyFor = (ms: number): void => {
  const end = performance.now() + ms
  while (performance.now() < end);
}

test('long work in pieces lets the event loop turn between them', async () => {
  let ticks = 0
  const timer = setInterval(() => ticks++, 1)
  const pieces = Array.from({ length: 20 }, async () => {
    await turn()
    busyFor(10)
  })
  await Promise.all(pieces)
  clearInterval(timer)
  expect(ticks).toBeGreaterThanOrEqual(15)
})

test('pieces are done in the order they were asked for', async () => {
  const done: number[] = []
  const pieces = Array.from({ length: 50 }, async (_, piece) => {
    await turn()
    done.push(piece)
  })
  await Promise.all(pieces)
  expect(done).toEqual(Array.from({ length: 50 }, (_, piece) => piece))
})
