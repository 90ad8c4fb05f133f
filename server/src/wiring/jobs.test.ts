// Facts about the periodic jobs: those that run seldom have an alert of their own.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { jobs } from './jobs.ts'

const rules = readFileSync(new URL('../../../deploy/prometheus/alerts.yaml', import.meta.url), 'utf8')

test('each job that runs hourly is in the alerts on hourly jobs, since it fails too seldom for those on others', () => {
  // No job is run, so each service can be anything.
  const anything: object = new Proxy({}, { get: () => anything })
  const [services, reading, thumbnails] = [anything, anything, anything] as Parameters<typeof jobs>
  const hourly = jobs(services, reading, thumbnails).filter(({ everyMs }) => everyMs >= 3_600_000)
  const names = hourly.map(({ name }) => name).toSorted()
  expect(names).toContain('forget-messages')
  const said = [...rules.matchAll(/periodic_job=~"([^"]*)"\}(?:\[4h\]\) > 0|\) > 10800)/g)].map(([, list]) => list)
  expect(said.map((list) => list?.split('|').toSorted())).toEqual([names, names])
})
