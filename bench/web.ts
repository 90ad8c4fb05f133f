// In charge of `npm run bench:web`: measures the web app under its largest loads, in Chromium, in a few minutes.
// docs/benchmarks.md explains the measurements.
import { cpus, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { setup as buildWeb } from '../e2e/support/build.ts'
import { measureColumn, measureFirstLoad } from './web/board.ts'
import { measureCovers } from './web/covers.ts'
import { createFigures, type Figures } from './web/figures.ts'
import { measureGraph } from './web/graph.ts'
import { measureReview } from './web/review.ts'
import { measureRun } from './web/run.ts'
import { setWebStage, type WebStage } from './web/stage.ts'
import { createWatch, type Watch } from './web/watch.ts'

export type Bench = { stage: WebStage; figures: Figures; watch: Watch }

const measures: Record<string, (bench: Bench) => Promise<void>> = {
  load: measureFirstLoad,
  column: measureColumn,
  covers: measureCovers,
  graph: measureGraph,
  run: measureRun,
  review: measureReview,
}

const begun = performance.now()
const tell = (line: string): void => {
  process.stderr.write(`${Math.round((performance.now() - begun) / 1000)} s  ${line}\n`)
}

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    data: { type: 'string' },
    profile: { type: 'string' },
    help: { type: 'boolean' },
  },
})
const names = Object.keys(measures)
const only = values.only?.split(',') ?? names
const unknown = only.filter((name) => !names.includes(name))
if (unknown.length > 0) throw new Error(`--only does not know ${unknown.join(', ')}; it takes ${names.join(', ')}.`)

if (values.help) {
  console.log(`Prints what holds the pages up. See docs/benchmarks.md.

  --only     of ${names.join(', ')}
  --data     a folder to keep the filled database in, so that the next run need not fill it
  --profile  a folder to write CPU profiles of the pages to`)
} else await run()

async function run(): Promise<void> {
  const figures = createFigures(tell)
  buildWeb()
  const stage = await setWebStage(values.data, tell)
  const load = loadavg()[0] ?? NaN
  try {
    for (const [name, measure] of Object.entries(measures)) {
      if (!only.includes(name)) continue
      tell(name)
      await measure({ stage, figures, watch: createWatch(values.profile ?? null) }).catch((error: unknown) => {
        figures.failed(name, error)
        process.exitCode = 1
      })
    }
  } finally {
    await stage.close()
  }
  const seconds = Math.round((performance.now() - begun) / 1000)
  console.log(
    `at ${new Date().toISOString()}, cpu ${cpus()[0]?.model.trim()}, cores ${cpus().length}, ` +
      `load ${load.toFixed(1)} at the begin and ${(loadavg()[0] ?? NaN).toFixed(1)} at the end, seconds ${seconds}\n`,
  )
  figures.print()
}
