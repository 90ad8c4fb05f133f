// Facts about comparing two runs whose nodes have made objects: only the members that differ are shown, however many there are.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { definitionOf } from '../server/test/support/definitions.ts'
import { makeRun, runThrough } from '../server/test/support/runs.ts'
import { type App, startApp } from './support/app.ts'
import { violations } from './support/axe.ts'
import { focused, focusIs } from './support/keyboard.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
  await app.service.app.worker.start()
})
afterAll(() => app.close())

/** Makes two runs of a graph with an expression, each with one of these expressions, and compares them in the browser. */
async function compared(expressions: readonly [string, string]): Promise<Page> {
  const definition = (expression: string) =>
    definitionOf({ made: { type: 'json.expression', params: { expression }, inputs: { value: 'Tea' } } })
  const run = await makeRun(app.service, definition(expressions[0]))
  await runThrough(app.service, run.id)
  const { data: other } = await app.service.post(`/api/v1/graphs/${run.graph_id}/runs`, { from_run: run.id })
  await app.service.patch(`/api/v1/runs/${other.id}`, { definition: definition(expressions[1]) })
  await runThrough(app.service, other.id)
  return app.open(`/runs/${run.id}?with=${other.id}`)
}
const side = (page: Page, which: 'older' | 'newer') => page.getByRole('region', { name: `made, the ${which} run` })
const partsOf = (page: Page, which: 'older' | 'newer') =>
  side(page, which).locator('.compare-parts > li').allInnerTexts()

test('inside an object, only the members that differ are shown, under their paths and on both sides', async () => {
  const object = (mood: string) =>
    `{"title": value, "scenes": [{"line": "a", "mood": "${mood}"}, {"line": "b"}], "size": {"width": 1, "height": 2}}`
  const page = await compared([object('calm'), object('loud')])
  await expect.poll(() => partsOf(page, 'older')).toEqual([expect.stringMatching(/^scenes › item 1 › mood\s+calm$/)])
  expect(await partsOf(page, 'newer')).toEqual([expect.stringMatching(/^scenes › item 1 › mood\s+loud$/)])
  expect(await side(page, 'newer').getByText('4 equal members left out').count()).toBe(1)
  expect(await violations(page)).toEqual([])
  await page.getByRole('switch', { name: 'Only where they differ' }).click({ force: true })
  await side(page, 'older').getByText('title').waitFor()
})

test('objects too long for the state of a run are compared when that is asked for, and some of what differs is drawn at first', async () => {
  const object = (last: string) =>
    `$merge([1..9000].{"member " & $: $ < 40 ? "${last} " & $ : $ = 41 ? "alike" : "as before " & $})`
  const page = await compared([object('old'), object('new')])
  await page.getByRole('button', { name: 'Compare all of “value”' }).press('Enter')
  await side(page, 'newer').getByText('8,961 equal members left out').waitFor()
  await focusIs(page, 'made, the older run')
  expect(await partsOf(page, 'older')).toHaveLength(24)
  expect((await partsOf(page, 'newer'))[0]).toMatch(/^member 1\s+new 1$/)
  await side(page, 'newer').getByRole('button', { name: '15 more' }).click()
  expect(await partsOf(page, 'newer')).toHaveLength(39)

  await page.getByRole('switch', { name: 'Only where they differ' }).click({ force: true })
  await side(page, 'older').getByRole('button', { name: 'Show all of it' }).click()
  await side(page, 'older').getByRole('button', { name: '8976 more' }).waitFor()
})

test('a run to compare with is chosen by keys, and the page that compares has the focus', async () => {
  const run = await makeRun(app.service, definitionOf({ made: { type: 'input.text', params: { value: 'Tea' } } }))
  const { data: other } = await app.service.post(`/api/v1/graphs/${run.graph_id}/runs`, {})
  const page = await app.open(`/runs/${run.id}`)
  await page.getByRole('button', { name: 'More about this run' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Compare with another run' }).press('Enter')
  await page.getByRole('dialog').getByRole('listitem').getByRole('button').press('Enter')
  await focused(page, page.getByRole('heading', { name: 'Two runs compared' }))
  await page.keyboard.press('Tab')
  await focused(page, page.getByRole('link', { name: 'Back to the run' }))
  expect(new URL(page.url()).searchParams.get('with')).toBe(other.id)
})

test('the heads and the title of the page say which run is which, whichever was opened first', async () => {
  const run = await makeRun(app.service, definitionOf({ made: { type: 'input.text', params: { value: 'Tea' } } }))
  const task = await app.make.task({ name: 'Tea for two' })
  const { data: other } = await app.service.post(`/api/v1/graphs/${run.graph_id}/runs`, { task_id: task.id })
  const page = await app.open(`/runs/${other.id}?with=${run.id}`)
  const [opened, second] = [page.locator('.compare-head').first(), page.locator('.compare-head').last()]
  await opened.getByText(`#${task.number} Tea for two`).waitFor()
  await opened.getByText('Newer run').waitFor()
  await second.getByText('Older run').waitFor()
  await second.getByText(`Without a task · `).waitFor()
  expect(await second.getByRole('link').getAttribute('href')).toBe(`/runs/${run.id}`)
  await second.getByRole('link', { name: /^A graph, / }).waitFor()
  await expect.poll(() => page.title()).toMatch(/^Two runs compared: A graph, .*20\d\d, .* and .*20\d\d, .* · Atelier$/)
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
