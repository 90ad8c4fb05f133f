// Facts about periodic jobs: a job never runs twice at the same time, runs again after a failure, and is waited for at a stop.
import { expect, test } from 'vitest'
import { eventually } from '../../test/support/eventually.ts'
import { createLog } from './log.ts'
import { startPeriodic } from './periodic.ts'

const silent = createLog('silent')

test('a job never overlaps itself, and others go on meanwhile', async () => {
  const held = Promise.withResolvers<void>()
  let [slow, quick] = [0, 0]
  const stop = startPeriodic(
    [
      {
        name: 'slow',
        everyMs: 1,
        run: () => {
          slow++
          return held.promise
        },
      },
      { name: 'quick', everyMs: 1, run: async () => void quick++ },
    ],
    silent,
  )
  await eventually(() => expect(quick).toBeGreaterThan(5))
  expect(slow).toBe(1)
  held.resolve()
  await eventually(() => expect(slow).toBeGreaterThan(2))
  await stop()
})

test('a job that fails says so in the log and runs again at its next turn', async () => {
  const lines: string[] = []
  let turns = 0
  const run = async () => {
    turns++
    throw new Error('not today')
  }
  const stop = startPeriodic(
    [{ name: 'failing', everyMs: 1, run }],
    createLog('error', { write: (line) => lines.push(line) }),
  )
  await eventually(() => expect(turns).toBeGreaterThan(1))
  await stop()
  expect(JSON.parse(lines[0] ?? '{}')).toMatchObject({ job: 'failing', err: { message: 'not today' } })
})

test('a failure that repeats is logged once, another one is logged too, and so is the end of them', async () => {
  const full = (free: number) => Object.assign(new Error(`${free} MB are free`), { code: '53100' })
  const outcomes = [full(1), full(2), full(3), new Error('another one'), null, null]
  const lines: string[] = []
  const run = async () => {
    const outcome = outcomes.shift() ?? null
    if (outcome) throw outcome
  }
  const stop = startPeriodic(
    [{ name: 'failing', everyMs: 1, run }],
    createLog('info', { write: (line) => lines.push(line) }),
  )
  await eventually(() => expect(outcomes).toEqual([]))
  await stop()
  expect(lines.map((line) => JSON.parse(line)).map(({ err, turns }) => [err?.message ?? null, turns])).toEqual([
    ['1 MB are free', 1],
    ['another one', 4],
    [null, 4],
  ])
})

test('a first turn may be due before the others', async () => {
  let turns = 0
  const run = async () => void turns++
  const stop = startPeriodic([{ name: 'waited for', everyMs: 3_600_000, firstMs: 1, run }], silent)
  await eventually(() => expect(turns).toBe(1))
  await stop()
})

test('an end tells the turn under way, waits for it, and lets no other begin', async () => {
  const held = Promise.withResolvers<void>()
  let turns = 0
  let told: AbortSignal | null = null
  const run = (stopping: AbortSignal) => {
    turns++
    told = stopping
    return held.promise
  }
  const stop = startPeriodic([{ name: 'long', everyMs: 1, run }], silent)
  await eventually(() => expect(turns).toBe(1))
  let ended = false
  const ending = stop().then(() => {
    ended = true
  })
  expect(told).toMatchObject({ aborted: true })
  expect(ended).toBe(false)
  held.resolve()
  await ending
  expect(turns).toBe(1)
})
