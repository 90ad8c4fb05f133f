// In charge of measuring what delays a page during an action: steps of its main thread (“tasks” in Chromium) that take over 50 ms
// by wall clock or by processor time, and gaps between frames.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import type { CDPSession, Page } from 'playwright-core'
import type { Figure } from './figures.ts'

export type Held = {
  /**
   * How long each task over 50 ms took by wall clock, in ms: what a user waits for, even if other programs keep the machine busy.
   */
  tasks: number[]
  /** How long each task took that used over 50 ms of processor time, in ms of processor time: what the page itself causes. */
  work: number[]
  /** The longest time without a frame, in ms. */
  gap: number
}

const begin = `window.held ??= (() => {
  const held = { gap: 0 }
  let last = performance.now()
  const frame = (now) => {
    held.gap = Math.max(held.gap, now - last)
    last = now
    requestAnimationFrame(frame)
  }
  requestAnimationFrame(frame)
  return held
})()`
const reset = 'void (held.gap = 0)'
const frames = 'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))'
const read = 'Math.round(held.gap)'

export type Watch = (page: Page, name: string, action: () => Promise<unknown>) => Promise<Held>

/** `folder`: where a CPU profile of the page is written for each watched action; null for no profiles. */
export const createWatch =
  (folder: string | null): Watch =>
  async (page, name, action) => {
    await page.evaluate(begin)
    await page.evaluate(frames)
    await page.evaluate(reset)
    const stop = folder === null ? null : await profiled(page, path.join(folder, `${name}.cpuprofile`))
    const taken = await tracedTasks(page, async () => {
      await action()
      await page.evaluate(frames)
    }).finally(() => stop?.())
    const gap: number = await page.evaluate(read)
    const long = (milliseconds: number[]) => milliseconds.filter((took) => took > 50).map(Math.round)
    return { tasks: long(taken.map(({ dur }) => dur / 1000)), work: long(taken.map(({ tdur }) => tdur / 1000)), gap }
  }

/**
 * Returns the processor time of the page's main thread during an action, in ms. It is almost the same on a busy machine as on an
 * idle one.
 */
export async function processorTime(page: Page, action: () => Promise<void>): Promise<number> {
  const tasks = await tracedTasks(page, action)
  return tasks.reduce((sum, { tdur }) => sum + tdur, 0) / 1000
}

/** A task of a main thread. `dur`: how long it took by wall clock; `tdur`: its processor time; both in microseconds. */
type Task = { dur: number; tdur: number }
type TraceEvent = { name: string; pid: number; tid: number; dur?: number; tdur?: number; args: { name?: string } }

/**
 * The tasks of the main threads of all pages, from Chromium's trace of the action. Only one page is busy at a time, so these are
 * the tasks of `page`.
 */
async function tracedTasks(page: Page, action: () => Promise<void>): Promise<Task[]> {
  const browser = page.context().browser()
  if (!browser) throw new Error('The page has no browser.')
  await browser.startTracing(page, { categories: ['disabled-by-default-devtools.timeline', '__metadata'] })
  await action().catch(async (error: unknown) => {
    await browser.stopTracing()
    throw error
  })
  const trace: { traceEvents: TraceEvent[] } = JSON.parse((await browser.stopTracing()).toString())
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`
  const isMain = ({ name, args }: TraceEvent) => name === 'thread_name' && args.name === 'CrRendererMain'
  const main = new Set(trace.traceEvents.filter(isMain).map(threadOf))
  return trace.traceEvents.flatMap((event) =>
    event.name === 'RunTask' && main.has(threadOf(event)) ? [{ dur: event.dur ?? 0, tdur: event.tdur ?? 0 }] : [],
  )
}

async function profiled(page: Page, file: string): Promise<() => Promise<void>> {
  const session: CDPSession = await page.context().newCDPSession(page)
  await session.send('Profiler.enable')
  await session.send('Profiler.setSamplingInterval', { interval: 500 })
  await session.send('Profiler.start')
  return async () => {
    const { profile } = await session.send('Profiler.stop')
    writeFileSync(file, JSON.stringify(profile))
    await session.detach()
  }
}

/** The rows of the report: processor time gets a verdict, wall clock time is only a note. */
export function heldFigures(what: string, { tasks, work, gap }: Held): Figure[] {
  const longest = (times: readonly number[]) => (times.length === 0 ? '' : `, longest ${Math.max(...times)} ms`)
  const byClock = tasks.length === 0 ? 'none by the clock' : `by the clock ${tasks.length}${longest(tasks)}`
  return [
    {
      what,
      figure: work.length,
      unit: 'long',
      atMost: 0,
      note: `${byClock}${work.length === 0 ? '' : `; of work${longest(work).slice(1)}`}; frames at most ${gap} ms apart`,
    },
  ]
}
