// Facts about random hostile requests to every route, drawn with a fixed seed, many with ids from earlier responses. This is the
// short form of `npm run fuzz`.
import { expect, test } from 'vitest'
import { fuzzService } from '../support/fuzzing/stage.ts'
import { openTestDatabase, share } from '../support/harness.ts'

test('no request, in whatever order, is a server error, takes long, breaks the document or brings out a secret', async () => {
  const { database, url, drop } = await openTestDatabase()
  const report = await fuzzService({ database, url, requests: share(1_200), seed: 31 })
  await drop()
  expect(report.violations).toEqual([])
  // Checks that generated requests succeeded on enough routes.
  expect([...report.succeeded.values()].filter((times) => times > 0).length).toBeGreaterThan(25)
})
