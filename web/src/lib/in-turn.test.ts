// Facts about writes that are sent one after another.
import { expect, test } from 'vitest'
import { createInTurn } from './in-turn.ts'

test('what shares a key comes one after the other, also after a failure; what shares none does not wait', async () => {
  const inTurn = createInTurn()
  const seen: string[] = []
  const first = Promise.withResolvers<void>()
  const begin = (name: string, keys: string[], until: Promise<void> = Promise.resolve()) =>
    inTurn(keys, async () => {
      seen.push(`${name} begins`)
      await until
      seen.push(`${name} ends`)
    })
  const failing = begin('a', ['x'], first.promise)
  const both = begin('b', ['x', 'y'])
  const third = begin('c', ['y'])
  await begin('d', ['z'])
  expect(seen).toEqual(['a begins', 'd begins', 'd ends'])
  first.reject(new Error('Refused.'))
  await expect(failing).rejects.toThrow('Refused.')
  await Promise.all([both, third])
  expect(seen.slice(3)).toEqual(['b begins', 'b ends', 'c begins', 'c ends'])
})
