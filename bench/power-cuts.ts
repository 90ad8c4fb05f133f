// In charge of `npm run power-cuts`: simulates power cuts of an embedded database at random moments, and opens the database from
// disk states that such a cut can leave. With --unsynced, the disk states are those of a database that never syncs
// (ATELIER_EMBEDDED_COMMITS=fast); faults are expected then.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { momentsOf, record, tryCut, withoutSyncs } from '../server/test/support/power-cuts/cuts.ts'
import { randomNumbers } from '../server/test/support/random.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    moments: { type: 'string', default: '50' },
    orders: { type: 'string', default: '20' },
    unsynced: { type: 'boolean', default: false },
  },
})
const [seed, moments, orders] = [values.seed, values.moments, values.orders].map(Number) as [number, number, number]
const scratch = await mkdtemp(join(tmpdir(), 'atelier-power-cuts-'))
const random = randomNumbers(seed)
const recorded = await record(scratch, seed)
const session = values.unsynced ? withoutSyncs(recorded) : recorded
console.log(`Seed ${seed}: ${session.recording.operations.length} operations recorded.`)
let tried = 0
let faulty = 0
for (const length of momentsOf(session, moments, random)) {
  const result = await tryCut(session, scratch, { length, orders, random })
  tried += result.tried
  faulty += result.faults.length
  for (const { what, choice } of result.faults.slice(0, 3))
    console.log(`After operation ${length}, ${choice.blocks.length} blocks open: ${what}`)
}
await recorded.close()
await rm(scratch, { recursive: true, force: true })
console.log(`${tried} disks after ${moments} power cuts: ${faulty} that do not hold what was acknowledged, whole.`)
process.exitCode = faulty > 0 ? 1 : 0
