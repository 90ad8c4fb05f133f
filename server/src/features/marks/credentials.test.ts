// Facts about inspecting files for content credentials: how many at once, and what happens while none can be inspected.
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { NodeFailure } from '../../nodes/node-type.ts'
import { createInspector } from './credentials.ts'

const bytes = Buffer.from('a file with jumdc2pa in it')
const row = { media_type: 'image/jpeg', size: bytes.length, name: null, created_at: '2026-11-27T00:00:00.000Z' }

/** An inspector of files that all have the same bytes. `check` answers in place of the library for content credentials. */
function inspectorWith(check: () => Promise<never>) {
  const files = { find: async (digest: string) => ({ ...row, digest }), read: async () => Readable.from([bytes]) }
  return createInspector({ files, credentials: { check, localSerial: '1' } })
}

test('two files are inspected at once, and the others begin when one ends', async () => {
  const checks: PromiseWithResolvers<never>[] = []
  let begun = Promise.withResolvers<void>()
  const inspect = inspectorWith(() => {
    const check = Promise.withResolvers<never>()
    checks.push(check)
    begun.resolve()
    return check.promise
  })
  const asked = ['a', 'b', 'c', 'd'].map((digest) => inspect(digest))
  await expect.poll(() => checks.length).toBe(2)
  begun = Promise.withResolvers()
  checks[0]?.reject(new NodeFailure('It is broken.'))
  await begun.promise
  expect(checks).toHaveLength(3)
  checks[1]?.reject(new NodeFailure('It is broken.'))
  await expect.poll(() => checks.length).toBe(4)
  for (const check of checks) check.reject(new NodeFailure('It is broken.'))
  const found = await Promise.all(asked)
  expect(found.map(({ digest, state }) => [digest, state])).toEqual(
    ['a', 'b', 'c', 'd'].map((digest) => [digest, 'unreadable']),
  )
})

test('a check for which no process is free in time is refused as an overload', async () => {
  const inspect = inspectorWith(() => Promise.reject(new DOMException('The queue was too long.', 'TimeoutError')))
  await expect(inspect('a')).rejects.toMatchObject({ code: 'overloaded' })
})
