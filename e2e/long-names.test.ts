// Facts about long names without spaces, as generated names are: everything beside them stays within reach.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeRun } from '../server/test/support/runs.ts'
import { type App, startApp } from './support/app.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const longName = `T38_${'quiltern_summer_sale_'.repeat(10)}`

test('a task with a long name without spaces can be closed, and leaves the board its room', async () => {
  const task = await app.make.task({ name: longName })
  const page = await app.open(`/tasks/${task.id}`)
  const widest = [
    { width: 1366, panel: 560 },
    { width: 390, panel: 390 },
  ]
  for (const { width, panel } of widest) {
    await page.setViewportSize({ width, height: 768 })
    for (const name of ['Menu of the task', 'Close the task']) {
      const box = await page.getByRole('button', { name }).boundingBox()
      expect(box ? box.x + box.width : null, `${name} at ${width}`).toBeLessThanOrEqual(width)
    }
    const box = await page.getByRole('complementary', { name: 'Task' }).boundingBox()
    expect(box?.width, `the task at ${width}`).toBeLessThanOrEqual(panel)
  }
})

test('the long name of a graph is wrapped in the list of the runs of a task', async () => {
  const task = await app.make.task({ name: 'Run by a long graph' })
  const text = { type: 'input.text', version: 1, params: { value: 'Anything' } }
  const run = await makeRun(app.service, { schema: 1, nodes: { text }, edges: [] }, { pinned_task_id: task.id })
  await app.service.patch(`/api/v1/graphs/${run.graph_id}`, { name: longName.slice(0, 100) })
  const page = await app.open(`/tasks/${task.id}#runs`, { viewport: { width: 390, height: 768 } })
  await page.getByRole('link', { name: longName.slice(0, 100), exact: true }).waitFor()
  const overflow =
    "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('.runs').parentElement)"
  expect(await page.evaluate(overflow)).toBe(0)
})

test('the long name of a task is wrapped in the list of runs, whose owner and menu stay beside it', async () => {
  const task = await app.make.task({ name: 'W'.repeat(200) })
  const text = { type: 'input.text', version: 1, params: { value: 'Anything' } }
  await makeRun(app.service, { schema: 1, nodes: { text }, edges: [] }, { pinned_task_id: task.id })
  const page = await app.open(`/runs?task=${task.id}`)
  for (const width of [1366, 390]) {
    await page.setViewportSize({ width, height: 768 })
    const row = page.getByRole('listitem').filter({ hasText: 'WWW' })
    const words = await row.getByText('WWW').boundingBox()
    const owner = await row.getByRole('img', { name: /^Owner/ }).boundingBox()
    const isBeside = words && owner && (words.x + words.width <= owner.x || words.y + words.height <= owner.y)
    expect(isBeside, `at ${width}`).toBe(true)
    const menu = await row.getByRole('button', { name: /^Menu of the run/ }).boundingBox()
    expect(menu ? menu.x + menu.width : null, `the menu at ${width}`).toBeLessThanOrEqual(width)
  }
})

test('the bar of the editor of graphs fits into the narrowest window', async () => {
  const { data } = await app.service.post('/api/v1/graphs', { name: longName, template: true })
  const fork = await app.service.post(`/api/v1/graphs/${data.id}/fork`, { name: longName })
  await app.service.patch(`/api/v1/graphs/${fork.data.id}`, { template: true })
  const page = await app.open(`/graphs/${fork.data.id}`, { viewport: { width: 320, height: 640 } })
  const bar = page.locator('.studio-bar')
  await bar.getByRole('button', { name: 'History' }).waitFor()
  for (const part of await bar.locator('a, input, button').all()) {
    const box = await part.boundingBox()
    const name = (await part.getAttribute('aria-label')) ?? (await part.textContent())
    expect(box ? box.x : null, `the start of ${name}`).toBeGreaterThanOrEqual(0)
    expect(box ? box.x + box.width : null, `the end of ${name}`).toBeLessThanOrEqual(320)
  }
  expect(await bar.getByRole('button').count()).toBeGreaterThan(8)
})

type Box = { x: number; y: number; width: number; height: number }
const isOver = (one: Box, other: Box): boolean =>
  one.x + one.width > other.x + 1 &&
  other.x + other.width > one.x + 1 &&
  one.y + one.height > other.y + 1 &&
  other.y + other.height > one.y + 1

test('the parts of the bar of the editor of graphs do not lie over each other, and the name of the graph can be read', async () => {
  const { data } = await app.service.post('/api/v1/graphs', { name: 'Quiltern statics', template: true })
  const fork = await app.service.post(`/api/v1/graphs/${data.id}/fork`, { name: 'Quiltern statics' })
  const page = await app.open(`/graphs/${fork.data.id}`, { viewport: { width: 820, height: 1180 } })
  const bar = page.locator('.studio-bar')
  await bar.getByText('Saved').waitFor()
  for (const width of [820, 844, 1024, 1366]) {
    await page.setViewportSize({ width, height: 768 })
    const parts: { name: string | null; box: Box }[] = []
    for (const part of await bar.locator('a, input, button, .save-mark').all()) {
      const box = await part.boundingBox()
      if (box) parts.push({ name: (await part.getAttribute('aria-label')) ?? (await part.textContent()), box })
    }
    expect(parts.length).toBeGreaterThan(10)
    const over = parts.flatMap((one, at) =>
      parts.slice(at + 1).flatMap((other) => (isOver(one.box, other.box) ? [`${one.name} and ${other.name}`] : [])),
    )
    expect(over, `at ${width}`).toEqual([])
    const title = bar.getByLabel('Name of the graph')
    const cut = await title.evaluate(
      (field: { scrollWidth: number; clientWidth: number }) => field.scrollWidth - field.clientWidth,
    )
    expect(cut, `the name at ${width}`).toBe(0)
  }
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
