// In charge of `npm run bench`: makes all measurements one after the other on one machine, and prints them as ratios.
// docs/benchmarks.md explains the measurements.
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { measureEmbedded } from './measures/embedded.ts'
import { measureImages } from './measures/images.ts'
import { measureLookup } from './measures/lookup.ts'
import { measureDepth, measurePages, measureSize, measureTotal } from './measures/pages.ts'
import { measureFilters, measureSearch } from './measures/search.ts'
import { measureSorts } from './measures/sorts.ts'
import { measureCreate, measureRestore } from './measures/writes.ts'
import { canPin } from './processes.ts'
import { createReport, type Report } from './report.ts'
import { type Stage, setStage } from './stage.ts'

/** The measurements on PostgreSQL, in their order. Those that add or delete many rows come last, because they change the data. */
const measures: Record<string, (stage: Stage, report: Report) => Promise<void>> = {
  pages: measurePages,
  depth: measureDepth,
  size: measureSize,
  total: measureTotal,
  search: measureSearch,
  filters: measureFilters,
  sorts: measureSorts,
  lookup: measureLookup,
  restore: measureRestore,
  create: measureCreate,
}
const names = [...Object.keys(measures), 'embedded', 'images']

const help = `Prints how the service compares with floors, as ratios. See docs/benchmarks.md.

  npm run bench                                  everything, on 1,000,000 tasks: about a quarter of an hour
  npm run bench -- --tasks 50000 --seconds 1 --rounds 3
  npm run bench -- --only pages,search

  --tasks    tasks in the large workspace; a fifth of them is deleted (1000000)
  --seconds  of each round under load (2)
  --rounds   under load, each with ours and the floor (7)
  --only     of ${names.join(', ')}
  --json     a file to write the results to as well
  --before   a checkout of another version, installed, to measure in turns with this one
  --profile  a folder to write a CPU profile of the service to`

const figure = (name: string, text: string | undefined, fallback: number, least = 0.1): number => {
  const value = text === undefined ? fallback : Number(text)
  if (!(value >= least)) throw new Error(`--${name} must be a number of at least ${least}.`)
  return value
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      tasks: { type: 'string' },
      seconds: { type: 'string' },
      rounds: { type: 'string' },
      only: { type: 'string' },
      json: { type: 'string' },
      profile: { type: 'string' },
      before: { type: 'string' },
      help: { type: 'boolean' },
    },
  })
  const only = values.only?.split(',').map((name) => name.trim()) ?? names
  const unknown = only.filter((name) => !names.includes(name))
  if (unknown.length > 0) throw new Error(`--only does not know ${unknown.join(', ')}; it takes ${names.join(', ')}.`)
  return {
    // With fewer than 10,000 tasks, the feeds would be too short to measure pages far from their start.
    tasks: figure('tasks', values.tasks, 1_000_000, 10_000),
    seconds: figure('seconds', values.seconds, 2),
    rounds: figure('rounds', values.rounds, 7, 1),
    only,
    json: values.json,
    profile: values.profile,
    before: values.before,
    help: values.help ?? false,
  }
}

const begun = performance.now()
const tell = (line: string): void => {
  process.stderr.write(`${Math.round((performance.now() - begun) / 1000)} s  ${line}\n`)
}

type Options = ReturnType<typeof readOptions>

async function measureOnPostgres(options: Options, report: Report): Promise<string> {
  const stage = await setStage(options, tell)
  try {
    for (const [name, measure] of Object.entries(measures)) {
      if (!options.only.includes(name)) continue
      tell(name)
      await measure(stage, report).catch((error: unknown) => failed(report, name, error))
    }
    const [[version] = []] = await stage.sql('show server_version')
    return String(version)
  } finally {
    await stage.close()
  }
}

/** Reports a measurement that failed; the others still run, and the process exits with 1. */
function failed(report: Report, name: string, error: unknown): void {
  tell(`${name} failed: ${error instanceof Error ? error.stack : error}`)
  report.heading(`${name} failed: ${error}`)
  process.exitCode = 1
}

async function run(options: Options): Promise<void> {
  const report = createReport(tell)
  const onPostgres = options.only.some((name) => name in measures)
  const postgres = onPostgres ? await measureOnPostgres(options, report) : null
  if (options.only.includes('embedded')) {
    tell('embedded')
    const tasks = Math.min(options.tasks, 20_000)
    await measureEmbedded(report, tasks, tell).catch((error: unknown) => failed(report, 'embedded', error))
  }
  if (options.only.includes('images')) {
    tell('images')
    await measureImages(report, options.rounds).catch((error: unknown) => failed(report, 'images', error))
  }
  const { only: _, help: __, json, profile: ___, before: ____, ...sizes } = options
  const about = {
    at: new Date().toISOString(),
    node: process.version,
    postgres,
    cpu: cpus()[0]?.model.trim(),
    cores: cpus().length,
    pinned: canPin,
    ...sizes,
    minutes: Math.round((performance.now() - begun) / 6000) / 10,
  }
  console.log(
    Object.entries(about)
      .map(([name, value]) => `${name} ${value}`)
      .join(', '),
  )
  console.log()
  report.print()
  if (json) report.write(json, about)
}

const options = readOptions()
if (options.help) console.log(help)
else await run(options)
