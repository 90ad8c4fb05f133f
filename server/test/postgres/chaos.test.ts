// Facts about runs whose workers are killed, frozen and cut off from the database: the short form of `npm run chaos`.
import { afterAll, expect, test } from 'vitest'
import { crashPoints } from '../../src/engine/work/crash-points.ts'
import { runChaos } from '../support/chaos/chaos.ts'
import { killChildren } from '../support/child.ts'

afterAll(killChildren)

test('crash: whatever kills, freezes or cuts off workers, every run ends right and nothing is paid twice', async () => {
  const report = await runChaos({ seed: 20_261_121, runs: 30, seconds: 12, restarts: 1, hits: 1 })
  expect(report.violations).toEqual([])
  expect(report.errors).toEqual([])
  // Checks that the chaos was effective: workers died at every crash point, runs changed workers, and results were compared.
  for (const point of crashPoints) expect(report.crashes[point], point).toBeGreaterThan(0)
  expect(report.kills + report.freezes).toBeGreaterThan(0)
  expect(report.taken).toBeGreaterThan(5)
  expect(report.compared).toBeGreaterThan(10)
  expect(report.ledger.charged).toBeGreaterThan(10)
}, 240_000)
