// Facts about the metrics of a process whose database responds too late, or not at all.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createMetrics, type Measure } from './metrics.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

const databaseLines = async (measures: () => Promise<Measure[]>): Promise<string[]> => {
  const connections = () => ({ total: 0, idle: 0, waiting: 0 })
  const text = createMetrics({ database: 'postgres', connections, measures }).text()
  await vi.runAllTimersAsync()
  return (await text).split('\n').filter((line) => /^atelier_(?:database_up|files) /.test(line))
}

test('a database that never answers is told as one that is away, and the rest of the metrics is there', async () => {
  expect(await databaseLines(() => new Promise(() => undefined))).toEqual(['atelier_database_up 0'])
})

test('of one that answers there are the figures, and no timer is left', async () => {
  const files = { name: 'files', help: 'Stored files.', figures: 3 }
  expect(await databaseLines(async () => [files])).toEqual(['atelier_database_up 1', 'atelier_files 3'])
  expect(vi.getTimerCount()).toBe(0)
})
