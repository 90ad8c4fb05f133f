// Facts about using the app on a phone: a held card is dragged, a swipe scrolls without dragging, what is tapped is large enough, and
// wires are drawn by touch.
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { definitionOf } from '../server/test/support/definitions.ts'
import { makeGraph } from '../server/test/support/runs.ts'
import { type App, startApp } from './support/app.ts'
import { card } from './support/board.ts'
import { middleOf, port } from './support/canvas.ts'
import { keepShot } from './support/shots.ts'
import { fingerOn, phone } from './support/touch.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const statusOf = async (id: string): Promise<string> => (await app.make.read(`/api/v1/tasks/${id}`)).status
const expectStatus = (id: string, status: string) => expect.poll(() => statusOf(id)).toBe(status)
const ghost = (page: Page): Locator => page.locator('.card-ghost')
const scrolledBy = (page: Page, place: string): Promise<number> =>
  page.evaluate(`document.querySelector('${place}').scrollTop`)

test('a card is carried by holding it; at the edge the board moves along to columns that are out of sight', async () => {
  const task = await app.make.task({ name: 'By finger' })
  const page = await app.open('/', phone)
  const finger = await fingerOn(page)
  const at = await middleOf(card(page, 'By finger'))
  await finger.down(at)
  await ghost(page).waitFor()
  await finger.move({ x: 385, y: at.y })
  await expect.poll(() => page.evaluate(`document.querySelector('.board').scrollLeft`)).toBeGreaterThan(300)
  await finger.move({ x: 195, y: at.y })
  const over = (await page.locator('[data-over]').getAttribute('data-column')) ?? ''
  expect(over).not.toBe('backlog')
  await finger.up()
  if (over !== 'deleted') await expectStatus(task.id, over)
  await card(page.locator(`[data-column="${over}"]`), 'By finger').waitFor()
  expect(await ghost(page).count()).toBe(0)
})

test('a swipe scrolls the column, and picks nothing up', async () => {
  const tasks = []
  for (let number = 0; number < 14; number += 1) tasks.push(await app.make.task({ name: `Swiped ${number}` }))
  const page = await app.open('/?q=Swiped', phone)
  const finger = await fingerOn(page)
  const at = await middleOf(card(page, 'Swiped 11'))
  await finger.down(at)
  await finger.move({ x: at.x, y: at.y - 250 })
  expect(await ghost(page).count()).toBe(0)
  await finger.up()
  expect(await scrolledBy(page, '[data-column="backlog"] .column-cards')).toBeGreaterThan(100)
  for (const task of tasks) expect(await statusOf(task.id)).toBe('backlog')
  expect(new URL(page.url()).pathname).toBe('/')
})

test('a tap opens a card', async () => {
  const task = await app.make.task({ name: 'Tapped' })
  const page = await app.open('/?q=Tapped', phone)
  const finger = await fingerOn(page)
  await finger.down(await middleOf(card(page, 'Tapped')))
  await finger.up()
  await expect.poll(() => new URL(page.url()).pathname).toBe(`/tasks/${task.id}`)
})

const boxOf = async (one: Locator) => {
  const box = await one.boundingBox()
  if (!box) throw new Error(`${one} has no size.`)
  return box
}

test('the actions for selected cards are readable on a phone, and none is cut off', async () => {
  for (const name of ['Chosen 1', 'Chosen 2', 'Chosen 3']) await app.make.task({ name })
  const page = await app.open('/?q=Chosen', phone)
  const bar = page.getByRole('toolbar', { name: 'Selected tasks' })
  const cut = `[...document.querySelectorAll('.bulk-bar .mantine-Button-label')]
    .filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent)`
  for (const name of ['Chosen 1', 'Chosen 2', 'Chosen 3']) {
    await page.getByRole('checkbox', { name: `Select ${name}` }).check()
    await bar.getByText(`${name.at(-1)} selected`).waitFor()
    for (const width of [320, 390, 500, 768]) {
      await page.setViewportSize({ width, height: 844 })
      await keepShot(page, `bulk-${name.at(-1)}-${width}`)
      expect(await page.evaluate(cut), `at ${width}`).toEqual([])
      for (const button of await bar.getByRole('button').all()) {
        const { x, width: wide, height } = await boxOf(button)
        expect(x + wide, `at ${width}`).toBeLessThanOrEqual(width)
        expect(height).toBeGreaterThanOrEqual(28)
      }
    }
  }
})

