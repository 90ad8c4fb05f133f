// In charge of `npm test` and `npm run test:all`: installs PostgreSQL and browsers if possible, runs checks and tests, and prints
// the final counts. Which tests `npm test` leaves out is said in vitest.config.ts.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants, existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { launchFirefox } from '../e2e/support/browsers.ts'
import { findChromium, findFirefox, findWebKit, installChromium, installFirefox } from './browsers.ts'
import { runChecks } from './check.ts'
import { findPostgres, installPostgres } from './postgres.ts'
import { findS3 } from './s3.ts'
import { findExiftool, findSigning, installSigning } from './signing.ts'

const root = path.resolve(import.meta.dirname, '..')
const howToGetPostgres = 'Install PostgreSQL 15 or later, or point ATELIER_TEST_POSTGRES_URL at a throwaway cluster.'

/** The members of Vitest's JSON report that this file reads. */
interface Report {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  numTodoTests: number
  testResults: {
    name: string
    status: string
    startTime: number
    endTime: number
    assertionResults: { status: string }[]
  }[]
}

const isAll = process.argv[2] === '--all'
const args = process.argv.slice(isAll ? 3 : 2)
/** Whether the arguments select no tests. If they do, no checks run, so that the selected tests end within seconds. */
const isWhole = args.length === 0
const isMain = isWhole && !isAll
const without = reasonWithoutPostgres()
const withoutBrowser = reasonWithoutChromium()
const withoutFirefox = isMain ? null : await reasonWithoutFirefox()
const withoutSigning = reasonWithoutSigning()
console.log('\n== tests ==')
// The checks run at the same time as the tests, because Vitest uses only one core while it starts. The output of the checks is
// printed after that of the tests.
const [counts, checks] = await Promise.all([
  runTests(projects(), args),
  isWhole
    ? runChecks('kept')
    : { failed: [], said: 'Only some tests were run; `npm run check` checks lint and types.' },
])
console.log(checks.said)
if (counts.seconds.length > 1) console.log(`Seconds of tests by folder: ${counts.seconds.join(', ')}`)

if (without)
  console.log(
    `The PostgreSQL half of the tests, those in a browser among them, was left out: ${without}. ${howToGetPostgres}`,
  )
if (withoutBrowser) {
  console.log(
    `The tests in a browser were left out: ${withoutBrowser}. Install Chromium, or say where it is with CHROMIUM.`,
  )
}
if (withoutFirefox)
  console.log(
    `The main jobs in Firefox were left out: ${withoutFirefox}. Install firefox-esr, or name it with FIREFOX.`,
  )
if (!findWebKit())
  console.log(
    'The main jobs in WebKit were left out: there is none with a driver here (Debian: apt install webkit2gtk-driver xvfb).',
  )
if (withoutSigning)
  console.log(`The tests that sign files and read their credentials were left out: ${withoutSigning}.`)
else if (!findExiftool())
  console.log('The test that reads exported files by exiftool was left out: install libimage-exiftool-perl.')
console.log(
  findS3()
    ? 'The tests on a real S3 server were run, on Ceph’s gateway.'
    : 'The tests on a real S3 server were left out: there is none here (Debian: apt install radosgw ceph-mon ceph-osd).',
)
if (isMain)
  console.log('The main tests were run. `npm run test:all` also runs the long ones, and those on the other database.')
if (checks.failed.length > 0) console.log(`Checks that failed (see above): ${checks.failed.join(', ')}`)
console.log(
  `${counts.passed} passed, ${counts.failed} failed${counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''}`,
)
process.exitCode = counts.failed > 0 || checks.failed.length > 0 ? 1 : 0

function projects(): string[] {
  const onPostgres = withoutBrowser ? ['postgres'] : ['postgres', 'browser-postgres']
  return [
    'pure',
    'embedded',
    ...(findS3() ? ['s3'] : []),
    ...(without ? [] : onPostgres),
    ...(withoutBrowser ? [] : ['browser']),
    ...(isMain || withoutFirefox ? [] : ['firefox']),
    ...(findWebKit() ? ['webkit'] : []),
  ]
}

/** Finds or installs a Chromium for the tests. Returns null, or the reason why there is none. */
function reasonWithoutChromium(): string | null {
  if (findChromium()) return null
  console.log('Chromium is not installed; trying to install it with apt …')
  return installChromium()
}

/**
 * Finds or installs a Firefox for the tests. If all tests run, this function also tries to start Firefox, which takes six seconds.
 * Returns null, or the reason why no Firefox can be used.
 */
