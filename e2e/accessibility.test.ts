// Facts about accessibility: axe finds no violation in pages, dialogs and menus, in both themes, on a wide screen and on a phone.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { definitionOf } from '../server/test/support/definitions.ts'
import { makeRun, runThrough } from '../server/test/support/runs.ts'
import { type App, startApp } from './support/app.ts'
import { violationsInBothThemes } from './support/axe.ts'
import { cardLink } from './support/board.ts'
import { node, runForTask } from './support/canvas.ts'

let app: App
let taskId: string
/** Ids. `graph`: a graph with a gate. `gate`: a run of that graph that waits at the gate. `done`: a finished run without a gate. */
let ids: { graph: string; gate: string; done: string }
beforeAll(async () => {
  app = await startApp()
  const { task } = await app.make.taskWith(['Axe_01'], { name: 'A task to look at', priority: 1, count: 2 })
  taskId = task.id
  await app.make.comment(task.id)
  await app.make.patched(task.id, { assignee_id: app.service.owner.id, deadline_at: '2020-01-01T00:00:00Z' })
  const gone = await app.make.task({ name: 'A task that is gone' })
  await app.make.deleted(`/api/v1/tasks/${gone.id}`)
  await app.make.product('Glow Serum')
  await app.service.post('/api/v1/task-templates', { name: 'Weekly hooks', brief: { priority: 2 } })
  const lost = await app.make.taskWith(['Lost_01'], { name: 'Lost its name' })
  await app.make.deleted(`/api/v1/tasks/${lost.task.id}`)
  await app.make.taskWith(['Lost_01'], { name: 'Has it now' })
  await app.service.app.worker.start()
  ids = await makeRuns()
})
afterAll(() => app.close())

async function makeRuns(): Promise<typeof ids> {
  const nodes = {
    rows: { type: 'list.collect', inputs: { values: ['A pillow', 'A duvet'] } },
    picture: { type: 'sample.image', params: { width: 364, height: 64 }, each: ['prompt'] },
    ask: { type: 'gate.choose', params: { title: 'Which one?' } },
  }
  const { ask: _, ...pictures } = nodes
  const edges = ['rows.list > picture.prompt', 'picture.image > ask.options'] as const
  const done = await makeRun(app.service, definitionOf(pictures, edges[0]), { pinned_task_id: taskId })
  await runThrough(app.service, done.id)
  await runThrough(app.service, done.id, { regenerate: [{ node_id: 'picture' }] })
  const gate = await makeRun(app.service, definitionOf(nodes, ...edges))
  await runThrough(app.service, gate.id)
  return { graph: gate.graph_id, gate: gate.id, done: done.id }
}

const ready: Record<string, (page: Page) => Promise<unknown>> = {
  '/': (page) => cardLink(page, 'A task that is gone').waitFor(),
  '/tasks/:id': (page) => page.getByLabel('Name of the task').waitFor(),
  '/graphs/:graph': (page) => node(page, 'ask').waitFor(),
  '/runs/:gate': (page) => page.getByRole('button', { name: 'Option 1', exact: true }).waitFor(),
  '/runs/:done': (page) => page.getByRole('heading', { name: 'Overview' }).waitFor(),
  '/runs/:done?node=picture': (page) => page.getByRole('button', { name: 'Roll all again' }).waitFor(),
  '/runs/:done?with=:gate': (page) => page.getByRole('heading', { name: 'Two runs compared' }).waitFor(),
  '/lookup': (page) => page.getByRole('heading', { name: 'Lookup' }).waitFor(),
  '/graphs': (page) => page.getByRole('main').waitFor(),
  '/runs': (page) => page.getByRole('main').waitFor(),
  '/automations': (page) => page.getByText('Nothing happens by itself yet').waitFor(),
  '/notices': (page) => page.getByRole('heading', { name: 'For me' }).waitFor(),
  '/notices/settings': (page) => page.getByRole('table', { name: 'What reaches you where' }).waitFor(),
  '/people': (page) => page.getByRole('rowheader', { name: 'Owner' }).waitFor(),
  '/products': (page) => page.getByLabel('Name of Glow Serum').waitFor(),
  '/templates': (page) => page.getByLabel('Name of Weekly hooks').waitFor(),
  '/providers': (page) => page.getByRole('rowheader', { name: /Google/ }).waitFor(),
  '/tokens': (page) =>
    page
      .getByRole('button', { name: /Revoke/ })
      .first()
      .waitFor(),
}

