// In charge of how tests are found and run. Each group of tests is a Vitest project: tests without a database, tests on each of the
// two databases, tests of what only one database has, tests on S3, and tests in browsers. `npm run test:all` runs all of them;
// `npm test` runs the main ones of each group, because all of them take more than twice the time that one wants to wait.
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/** Tests that need no database. */
export const pureTests = [
  'contract/src/**/*.test.ts',
  'server/src/**/*.test.ts',
  'web/{src,build}/**/*.test.ts',
  'server/test/*.test.ts',
]
/** Tests that run twice: once on PostgreSQL, and once on the embedded database. */
export const databaseTests = ['server/test/{http,platform,features}/**/*.test.ts']
/** Tests whose results do not depend on which database is used. They run only on the embedded one, which every machine has. */
export const onceTests = ['server/test/once/**/*.test.ts']
/** Tests of what only PostgreSQL has, such as several connections. */
export const postgresTests = ['server/test/postgres/**/*.test.ts']
/** Tests of what only the embedded database has, such as its folder. */
export const embeddedTests = ['server/test/embedded/**/*.test.ts']

/** Tests on a real S3 server; they need an installed Ceph. */
export const s3Tests = ['server/test/s3/**/*.test.ts']

const files = (folder: string, ...names: string[]): string[] => names.map((name) => `${folder}/${name}.test.ts`)

/**
 * Tests that `npm test` leaves out because they take long: random histories, kills and power cuts, the demo's own graphs, and whole
 * commands, each in a process of its own.
 */
export const longTests = [
  ...files('server/test/features', 'demo-graphs', 'fuzz', 'identity-model', 'review-model', 'runs-model', 'storm'),
  ...files('server/test/platform', 'backup', 'demo-models'),
  ...files('server/test/once', 'commands', 'stopping'),
  ...files('server/test/postgres', 'automation-crash', 'chaos', 'comfyui-killed', 'model-jobs', 'stopping-worker'),
  ...files('server/test/embedded', 'power-cut', 'snapshots'),
]
/** Tests of the web app in a browser, against the real service. */
export const browserTests = ['e2e/*.test.ts']
/** Those of `browserTests` that `npm test` runs: each page and each main job once, and whether all can be used without a mouse. */
export const mainBrowserTests = files(
  'e2e',
  'accessibility',
  'board',
  'first-job',
  'gates',
  'main-jobs',
  'pages',
  'restore',
  'review',
)
/** The tests in a browser that also run in Firefox: they cover the main jobs of users, with one person and with two at once. */
export const firefoxTests = ['e2e/first-job.test.ts', 'e2e/main-jobs.test.ts']
/** The tests of the main jobs of users in WebKit. They are separate, because WebKit needs another driver than other browsers. */
export const webkitTests = ['e2e/webkit/*.test.ts']
/** The tests in a browser that also run with the service on PostgreSQL: those for Firefox, and those about guests. */
export const mainJobTests = [...firefoxTests, 'e2e/guests.test.ts']

/**
 * The database that the database tests of `npm test` run on, each file once: `postgres`, or `embedded` where there is no PostgreSQL.
 * Undefined if all tests may run, as in `npm run test:all` and where files are named.
 */
const mainDatabase = process.env.ATELIER_TEST_MAIN
/** What a project leaves out of the main tests. */
const leftOut = (database: string): string[] => {
  if (mainDatabase === undefined) return []
  return mainDatabase === database ? longTests : [...longTests, ...databaseTests]
}

export default defineConfig({
  test: {
    // Many tests wait for processes, timers and pages, so 1.5 workers per core are needed to keep all cores busy.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    // A worker runs its test files one after the other in one process, and loads each module once for all of them. A process per
    // file would spend most of its time on loading the service and compiling PostgreSQL's WebAssembly. So each file must stop
    // everything that it starts.
    isolate: false,
    // The optimizing compiler for WebAssembly takes more processor time than it saves on the embedded databases of tests, which are
    // small. Without that compiler, the tests on the embedded database take a tenth less time.
    execArgv: ['--liftoff-only'],
    // These limits (in ms) only end tests that hang: no test takes nearly as long, even on a busy machine.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000, interval: 20 } },
    setupFiles: ['server/test/support/fixed-seed.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'pure',
          include: pureTests,
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          include: [...databaseTests, ...postgresTests],
          exclude: leftOut('postgres'),
          env: { ATELIER_TEST_DB: 'postgres' },
          globalSetup: ['server/test/support/template.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'embedded',
          include: [...databaseTests, ...onceTests, ...embeddedTests],
          exclude: leftOut('embedded'),
          env: { ATELIER_TEST_DB: 'embedded' },
          globalSetup: ['server/test/support/snapshot.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 's3',
          include: s3Tests,
          env: { ATELIER_TEST_DB: 'embedded' },
          globalSetup: ['server/test/support/snapshot.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: mainDatabase === undefined ? browserTests : mainBrowserTests,
          env: { ATELIER_TEST_DB: 'embedded' },
          globalSetup: ['server/test/support/snapshot.ts', 'e2e/support/build.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'firefox',
          include: firefoxTests,
          env: { ATELIER_TEST_DB: 'embedded', ATELIER_TEST_BROWSER: 'firefox' },
          globalSetup: ['server/test/support/snapshot.ts', 'e2e/support/build.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'webkit',
          include: webkitTests,
          env: { ATELIER_TEST_DB: 'embedded' },
          globalSetup: ['server/test/support/snapshot.ts', 'e2e/support/build.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'browser-postgres',
          include: mainDatabase === undefined ? mainJobTests : ['e2e/main-jobs.test.ts'],
          env: { ATELIER_TEST_DB: 'postgres' },
          globalSetup: ['server/test/support/template.ts', 'e2e/support/build.ts'],
        },
      },
    ],
  },
})
