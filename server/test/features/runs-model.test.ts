// Facts about any history of a run: whatever is asked of it and whatever befalls its workers, in any order and at once.
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

/** On the embedded database every worker shares one connection, so that fewer histories tell as much. */
const numRuns = share(160)

/** What of all that may be asked has not been seen. Which calls meet a run in time hangs on how busy the machine is. */
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
  // So many histories lead everywhere.
  for (let more = 1; more <= 4 && unseen().length > 0; more++)
    await checkHistories(stage, { numRuns, seed: seed + more })
  expect(await stage.violations()).toEqual([])
  expect(unseen()).toEqual([])
  for (const told of ['told the whole', 'told changes']) expect(stage.seen[told], told).toBeGreaterThan(numRuns / 2)
}, 600_000)
