// Facts about notes and frames on the canvas of a graph, and on the canvas of a run.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, startApp } from './support/app.ts'
import { violations } from './support/axe.ts'
import { middleOf, node } from './support/canvas.ts'
import { keepShot } from './support/shots.ts'
import { phone } from './support/touch.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const definition = {
  schema: 1,
  nodes: {
    words: { type: 'input.text', version: 1, params: { value: 'Glow' } },
    line: { type: 'text.template', version: 1, params: { template: '{{ text }}' } },
  },
  edges: [{ from: { node: 'words', port: 'text' }, to: { node: 'line', port: 'text' } }],
}
const positions = { words: { x: 0, y: 0 }, line: { x: 420, y: 0 } }
const note = (text: string, x = 0) => ({
  ...{ kind: 'note', colour: 'yellow', text },
  ...{ x, y: 260, width: 240, height: 140 },
})
const frame = { kind: 'frame', colour: 'green', title: 'Copy', x: -40, y: -60, width: 330, height: 240 }

type Place = { x: number; y: number }
type Layout = {
  nodes: Record<string, Place>
  annotations: Record<string, Place & { kind: string; text?: string; title?: string; width: number }>
}

async function makeGraph(name: string, annotations: object = {}): Promise<string> {
  const ui_state = { nodes: positions, annotations }
  const { data } = await app.service.post('/api/v1/graphs', { name, definition, ui_state })
  return data.id
}
const layoutOf = async (id: string): Promise<Layout> => (await app.make.read(`/api/v1/graphs/${id}`)).ui_state
const annotationsOf = async (id: string) => Object.values((await layoutOf(id)).annotations)
const widthsDrawn = (pictures: { naturalWidth?: number }[]) => pictures.map(({ naturalWidth }) => naturalWidth)
const titleOf = (page: Page) => page.locator('.frame-title')
const scheme = (page: Page, colour: 'light' | 'dark') =>
  page.evaluate(`document.documentElement.setAttribute('data-mantine-color-scheme', '${colour}')`)

test('a note and a frame are made, written in and moved by the keyboard, and a run brings them along unchanged', async () => {
  const id = await makeGraph('By keyboard')
  const page = await app.open(`/graphs/${id}`, { viewport: { width: 1440, height: 900 } })
  await node(page, 'line').waitFor()
  await page.keyboard.press('n')
  await page.getByLabel('Text', { exact: true }).and(page.locator(':focus')).waitFor()
  await page.keyboard.type('# Why\n- **glow** sells\n- [source](https://example.org/a)')
  const written = page.locator('.canvas-note')
  await written.locator('strong', { hasText: 'glow' }).waitFor()
  expect(await written.getByRole('link', { name: 'source' }).getAttribute('rel')).toBe('noreferrer')
  await page.getByRole('radio', { name: 'pink' }).click()

  await node(page, 'words').click()
  await page.keyboard.press('g')
  await page.getByLabel('Title').and(page.locator(':focus')).waitFor()
  await page.keyboard.type('Words')
  await titleOf(page).filter({ hasText: 'Words' }).waitFor()
  await page.getByText('What lies in it moves with it: one thing.').waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Shift+ArrowDown')
  await expect.poll(async () => (await layoutOf(id)).nodes).toEqual({ ...positions, words: { x: 0, y: 20 } })
  await keepShot(page, 'annotations-light')
  await scheme(page, 'dark')
  expect(await violations(page)).toEqual([])
  await keepShot(page, 'annotations-dark')
  await page.setViewportSize(phone.viewport)
  await page.getByRole('button', { name: 'Add a note (n)' }).waitFor()
  expect(await violations(page)).toEqual([])

  const read = await app.make.read(`/api/v1/graphs/${id}`)
  expect(read.definition).toEqual(definition)
  expect((await annotationsOf(id)).map(({ kind, text, title }) => [kind, text ?? title])).toEqual([
    ['note', '# Why\n- **glow** sells\n- [source](https://example.org/a)'],
    ['frame', 'Words'],
  ])
  const { data: run } = await app.service.post(`/api/v1/graphs/${id}/runs`, { execute: false })
  expect(run.ui_state).toEqual(read.ui_state)
  await page.goto(`${app.url}/runs/${run.id}`)
  await titleOf(page).filter({ hasText: 'Words' }).waitFor()
  await titleOf(page).click()
  await page.locator('.canvas-note').click()
  expect(await page.getByLabel('Text', { exact: true }).count()).toBe(0)
  expect(await page.locator('.react-flow__resize-control').count()).toBe(0)
  await keepShot(page, 'annotations-run')
})