test('what is tapped on the board is at least 28 px large, and stands apart', async () => {
  const task = await app.make.task({ name: 'By fingertip' })
  await app.service.app.worker.start()
  app.service.app.automations.start()
  const definition = definitionOf({ ok: { type: 'gate.approve', inputs: { value: 'this' } } })
  const graph = await makeGraph(app.service, definition, 'Asks')
  await app.service.post('/api/v1/automations', { name: 'Asks', on_status: 'in_progress', graph_id: graph.id })
  const page = await app.open('/?q=By+fingertip', phone)
  const add = await boxOf(page.getByRole('button', { name: 'New task in Backlog' }))
  const fold = await boxOf(page.getByRole('button', { name: 'Fold Backlog' }))
  const tick = await boxOf(card(page, 'By fingertip').locator('.card-tick'))
  const menu = await boxOf(page.getByRole('button', { name: 'Menu of By fingertip' }))
  for (const { width, height } of [add, fold, tick, menu]) expect(Math.min(width, height)).toBeGreaterThanOrEqual(28)
  expect(fold.x - (add.x + add.width)).toBeGreaterThanOrEqual(4)
  expect(menu.x - (tick.x + tick.width)).toBeGreaterThanOrEqual(4)
  const finger = await fingerOn(page)
  await finger.down({ x: tick.x + 2, y: tick.y + 2 })
  await finger.up()
  await page.getByText('1 selected').waitFor()
  expect(new URL(page.url()).pathname).toBe('/')

  await app.make.patched(task.id, { status: 'in_progress' })
  const mark = page.getByRole('button', { name: 'Needs an answer' })
  await mark.scrollIntoViewIfNeeded()
  const { x, y, width, height } = await boxOf(mark)
  await finger.down({ x: x + width / 2, y: y + height + 4 })
  await finger.up()
  await expect.poll(() => new URL(page.url()).pathname).toMatch(/^\/runs\//)
})

test('switches are at least 28 px high', async () => {
  for (const [path, name] of [
    ['/people', /has access$/],
    ['/notices/settings', 'Quiet hours'],
  ] as const) {
    const page = await app.open(path, phone)
    const { width, height } = await boxOf(page.getByRole('switch', { name }).first())
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(28)
    await keepShot(page, `switch-by-finger-${path.split('/').at(-1)}`)
  }
})

test('where all of a graph is shown, the tools to zoom cover none of it', async () => {
  const places = [0, 1].flatMap((column) => [0, 1, 2, 3, 4, 5].map((row) => ({ x: column * 420, y: row * 260 })))
  const text = { type: 'input.text', version: 1, params: { value: 'x' } }
  const { data } = await app.service.post('/api/v1/graphs', {
    name: 'Tall',
    definition: { schema: 1, nodes: Object.fromEntries(places.map((_, at) => [`n${at}`, text])), edges: [] },
    ui_state: { nodes: Object.fromEntries(places.map((place, at) => [`n${at}`, place])) },
  })
  const page = await app.open(`/graphs/${data.id}`, phone)
  const covered = async (): Promise<number> => {
    const tools = await boxOf(page.locator('.zoom-tools'))
    const nodes = await Promise.all((await page.locator('.react-flow__node').all()).map(boxOf))
    return nodes.filter(({ x, y, height }) => x < tools.x + tools.width && y + height > tools.y).length
  }
  await page.locator('.react-flow__node').nth(11).waitFor()
  await expect.poll(covered).toBe(0)
  await page.getByRole('button', { name: 'Nearer' }).click()
  await expect.poll(covered).toBeGreaterThan(0)
  await page.getByRole('button', { name: 'See the whole graph' }).click()
  await expect.poll(covered).toBe(0)
  await keepShot(page, 'whole-graph-by-finger')
})

const twoTexts = () => ({
  ...definitionOf({
    words: { type: 'input.text', params: { value: 'x' } },
    line: { type: 'text.template', params: { template: '{{ text }}' } },
  }),
})
const edgesOf = async (id: string): Promise<unknown> => (await app.make.read(`/api/v1/graphs/${id}`)).definition.edges
const wire = { from: { node: 'words', port: 'text' }, to: { node: 'line', port: 'text' } }

test('a wire is drawn from port to port with a finger', async () => {
  const graph = await makeGraph(app.service, twoTexts(), 'Drawn by finger')
  const page = await app.open(`/graphs/${graph.id}`, phone)
  const [from, to] = [port(page, 'words', 'text', 'source'), port(page, 'line', 'text', 'target')]
  const finger = await fingerOn(page)
  await from.waitFor()
  await finger.down(await middleOf(from))
  await finger.move(await middleOf(to))
  await finger.up()
  await expect.poll(() => edgesOf(graph.id)).toEqual([wire])
})

test('a wire is drawn by tapping one port and then the other', async () => {
  const graph = await makeGraph(app.service, twoTexts(), 'Drawn by taps')
  const page = await app.open(`/graphs/${graph.id}`, phone)
  const [from, to] = [port(page, 'words', 'text', 'source'), port(page, 'line', 'text', 'target')]
  const finger = await fingerOn(page)
  await from.waitFor()
  await finger.down(await middleOf(from))
  await finger.up()
  await finger.down(await middleOf(to))
  await finger.up()
  await expect.poll(() => edgesOf(graph.id)).toEqual([wire])
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
