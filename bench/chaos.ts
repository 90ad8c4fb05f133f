// In charge of `npm run chaos -- [--seed 1] [--runs 200] [--seconds 60] [--restarts 3] [--hits 3]`: ends with 1 if anything is wrong.
import { parseArgs } from 'node:util'
import { runChaos } from '../server/test/support/chaos/chaos.ts'
import { killChildren } from '../server/test/support/child.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    runs: { type: 'string' },
    seconds: { type: 'string' },
    restarts: { type: 'string' },
    hits: { type: 'string' },
  },
})
const options = {
  seed: Number(values.seed ?? Date.now() % 1_000_000),
  runs: Number(values.runs ?? 200),
  seconds: Number(values.seconds ?? 60),
  restarts: Number(values.restarts ?? 3),
  hits: Number(values.hits ?? 3),
}
console.log(`Chaos: seed ${options.seed}, ${options.runs} runs, ${options.seconds} s`)
try {
  const report = await runChaos(options)
  const told = (counts: Record<string, number>) =>
    Object.entries(counts)
      .map(([what, times]) => `${what} × ${times}`)
      .join(' · ')
  const { ledger } = report
  console.log(`  people            ${told(report.did)}`)
  console.log(`  runs at the end   ${told(report.statuses)}`)
  console.log(`  died at           ${told(report.crashes)}`)
  console.log(
    `  killed at random  ${report.kills}; frozen ${report.freezes}, of them ${report.zombies} lost a run meanwhile`,
  )
  console.log(
    `  taken over        ${report.taken}, given up ${report.givenUp}; database restarted ${report.restarts} times`,
  )
  console.log(
    `  provider          asked ${report.asked} times; ${ledger.entries} entries: ${ledger.charged} charged, ${ledger.free} free,`,
  )
  console.log(
    `                    ${ledger.unknown} unknown (${ledger.unknownButCharged} of them were charged); asked late ${ledger.lateAsks} times`,
  )
  console.log(`  compared          ${report.compared} runs with calm ones`)
  for (const line of report.errors.slice(0, 20)) console.log(`  worker: ${line.slice(0, 1500)}`)
  console.log(`${report.violations.length} violations`)
  for (const line of report.violations.slice(0, 30)) console.log(`  ! ${line}`)
  if (report.violations.length > 0) process.exitCode = 1
} finally {
  await killChildren()
}
