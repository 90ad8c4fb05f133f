// Facts about deletes, restores, renames and purges that many clients request at once, on two processes of the service.
import { expect, test } from 'vitest'
import { ensureOwner } from '../../src/features/people/owner.ts'
import { adoptWaitingLaunches } from '../../src/features/tasks/launches/adopt.ts'
import { foldCounts, purge } from '../../src/features/tasks/purge.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { readConfig } from '../../src/platform/config.ts'
import { openDatabase } from '../../src/platform/db.ts'
import { createLog } from '../../src/platform/log.ts'
import { postgresEngine } from '../../src/platform/postgres.ts'
import { type App, createApp } from '../../src/wiring/app.ts'
import { openTestDatabase, rowsOf } from '../support/harness.ts'
import { type Ask, answerOf, reviewedIn, runStorm } from '../support/storm.ts'

const config = readConfig({
  ATELIER_RATE_LIMIT: '0',
  ATELIER_ADDRESS_RATE_LIMIT: '0',
  LOG_LEVEL: 'silent',
  ATELIER_RETENTION: 'PT1S',
})
const log = createLog('silent')

test('nothing breaks and nothing fails while many delete, restore, rename and purge the same few tasks', async () => {
  const { database, url, drop } = await openTestDatabase()
  // The embedded database allows one process only, so there both services use the same handle.
  const second = url ? openDatabase(postgresEngine(url, { connections: 10, log })) : database
  const owner = await ensureOwner(database, null)
  const asking = (app: App): Ask => {
    return async (method, path, body, headers = {}) => {
      const answer = await app.server.inject({
        method: method as 'GET', // the cast is for the type only: every method is in the contract
        url: path,
        headers: { authorization: `Bearer ${owner?.token}`, 'content-type': 'application/json', ...headers },
        ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
      })
      return answerOf(answer.statusCode, answer.payload)
    }
  }
  const apps = await Promise.all(
    [database, second].map((database) => createApp({ config, database, log, clock: systemClock })),
  )
  const [first] = apps
  if (!first) throw new Error('A storm needs a process.')
  const report = await runStorm({
    asks: apps.map(asking),
    rows: rowsOf(database),
    jobs: [
      () => purge(database),
      () => purge(second),
      () => foldCounts(second.main),
      () => adoptWaitingLaunches(second),
    ],
    seconds: 8,
    enough: ({ events, answers, checks }) =>
      ['task down', 'task up', 'task purged', 'purged', 'review gone', 'review changed'].every(
        (event) => events[event] !== undefined,
      ) &&
      answers['restore task']?.['409 creative_name_taken'] !== undefined &&
      ['review', 'decide', 'say as guest', 'decide as guest'].every((what) => answers[what]?.['200'] !== undefined) &&
      checks > 5,
    seed: 20_261_121,
    clients: 16,
    tasks: 10,
    names: 12,
    ...(await reviewedIn(first.services)),
  })
  for (const app of apps) await app.stop()
  await drop()

  expect(report.violations).toEqual([])
  expect(report.unexpected).toEqual([])
  // Checks that the storm was effective: every kind of event has happened, and the checker ran meanwhile.
  expect(report.events).toMatchObject({
    'task down': expect.any(Number),
    'task up': expect.any(Number),
    'task purged': expect.any(Number),
    purged: expect.any(Number),
    'review gone': expect.any(Number),
    'review changed': expect.any(Number),
  })
  expect(report.answers['restore task']).toHaveProperty('409 creative_name_taken')
  for (const what of ['review', 'decide', 'say as guest', 'decide as guest'])
    expect(report.answers[what]).toHaveProperty('200')
  expect(report.checks).toBeGreaterThan(5)
})
