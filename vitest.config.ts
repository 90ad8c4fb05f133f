// In charge of how tests are found and run: the pure ones, those that run on each of the two databases, and those about
// what only one of the two has.
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/** Tests that need no database. */
export const pureTests = [
  'contract/src/**/*.test.ts',
  'server/src/**/*.test.ts',
  'web/{src,build}/**/*.test.ts',
  'server/test/*.test.ts',
]
/** Tests that run twice: on PostgreSQL and on the embedded database. */
export const databaseTests = ['server/test/{http,platform,features}/**/*.test.ts']
/** Tests that need a database, but tell the same whichever it is: they run on the embedded one, which is always there. */
export const onceTests = ['server/test/once/**/*.test.ts']
/** Tests about what only PostgreSQL has, such as several connections. */
export const postgresTests = ['server/test/postgres/**/*.test.ts']
/** Tests about what only the embedded database has, such as its folder. */
export const embeddedTests = ['server/test/embedded/**/*.test.ts']

/** Tests on a real S3 server, for which Ceph has to be installed. */
export const s3Tests = ['server/test/s3/**/*.test.ts']

/** Tests of the web app in a browser, against the real service. */
export const browserTests = ['e2e/*.test.ts']
/** Those of them that run in Firefox too: what everybody does, and two people at once. */
export const firefoxTests = ['e2e/first-job.test.ts', 'e2e/main-jobs.test.ts']
/** The main jobs in WebKit, which has a driver of its own. */
export const webkitTests = ['e2e/webkit/*.test.ts']
/** Those of the others that run on PostgreSQL too: the same, and a guest. */
export const mainJobTests = [...firefoxTests, 'e2e/guests.test.ts']

export default defineConfig({
  test: {
    // Many tests wait for processes, timers and pages: half as many workers again as cores keep these busy.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    // The files of a worker share its process and its modules, one file after the other: a process for each spent most of
    // its time on loading the service and on compiling PostgreSQL's WebAssembly. What a file starts it ends.
    isolate: false,
    // The optimizing compiler for WebAssembly takes more processor time than it saves on the embedded databases of tests, which are
    // small. Without it, the tests on the embedded database take a tenth less.
    execArgv: ['--liftoff-only'],
    // Far above what a busy machine takes: they end what hangs.
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
          env: { ATELIER_TEST_DB: 'postgres' },
          globalSetup: ['server/test/support/template.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'embedded',
          include: [...databaseTests, ...onceTests, ...embeddedTests],
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
          include: browserTests,
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
          include: mainJobTests,
          env: { ATELIER_TEST_DB: 'postgres' },
          globalSetup: ['server/test/support/template.ts', 'e2e/support/build.ts'],
        },
      },
    ],
  },
})
