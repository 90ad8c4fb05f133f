// Facts about using the app on a phone: a held card is dragged, a swipe scrolls without dragging, and wires are drawn by touch.
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { definitionOf } from '../server/test/support/definitions.ts'
import { makeGraph } from '../server/test/support/runs.ts'
import { type App, startApp } from './support/app.ts'
import { card } from './support/board.ts'
import { middleOf, port } from './support/canvas.ts'
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
