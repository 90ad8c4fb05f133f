// Facts about the name of its graph on the page of a run: what is said while the graph is not read, and after a read that failed.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { definitionOf } from '../server/test/support/definitions.ts'
import { makeRun } from '../server/test/support/runs.ts'
import { type App, startApp } from './support/app.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

test('a graph that could not be read once is not said to be gone, and is read again', async () => {
  const run = await makeRun(app.service, definitionOf({ words: { type: 'input.text', params: { value: 'Hello' } } }))
  const page = await app.open('/runs')
  const { promise: isLooked, resolve: looked } = Promise.withResolvers<void>()
  let asked = 0
  await page.route(`**/api/v1/graphs/${run.graph_id}`, async (route) => {
    if (++asked > 1) return route.continue()
    await isLooked
    return route.fulfill({ status: 503 })
  })
  await page.goto(`${app.url}/runs/${run.id}`)
  const gone = page.getByText('A graph that is gone')
  await page.getByRole('heading', { level: 1, name: 'A run', exact: true }).waitFor()
  expect(await gone.count()).toBe(0)
  looked()
  // The heading names the graph once it is read.
  await page.getByRole('heading', { level: 1, name: /^A run of / }).waitFor()
  expect(asked).toBe(2)
  expect(await gone.count()).toBe(0)
})

test('a graph that the service does not have is said to be gone', async () => {
  const run = await makeRun(app.service, definitionOf({ words: { type: 'input.text', params: { value: 'Hello' } } }))
  const page = await app.open('/runs')
  await page.route(`**/api/v1/graphs/${run.graph_id}`, (route) =>
    route.fulfill({ status: 404, json: { code: 'not_found', title: 'Not found', status: 404, detail: 'No graph.' } }),
  )
  await page.goto(`${app.url}/runs/${run.id}`)
  const gone = page.getByRole('heading', { level: 1, name: 'A graph that is gone' })
  await gone.waitFor()
  expect(await gone.count()).toBe(1)
})
