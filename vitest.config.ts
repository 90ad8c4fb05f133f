// In charge of how tests are found and run: the pure ones, those that run on each of the two databases, and those about
// what only one of the two has.
import { defineConfig } from 'vitest/config'

/** Tests that need no database. */
export const pureTests = [
  'contract/src/**/*.test.ts',
  'server/src/**/*.test.ts',
  'web/{src,build}/**/*.test.ts',
  'server/test/architecture.test.ts',
]
/** Tests that run twice: on PostgreSQL and on the embedded database. */
export const databaseTests = ['server/test/{http,platform,features}/**/*.test.ts']
/** Tests about what only PostgreSQL has, such as several connections. */
export const postgresTests = ['server/test/postgres/**/*.test.ts']
/** Tests about what only the embedded database has, such as its folder. */
export const embeddedTests = ['server/test/embedded/**/*.test.ts']

/** Tests of the web app in a browser, against the real service. */
export const browserTests = ['e2e/**/*.test.ts']

export default defineConfig({
  test: {
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
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
          globalSetup: ['server/test/support/cluster.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'embedded',
          include: [...databaseTests, ...embeddedTests],
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
    ],
  },
})
