// Facts about copies of nodes in the graph editor: where they land, what is pasted from the clipboard, and which message follows.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, startApp } from './support/app.ts'
import { middleOf, node } from './support/canvas.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

type Place = { x: number; y: number }
const text = { type: 'input.text', version: 1, params: { value: 'x' } }

/** Makes a graph with nodes at these places, opens it with this view of the canvas, and selects the first node. */
async function opened(places: Record<string, Place>, viewport: Place & { zoom: number } = { x: 0, y: 0, zoom: 1 }) {
  const nodes = Object.fromEntries(Object.keys(places).map((id) => [id, text]))
  const { data } = await app.service.post('/api/v1/graphs', {
    name: 'Copies',
    definition: { schema: 1, nodes, edges: [] },
    ui_state: { nodes: places, viewport },
  })
  const page = await app.open(`/graphs/${data.id}`, { viewport: { width: 1440, height: 900 } })
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await node(page, Object.keys(places)[0] ?? '').click({ position: { x: 12, y: 12 } })
  await page.getByLabel('Name of the node').waitFor()
  const placesNow = async (): Promise<Record<string, Place>> =>
    (await app.make.read(`/api/v1/graphs/${data.id}`)).ui_state.nodes
  return { page, placesNow }
}

/** Moves the mouse off the canvas, so that it does not say where a copy goes. */
const moveAway = (page: Page) => page.getByRole('button', { name: 'History' }).hover()
const press = (page: Page, key: string) => page.locator('body').press(key)

async function isInSight(page: Page, id: string): Promise<boolean> {
  const [canvas, box] = await Promise.all([page.locator('.canvas').boundingBox(), node(page, id).boundingBox()])
  if (!canvas || !box) return false
  const { x, y, width, height } = canvas
  return box.x >= x && box.y >= y && box.x + box.width <= x + width && box.y + box.height <= y + height
}

test('a copy is pasted at the mouse, a second one a step on, and each is told of', async () => {
  const { page, placesNow } = await opened({ words: { x: 80, y: 80 } })
  await press(page, 'ControlOrMeta+c')
  const canvas = await middleOf(page.locator('.canvas'))
  await page.mouse.move(canvas.x, canvas.y)
  await press(page, 'ControlOrMeta+v')
  await page.getByText('1 node pasted').waitFor()
  await node(page, 'words_2').waitFor()
  const box = await node(page, 'words_2').boundingBox()
  expect(Math.abs((box?.x ?? 0) - canvas.x)).toBeLessThan(2)
  expect(Math.abs((box?.y ?? 0) - canvas.y)).toBeLessThan(2)
  await press(page, 'ControlOrMeta+v')
  await node(page, 'words_3').waitFor()
  await expect.poll(async () => Object.keys(await placesNow())).toContain('words_3')
  const { words_2: second, words_3: third } = await placesNow()
  expect(third).toEqual({ x: (second?.x ?? 0) + 40, y: (second?.y ?? 0) + 40 })
})

test('without the mouse, a copy lies beside its original, or in the middle where its original is out of sight', async () => {
  const { page, placesNow } = await opened({ words: { x: 80, y: 80 } })
  await press(page, 'ControlOrMeta+c')
  await moveAway(page)
  await press(page, 'ControlOrMeta+v')
  await expect.poll(async () => (await placesNow()).words_2).toEqual({ x: 120, y: 120 })
  // Drags the canvas far from the nodes.
  const canvas = await middleOf(page.locator('.canvas'))
  for (let drag = 0; drag < 3; drag += 1) {
    await page.mouse.move(canvas.x + 300, canvas.y + 300)
    await page.mouse.down()
    await page.mouse.move(canvas.x - 300, canvas.y - 300, { steps: 4 })
    await page.mouse.up()
  }
  expect(await isInSight(page, 'words')).toBe(false)
  await moveAway(page)
  await press(page, 'ControlOrMeta+v')
  await node(page, 'words_3').waitFor()
  const middle = await middleOf(node(page, 'words_3'))
  expect(Math.abs(middle.x - canvas.x)).toBeLessThan(150)
  expect(Math.abs(middle.y - canvas.y)).toBeLessThan(150)
})

test('each duplicate lies a step further than the one before, and is in sight', async () => {
  const { page, placesNow } = await opened(
    { words: { x: 80, y: 80 }, other: { x: 120, y: 120 } },
    { x: 560, y: 500, zoom: 1 },
  )
  await press(page, 'ControlOrMeta+d')
  await expect.poll(async () => (await placesNow()).words_2).toEqual({ x: 160, y: 160 })
  await expect.poll(() => isInSight(page, 'words_2')).toBe(true)
})

test('a text in the clipboard is not taken for the nodes that were copied before', async () => {
  const { page } = await opened({ words: { x: 80, y: 80 } })
  await press(page, 'ControlOrMeta+c')
  await page.evaluate(`navigator.clipboard.writeText('Only words')`)
  await press(page, 'ControlOrMeta+v')
  await page.evaluate(`navigator.clipboard.writeText('')`)
  await press(page, 'ControlOrMeta+v')
  await node(page, 'words_2').waitFor()
  expect(await page.locator('.react-flow__node').count()).toBe(2)
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
