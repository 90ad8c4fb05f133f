// Facts about which owner has the next turn in a fair queue, and which of its items is taken.
import { expect, onTestFinished, test, vi } from 'vitest'
import { createFairQueue } from './fair-queue.ts'

const all = (queue: { take(): string | undefined }): string[] => {
  const taken: string[] = []
  for (let item = queue.take(); item !== undefined; item = queue.take()) taken.push(item)
  return taken
}

test('owners take turns, each in the order of its own; one that comes late has the next turn but one', () => {
  const queue = createFairQueue<string>()
  for (const item of ['a1', 'a2', 'a3', 'a4']) queue.add('a', item)
  expect(queue.take()).toBe('a1')
  queue.add('b', 'b1')
  queue.add('b', 'b2')
  queue.add('c', 'c1')
  expect(queue.size).toBe(6)
  expect(all(queue)).toEqual(['a2', 'b1', 'c1', 'a3', 'b2', 'a4'])
  expect(queue.size).toBe(0)
})

test('what had its turn and could not use it comes before what is new of its owner, not before another owner', () => {
  const queue = createFairQueue<string>()
  queue.add('a', 'a1')
  queue.add('b', 'b1')
  queue.add('b', 'b2')
  queue.add('b', 'again', true)
  expect(all(queue)).toEqual(['a1', 'again', 'b1', 'b2'])
})

test('what is removed has no turn', () => {
  const queue = createFairQueue<string>()
  queue.add('a', 'a1')
  queue.add('b', 'b1')
  queue.remove('a', 'a1')
  queue.remove('a', 'never there')
  expect([queue.size, queue.take(), queue.take()]).toEqual([1, 'b1', undefined])
})

test('what is added after an owner had nothing left, or while others were removed, is taken in its order', () => {
  const queue = createFairQueue<string>()
  queue.add('b', 'b0')
  for (const item of ['a1', 'a2', 'a3']) queue.add('a', item)
  queue.remove('a', 'a2')
  expect([queue.take(), queue.take(), queue.take()]).toEqual(['b0', 'a1', 'a3'])
  queue.add('a', 'a1')
  expect(queue.take()).toBe('a1')
  for (const item of ['a4', 'a5']) queue.add('a', item)
  expect(queue.take()).toBe('a4')
  queue.add('a', 'again', true)
  queue.add('a', 'a4')
  expect(all(queue)).toEqual(['again', 'a5', 'a4'])
})

test('taking an item passes no places of items that were taken before', () => {
  const queue = createFairQueue<number>()
  const items = Array.from({ length: 100 }, (_, item) => item)
  for (const item of items) queue.add('a', item)
  const anew = [vi.spyOn(Set.prototype, Symbol.iterator), vi.spyOn(Set.prototype, 'values')]
  onTestFinished(() => {
    for (const spy of anew) spy.mockRestore()
  })
  const taken = items.map(() => queue.take())
  const begun = anew.map(({ mock }) => mock.calls.length)
  expect(taken).toEqual(items)
  expect(begun).toEqual([0, 0])
})
