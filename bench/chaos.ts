// In charge of `npm run chaos -- [--seed 1] [--runs 200] [--seconds 60] [--restarts 3] [--hits 3] [--histories 10000]`: executes a
// long version of the tests that kill workers. Then, if `--histories` is given, executes this many random sequences of actions on
// runs, such as starting, answering and cancelling them. Exits with 1 if any check fails.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { ensureOwner } from '../server/src/features/people/owner.ts'
import { readConfig } from '../server/src/platform/config.ts'
import { openDatabase } from '../server/src/platform/db.ts'
import { createLog } from '../server/src/platform/log.ts'
import { migrate } from '../server/src/platform/migrate.ts'
import { postgresEngine } from '../server/src/platform/postgres.ts'
import { runChaos } from '../server/test/support/chaos/chaos.ts'
import { killChildren } from '../server/test/support/child.ts'
import { startCluster } from '../server/test/support/cluster.ts'
import { checkHistories } from '../server/test/support/histories/histories.ts'
import { setStage } from '../server/test/support/histories/stage.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    runs: { type: 'string' },
    seconds: { type: 'string' },
    restarts: { type: 'string' },
    hits: { type: 'string' },
    histories: { type: 'string' },
  },
})
const options = {
  seed: Number(values.seed ?? Date.now() % 1_000_000),
  runs: Number(values.runs ?? 200),
  seconds: Number(values.seconds ?? 60),
  restarts: Number(values.restarts ?? 3),
  hits: Number(values.hits ?? 3),
}
const histories = Number(values.histories ?? 0)

try {
  if (options.runs > 0) await chaos()
  if (histories > 0) await model()
} finally {
  await killChildren()
}

async function chaos(): Promise<void> {
  console.log(`Chaos: seed ${options.seed}, ${options.runs} runs, ${options.seconds} s`)
  const report = await runChaos(options)
  const { ledger, crashes, kills, freezes, zombies, taken, givenUp } = report
  const lines = {
    people: told(report.did),
    'runs at the end': told(report.statuses),
    'died at': told(crashes),
    'killed at random': `${kills}; frozen ${freezes}, of them ${zombies} lost a run meanwhile`,
    'taken over': `${taken}, given up ${givenUp}; database restarted ${report.restarts} times`,
    provider: `asked ${report.asked} times, ${ledger.lateAsks} of them late by who had lost the run`,
    ledger: `${ledger.entries} entries: ${ledger.charged} charged, ${ledger.free} free, ${ledger.unknown} unknown (${ledger.unknownButCharged} of them were charged)`,
    compared: `${report.compared} runs with calm ones`,
  }
  for (const [what, words] of Object.entries(lines)) console.log(`  ${what.padEnd(18)}${words}`)
  for (const line of report.errors.slice(0, 20)) console.log(`  a worker said: ${line.slice(0, 1500)}`)
  console.log(`${report.violations.length} violations`)
  for (const line of report.violations.slice(0, 30)) console.log(`  ! ${line}`)
  if (report.violations.length > 0) process.exitCode = 1
}

async function model(): Promise<void> {
  console.log(`Histories: seed ${options.seed}, ${histories} of them`)
  const cluster = await startCluster()
  const log = createLog('silent')
  const database = openDatabase(postgresEngine(cluster.url, { connections: 10, log }))
  const files = await mkdtemp(path.join(tmpdir(), 'atelier-histories-'))
  try {
    await migrate(database)
    const token = (await ensureOwner(database, null))?.token ?? ''
    const config = readConfig({ ATELIER_RATE_LIMIT: '0', LOG_LEVEL: 'silent', ATELIER_FILES: files })
    const stage = await setStage({ database, url: cluster.url, config, token })
    await checkHistories(stage, { numRuns: histories, seed: options.seed })
    const violations = await stage.violations()
    console.log(`  ${told(Object.fromEntries(Object.entries(stage.seen).toSorted()))}`)
    console.log(`${violations.length} violations`)
    for (const line of violations.slice(0, 30)) console.log(`  ! ${line}`)
    if (violations.length > 0) process.exitCode = 1
    await stage.close()
  } finally {
    await database.close()
    await cluster.remove()
    await rm(files, { recursive: true, force: true })
  }
}

function told(counts: Record<string, number>): string {
  return Object.entries(counts)
    .map(([what, times]) => `${what} × ${times}`)
    .join(' · ')
}
