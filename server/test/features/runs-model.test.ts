// Facts about random histories of a run: requests and failures of its workers, of any kind, in any order and at the same time.
import { runStatuses } from '@atelier/contract/graph/run-statuses.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { engine, type Service, share, startService } from '../support/harness.ts'
import { checkHistories } from '../support/histories/histories.ts'
import { type Staged, setStage } from '../support/histories/stage.ts'

let service: Service
let stage: Staged
beforeAll(async () => {
  service = await startService()
  const { database, url, config, owner } = service
  stage = await setStage({ database, url, config, token: owner.token })
})
afterAll(async () => {
  await stage?.close()
  await service?.close()
})

/** Fewer on the embedded database (see `share`): its workers share one connection, so more histories would show nothing new. */
const numRuns = share(160)

/** The states and requests that no history has reached yet. Which ones are reached in time depends on the load of the machine. */
const unseen = (): string[] =>
  [
    ...runStatuses.map((status) => `is ${status}`),
    ...['start', 'answer', 'cancel', 'rewind', 'delete', 'undelete', 'patch', 'export', 'choose'].map(
      (what) => `${what} 200`,
    ),
  ].filter((what) => !stage.seen[what])

test('no history leads a run where it must not be', async () => {
  const seed = Number(process.env.FAST_CHECK_SEED ?? 20_261_121)
  await checkHistories(stage, { numRuns, seed })
  expect(await stage.violations()).toEqual([])
  if (engine === 'embedded') return
  // If some states or requests were not reached yet, a few more histories must reach them.
  for (let more = 1; more <= 4 && unseen().length > 0; more++)
    await checkHistories(stage, { numRuns, seed: seed + more })
  expect(await stage.violations()).toEqual([])
  expect(unseen()).toEqual([])
  for (const told of ['told the whole', 'told changes']) expect(stage.seen[told], told).toBeGreaterThan(numRuns / 2)
}, 600_000)