test('a frame takes along what lies in it when it is dragged or copied, leaves it when it is removed, and undo brings all back', async () => {
  const id = await makeGraph('By mouse', { 'frame/1': frame, 'note/1': note('Outside', 600) })
  const page = await app.open(`/graphs/${id}`, { viewport: { width: 1280, height: 800 } })
  await titleOf(page).waitFor()
  await titleOf(page).hover()
  const from = await middleOf(titleOf(page))
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(from.x + 20, from.y + 20, { steps: 4 })
  await page.mouse.move(from.x + 60, from.y + 80, { steps: 4 })
  await page.mouse.up()
  await page.keyboard.press('ControlOrMeta+c')
  // Over the canvas, the mouse would say where the copy goes.
  await page.getByRole('button', { name: 'History' }).hover()
  await page.keyboard.press('ControlOrMeta+v')
  await node(page, 'words_2').waitFor()
  await expect.poll(async () => (await annotationsOf(id)).length).toBe(3)
  const moved = await layoutOf(id)
  const at = moved.annotations['frame/1'] ?? frame
  const by = { x: at.x - frame.x, y: at.y - frame.y }
  expect(by.x).toBeGreaterThan(0)
  expect(by.y).toBeGreaterThan(by.x)
  expect(moved.nodes).toEqual({ words: by, line: positions.line, words_2: { x: by.x + 40, y: by.y + 40 } })
  expect(moved.annotations['note/1']).toEqual(note('Outside', 600))

  await page.keyboard.press('ControlOrMeta+z')
  await node(page, 'words_2').waitFor({ state: 'detached' })

  await titleOf(page).click()
  await page.getByLabel('Title').waitFor()
  await page.keyboard.press('Delete')
  await titleOf(page).waitFor({ state: 'detached' })
  expect(await node(page, 'words').count()).toBe(1)
  await page.keyboard.press('ControlOrMeta+z')
  await titleOf(page).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Remove with what is in it' }).click()
  await node(page, 'words').waitFor({ state: 'detached' })
  await page.keyboard.press('ControlOrMeta+z')
  await node(page, 'words').waitFor()

  const corner = page.locator('.react-flow__node-note .react-flow__resize-control.bottom.right.handle')
  await page.locator('.canvas-note').click()
  const hold = await middleOf(corner)
  await page.mouse.move(hold.x, hold.y)
  await page.mouse.down()
  await page.mouse.move(hold.x + 50, hold.y + 10, { steps: 5 })
  await page.mouse.up()
  await page.keyboard.press('l')
  await expect.poll(async () => (await layoutOf(id)).nodes.line).not.toEqual(positions.line)
  const { annotations } = await layoutOf(id)
  expect(annotations['note/1']?.width).toBeGreaterThan(260)
  expect(Object.keys(annotations)).toEqual(['frame/1', 'note/1'])
  await keepShot(page, 'annotations-arranged')
})

test('on a phone notes are added from the toolbar, and the two hundred and first is refused', async () => {
  const many = Object.fromEntries(Array.from({ length: 199 }, (_, index) => [`note/${index}`, note('x')]))
  const id = await makeGraph('On a phone', many)
  const page = await app.open(`/graphs/${id}`, phone)
  await page.getByRole('button', { name: /^Add a note/ }).tap()
  await page.getByLabel('Text', { exact: true }).fill('Short')
  await page.locator('.canvas-note', { hasText: 'Short' }).waitFor()
  await keepShot(page, 'annotations-phone')
  await page.getByRole('button', { name: 'Close the inspector' }).tap()
  await page.getByRole('button', { name: /^Add a note/ }).tap()
  await page.getByText('at most 200 notes and frames').waitFor()
  await expect.poll(async () => (await annotationsOf(id)).length).toBe(200)
})

test('templates are pictures: of graphs in their list, of ads in the form of their node', async () => {
  const ad = { type: 'layout.render', version: 1, params: { template: 'hero' } }
  const { data } = await app.service.post('/api/v1/graphs', {
    ...{ name: 'Ads for a market', description: 'From a row of a sheet to finished ads', template: true },
    definition: { ...definition, nodes: { ...definition.nodes, ad } },
    ui_state: { nodes: positions, annotations: { 'frame/1': frame } },
  })
  const page = await app.open('/graphs', { viewport: { width: 1440, height: 900 } })
  const tile = page.getByRole('listitem').filter({ hasText: 'Ads for a market' })
  await expect.poll(() => tile.locator('.picture-node').count()).toBe(3)
  await keepShot(page, 'templates-of-graphs')
  await tile.getByRole('link').click()
  await node(page, 'ad').click()
  const choice = page.getByRole('radiogroup', { name: 'Template' })
  await choice.getByRole('radio', { name: 'quote' }).click()
  await expect.poll(() => choice.locator('img').evaluateAll(widthsDrawn)).toEqual([216, 216, 216, 216])
  await expect
    .poll(async () => (await app.make.read(`/api/v1/graphs/${data.id}`)).definition.nodes.ad.params)
    .toEqual({ template: 'quote' })
  expect(await violations(page)).toEqual([])
  await keepShot(page, 'templates-of-ads')
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
