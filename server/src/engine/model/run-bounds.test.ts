// Facts about the room that a run has for its results and takes.
import { expect, test } from 'vitest'
import { createRoom } from './run-bounds.ts'

const unit = (node: string) => ({ node, item: '' })
const bytes = (count: number) => ({ text: 'x'.repeat(count) })

test('a unit that has no outputs any more leaves its room to others', () => {
  const room = createRoom(1000, new Map())
  expect(room.take(unit('a'), bytes(600))).toBeNull()
  room.free([unit('a'), unit('never counted')])
  expect(room.take(unit('b'), bytes(600))).toBeNull()
  expect(room.take(unit('a'), bytes(600))).toMatch(/was left out/)
})

test('takes are reduced to a whole number of bytes, whatever the limit', () => {
  const room = createRoom(1001, new Map(), 900)
  room.take(unit('a'), bytes(600))
  expect(room.takesToKeep()).toSatisfy(Number.isInteger)
})