async function reasonWithoutFirefox(): Promise<string | null> {
  if (!findFirefox()) {
    console.log('Firefox is not installed; trying to install it with apt …')
    const reason = installFirefox()
    if (reason) return reason
  }
  if (!isWhole) return null
  try {
    await (await launchFirefox()).close()
    return null
  } catch (error) {
    return `it does not start (${String(error).split('\n')[0]})`
  }
}

/** Finds or installs the library that signs files. Returns null, or the reason why the library is missing. */
function reasonWithoutSigning(): string | null {
  if (findSigning()) return null
  console.log('The library for content credentials is not installed; trying to install it with npm …')
  return installSigning()
}

/** Finds or installs a PostgreSQL for the tests. Returns null, or the reason why there is none. */
function reasonWithoutPostgres(): string | null {
  if (process.env.ATELIER_TEST_POSTGRES_URL || findPostgres()) return null
  console.log('PostgreSQL is not installed; trying to install it with apt …')
  const reason = installPostgres()
  if (reason) console.log(`PostgreSQL could not be installed (${reason}): its half of the tests is left out.`)
  return reason
}

/**
 * Runs Vitest on the projects, or on those that `rest` names, and counts the results. A test file that cannot be loaded counts as
 * one failed test.
 */
async function runTests(
  projects: string[],
  rest: string[],
): Promise<{ passed: number; failed: number; skipped: number; seconds: string[] }> {
  const folder = mkdtempSync(path.join(tmpdir(), 'atelier-test-'))
  const file = path.join(folder, 'report.json')
  const named = rest.some((arg) => arg.startsWith('--project'))
  const chosen = named ? [] : projects.map((name) => `--project=${name}`)
  const status = await vitest([
    'run',
    ...chosen,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
    ...rest,
  ])
  const report: Report | null = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null
  rmSync(folder, { recursive: true })
  const unloaded = report?.testResults.filter(
    (result) => result.status === 'failed' && !result.assertionResults.some((test) => test.status === 'failed'),
  )
  const failed = (report?.numFailedTests ?? 0) + (unloaded?.length ?? 0)
  return {
    passed: report?.numPassedTests ?? 0,
    // Vitest also fails if an error occurs outside any test; the final line must not report success in that case.
    failed: status === 0 ? failed : Math.max(1, failed),
    skipped: (report?.numPendingTests ?? 0) + (report?.numTodoTests ?? 0),
    seconds: report ? secondsByFolder(report) : [],
  }
}

/** The total time of each folder's test files in seconds, longest first. The files run in parallel, so the times overlap. */
function secondsByFolder({ testResults }: Report): string[] {
  const folders = new Map<string, number>()
  for (const { name, startTime, endTime } of testResults) {
    const [folder = '', second = '', third = ''] = path.relative(root, name).split(path.sep)
    const area = folder === 'server' && second === 'test' && !third.endsWith('.ts') ? `server/test/${third}` : folder
    folders.set(area, (folders.get(area) ?? 0) + endTime - startTime)
  }
  return [...folders]
    .toSorted(([, one], [, other]) => other - one)
    .map(([area, ms]) => `${area} ${Math.round(ms / 1000)}`)
}

/**
 * Returns the folder for temporary files: a memory file system if it has enough space. A test run creates and deletes hundreds of
 * databases, and creating a database on a disk takes four times as long.
 */
function temporaryFolder(): string {
  const memory = '/dev/shm'
  try {
    accessSync(memory, constants.W_OK)
    const { bavail, bsize } = statfsSync(memory)
    if (bavail * bsize >= 6 * 2 ** 30) return memory
  } catch {
    // This system has no memory file system at that path.
  }
  return tmpdir()
}

/** Runs Vitest and returns its exit code; passes SIGINT and SIGTERM on to Vitest. */
async function vitest(command: string[]): Promise<number | null> {
  const program = path.join(root, 'node_modules/vitest/vitest.mjs')
  const child = spawn(process.execPath, [program, ...command], {
    cwd: root,
    // The settings of `run.mjs` that save memory are removed, because with them each large buffer costs page faults.
    env: {
      ...process.env,
      MALLOC_MMAP_THRESHOLD_: undefined,
      MALLOC_TRIM_THRESHOLD_: undefined,
      TMPDIR: process.env.TMPDIR ?? temporaryFolder(),
      ATELIER_TEST_MAIN: isMain ? (without ? 'embedded' : 'postgres') : undefined,
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
  const [code]: (number | null)[] = await once(child, 'exit')
  return code ?? null
}
