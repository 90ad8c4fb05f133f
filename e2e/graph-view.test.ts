// Facts about what one sees of a graph in its editor and on the page of a run: all of it beside the small map, or its fullest part; and
// of its history in plain words.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { definitionOf } from '../server/test/support/definitions.ts'
import { makeGraph } from '../server/test/support/runs.ts'
import { type App, startApp } from './support/app.ts'
import { violations } from './support/axe.ts'
import { node } from './support/canvas.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const text = { type: 'input.text', version: 1, params: { value: 'x' } }

/** The ids of the nodes that lie, with a part of them, under the small map. */
async function underMap(page: Page): Promise<string[]> {
  const map = await page.locator('.small-map').boundingBox()
  if (!map) throw new Error('There is no small map.')
  const nodes = await page.locator('.react-flow__node').all()
  const found = await Promise.all(
    nodes.map(async (one) => {
      const box = await one.boundingBox()
      const isUnder = box && box.x + box.width > map.x && box.y + box.height > map.y
      return isUnder ? [await one.getAttribute('data-id')] : []
    }),
  )
  return found.flat().map(String)
}

test('by f and by its button the whole graph is seen, and none of it lies under the small map', async () => {
  const places = [0, 1, 2, 3].flatMap((column) => [0, 1, 2, 3].map((row) => ({ x: column * 420, y: row * 260 })))
  const nodes = Object.fromEntries(places.map((_, index) => [`n${index}`, text]))
  const { data } = await app.service.post('/api/v1/graphs', {
    name: 'Squared',
    definition: { schema: 1, nodes, edges: [] },
    ui_state: { nodes: Object.fromEntries(places.map((place, index) => [`n${index}`, place])) },
  })
  const page = await app.open(`/graphs/${data.id}`, { viewport: { width: 1280, height: 800 } })
  await node(page, 'n15').waitFor()
  await page.locator('body').press('f')
  await expect.poll(() => underMap(page)).toEqual([])
  await page.getByRole('button', { name: 'Nearer' }).click()
  await page.getByRole('button', { name: 'Nearer' }).click()
  await expect.poll(() => underMap(page)).not.toEqual([])
  await page.getByRole('button', { name: 'See the whole graph' }).click()
  await expect.poll(() => underMap(page)).toEqual([])
})

/** Whether a part of the node is on the canvas. */
const isSeen = async (page: Page, id: string): Promise<boolean> => {
  const [canvas, box] = await Promise.all([page.locator('.canvas').boundingBox(), node(page, id).boundingBox()])
  if (!canvas || !box) return false
  const isAcross = box.x + box.width > canvas.x && box.x < canvas.x + canvas.width
  return isAcross && box.y + box.height > canvas.y && box.y < canvas.y + canvas.height
}

test('a graph with a note very far from its nodes opens at the nodes, and so does what shows the whole of it', async () => {
  const { data } = await app.service.post('/api/v1/graphs', {
    name: 'Far note',
    definition: definitionOf({ near: text, beside: text }),
    ui_state: {
      nodes: { near: { x: 0, y: 0 }, beside: { x: 420, y: 0 } },
      annotations: {
        'note/far': { kind: 'note', x: 1_000_000, y: 0, width: 240, height: 120, text: 'Lost', colour: 'blue' },
      },
    },
  })
  const page = await app.open(`/graphs/${data.id}`)
  for (const id of ['near', 'beside']) await expect.poll(() => isSeen(page, id)).toBe(true)
  const canvas = await page.locator('.canvas').boundingBox()
  if (!canvas) throw new Error('There is no canvas.')
  const moveAway = async () => {
    await page.mouse.move(canvas.x + canvas.width / 2, canvas.y + 20)
    await page.mouse.wheel(0, 4000)
    await page.getByRole('button', { name: 'Nearer' }).click()
    await page.getByRole('button', { name: 'Nearer' }).click()
  }
  const widthOf = async () => (await node(page, 'near').boundingBox())?.width
  const before = await widthOf()
  await moveAway()
  await expect.poll(widthOf).not.toBe(before)
  await page.locator('body').press('f')
  await expect.poll(widthOf).toBe(before)
  for (const id of ['near', 'beside']) await expect.poll(() => isSeen(page, id)).toBe(true)
})

test('on the page of a run too, at first and by f, none of the graph lies under the small map', async () => {
  const places = [0, 1, 2, 3].flatMap((column) => [0, 1, 2, 3].map((row) => ({ x: column * 420, y: row * 300 })))
  const { data: graph } = await app.service.post('/api/v1/graphs', {
    name: 'Squared run',
    definition: { schema: 1, nodes: Object.fromEntries(places.map((_, at) => [`n${at}`, text])), edges: [] },
    ui_state: { nodes: Object.fromEntries(places.map((place, at) => [`n${at}`, place])) },
  })
  const { data: run } = await app.service.post(`/api/v1/graphs/${graph.id}/runs`, {})
  const page = await app.open(`/runs/${run.id}`, { viewport: { width: 1280, height: 800 } })
  await node(page, 'n15').waitFor()
  await expect.poll(() => underMap(page)).toEqual([])
  await page.getByRole('button', { name: 'Nearer' }).click()
  await page.getByRole('button', { name: 'Nearer' }).click()
  await expect.poll(() => underMap(page)).not.toEqual([])
  await page.locator('body').press('f')
  await expect.poll(() => underMap(page)).toEqual([])
})

test('the history tells of a restore by the time of the reader, and of a promote by a link to its run', async () => {
  const words = (value: string) => definitionOf({ words: { ...text, params: { value } } })
  const graph = await makeGraph(app.service, words('first'), 'Told of')
  const { data: run } = await app.service.post(`/api/v1/graphs/${graph.id}/runs`, {})
  await app.service.patch(`/api/v1/runs/${run.id}`, { definition: words('second') })
  const promoted = await app.service.post(`/api/v1/runs/${run.id}/restore`, {})
  expect(promoted.status).toBe(200)
  const { items } = await app.make.read(`/api/v1/graphs/${graph.id}/history`)
  const { at } = items.at(-1)
  expect((await app.service.post(`/api/v1/graphs/${graph.id}/history/restore`, { at })).status).toBe(200)
  const page = await app.open(`/graphs/${graph.id}`)
  await page.getByRole('button', { name: 'History' }).click()
  const history = page.getByRole('complementary')
  await history.getByText(/^As it stood at \d+ \w+ \d{4}, \d\d:\d\d$/).waitFor()
  await history.getByText('Promoted from a run', { exact: true }).waitFor()
  expect(await history.textContent()).not.toContain(run.id)
  expect(await violations(page)).toEqual([])
  await history.getByRole('link', { name: 'Open the run' }).click()
  await page.waitForURL(`**/runs/${run.id}**`)
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
