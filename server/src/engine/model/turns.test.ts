// Facts about taking turns: no caller blocks the event loop for long, and callers are served in their order.
import { expect, test } from 'vitest'
import { inPieces, turn } from './turns.ts'

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
  // 200 ms of work. A slice lasts 50 ms at most, and then the piece during which it ends; on an idle machine it lasts 8 ms.
  expect(ticks).toBeGreaterThanOrEqual(3)
})

test('after something that kept the event loop for long, pieces keep it for a moment only', async () => {
  let [inRow, most, isOver] = [0, 0, false]
  const tick = (): void => {
    inRow = 0
    if (!isOver) setImmediate(tick)
  }
  tick()
  const pieces = Array.from({ length: 60 }, async (_, piece) => {
    await turn()
    if (piece === 5) setImmediate(() => busyFor(300))
    busyFor(5)
    inRow += 1
    most = Math.max(most, inRow)
  })
  await Promise.all(pieces)
  isOver = true
  expect(most).toBeLessThanOrEqual(11) // the pieces of one slice of at most 50 ms, and the piece during which the slice ends
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

test('many short steps let other pieces have their turn, and end once they are to go on no longer', async () => {
  const all = Array.from({ length: 1000 }, (_, one) => one)
  const done: number[] = []
  let isOver = false
  const steps = inPieces(
    all,
    (one) => done.push(one),
    () => !isOver,
  )
  await turn()
  const seen = done.length
  isOver = true
  await steps
  expect([seen > 0 && seen < all.length, done.length < all.length]).toEqual([true, true])
})