const phone = { width: 390, height: 844 }
const laptop = { width: 1366, height: 768 }
const placed = (place: string): string =>
  place.replace(':id', taskId).replace(':graph', ids.graph).replace(':gate', ids.gate).replace(':done', ids.done)

test('no page has anything that axe objects to, nor is any wider than a phone', async () => {
  const page = await app.open('/', { colorScheme: 'light' })
  const found: string[] = []
  for (const [place, isReady] of Object.entries(ready)) {
    await page.setViewportSize(laptop)
    await page.goto(app.url + placed(place))
    await isReady(page)
    const look = async (how: string) =>
      found.push(...(await violationsInBothThemes(page)).map((line) => `${place} ${how}: ${line}`))
    await look('laptop')
    await page.setViewportSize(phone)
    await isReady(page)
    const width: number = await page.evaluate('document.documentElement.scrollWidth')
    if (width > phone.width) found.push(`${place} is ${width} wide`)
    await look('phone')
  }
  expect(found).toEqual([])
})

test('the dialogs of graphs and runs have nothing that axe objects to, on a phone', async () => {
  const page = await app.open(`/runs/${ids.done}`, { colorScheme: 'light', viewport: phone })
  const found: string[] = []
  const look = async (what: string) =>
    found.push(...(await violationsInBothThemes(page)).map((line) => `${what} ${line}`))
  const leave = async () => {
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
  }
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  await page.getByRole('list', { name: '2 new creatives' }).waitFor()
  await look('export')
  await leave()
  for (const [item, title] of [
    ['Compare with another run', 'Compare with another run'],
    ['Promote to the graph', 'Promote to “A graph”'],
  ] as const) {
    await page.getByRole('button', { name: 'More about this run' }).click()
    await page.getByRole('menuitem', { name: item }).click()
    await page.getByRole('dialog', { name: title }).getByRole('button').last().waitFor()
    await look(item)
    await leave()
  }
  await page.getByRole('button', { name: 'History' }).click()
  await page.getByRole('complementary').getByRole('listitem').nth(1).getByRole('button').first().click()
  await page.getByRole('list', { name: 'What comes back' }).waitFor()
  await look('history')
  await page.goto(`${app.url}/graphs/${ids.graph}`)
  await runForTask(page)
  await page.getByRole('button', { name: 'Start now' }).waitFor()
  await look('run')
  await page.goto(`${app.url}/automations`)
  await page.getByRole('button', { name: 'New automation' }).click()
  await page.getByRole('dialog', { name: 'New automation' }).getByLabel('Name').waitFor()
  await look('automation')
  expect(found).toEqual([])
})

test('dialogs and menus have nothing that axe objects to either', async () => {
  const page = await app.open('/', { colorScheme: 'light' })
  const found: string[] = []
  const look = async (what: string, without: readonly string[] = []) =>
    found.push(...(await violationsInBothThemes(page, without)).map((line) => `${what} ${line}`))
  await page.getByRole('button', { name: 'Filter' }).click()
  await page.getByRole('button', { name: 'Add condition' }).click()
  await page.getByTitle('Field', { exact: true }).selectOption({ label: 'Geo' })
  await look('filter')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click()
  await page.getByText('Next, previous card').waitFor()
  await look('shortcuts')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Restore Lost its name' }).click()
  await page.getByLabel('New name').waitFor()
  await look('conflicts')
  await page.getByRole('button', { name: 'Leave it deleted' }).click()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Menu of A task to look at' }).click({ force: true })
  await page.getByRole('menuitem', { name: 'Copy link' }).waitFor()
  // The rule `region` is skipped: it demands that everything is in a region of the page, and an open menu is outside all of them.
  await look('menu', ['region'])
  expect(found).toEqual([])
})

test('neither have the other parts of an open task, on a phone', async () => {
  const page = await app.open(`/tasks/${taskId}`, { colorScheme: 'light', viewport: phone })
  const found: string[] = []
  for (const [tab, list] of [
    ['Creatives', 'Creatives'],
    ['Comments', 'Comments'],
    ['Activity', 'Activity'],
  ] as const) {
    await page.getByRole('tab', { name: tab }).click()
    await page.getByRole('list', { name: list }).waitFor()
    found.push(...(await violationsInBothThemes(page)).map((line) => `${tab} ${line}`))
  }
  expect(found).toEqual([])
})
test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
