// Facts about the mouse in the graph editor: what closes menus, what a double click adds, where notes land, to which input a wire goes
// that is dropped on a node; and about what the editor says of changes that were made elsewhere.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { definitionOf } from '../server/test/support/definitions.ts'
import { type App, startApp } from './support/app.ts'
import { violations } from './support/axe.ts'
import { draw, middleOf, node, port } from './support/canvas.ts'
import { fingerOn, phone } from './support/touch.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const twoTexts = () =>
  definitionOf(
    {
      words: { type: 'input.text', params: { value: 'x' } },
      line: { type: 'text.template', params: { template: '{{ text }}' } },
    },
    'words.text > line.text',
  )
type Options = Parameters<App['open']>[1]
async function opened(definition: { nodes: object }, options: Options = { viewport: { width: 1600, height: 900 } }) {
  const places = Object.keys(definition.nodes).map((id, at) => [id, { x: at * 420, y: 0 }] as const)
  const ui_state = { nodes: Object.fromEntries(places) }
  const { data } = await app.service.post('/api/v1/graphs', { name: 'By mouse', definition, ui_state })
  const page = await app.open(`/graphs/${data.id}`, options)
  await node(page, Object.keys(definition.nodes)[0] ?? '').hover({ trial: true })
  const read = () => app.make.read(`/api/v1/graphs/${data.id}`)
  return { page, id: data.id as string, read }
}
const canvas = (page: Page) => page.getByRole('region', { name: 'Graph' })
/** A point of the canvas on which nothing stands. */
async function empty(page: Page): Promise<{ x: number; y: number }> {
  const box = await canvas(page).boundingBox()
  if (!box) throw new Error('There is no canvas.')
  return { x: box.x + box.width / 2, y: box.y + box.height - 60 }
}

test('a menu of the canvas closes by a click on the empty canvas, on a node and on the small map, also while Shift is held', async () => {
  const more = Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((id) => [id, { type: 'input.number' }]))
  const { page } = await opened({ ...twoTexts(), nodes: { ...twoTexts().nodes, ...definitionOf(more).nodes } })
  const at = await empty(page)
  const elsewhere: (() => Promise<void>)[] = [
    () => page.mouse.click(at.x - 200, at.y),
    () => node(page, 'line').click(),
    () => page.getByRole('img', { name: 'Map of the graph' }).click(),
    () => node(page, 'line').click({ modifiers: ['Shift'] }),
    () => page.getByRole('button', { name: 'More', exact: true }).click(),
  ]
  for (const press of elsewhere) {
    await page.mouse.click(at.x, at.y, { button: 'right' })
    const menu = page.getByRole('menu', { name: 'Menu of the canvas' })
    await menu.waitFor()
    await press()
    await menu.waitFor({ state: 'detached' })
  }
  // The last of them has opened the menu of the page.
  const fork = page.getByRole('menuitem', { name: 'Fork' })
  await fork.waitFor()
  await page.mouse.click(at.x, at.y)
  await fork.waitFor({ state: 'detached' })
  expect(await page.getByRole('menu').count()).toBe(0)
})

test('the button that opened a menu closes it, and the next click opens it again', async () => {
  const { page } = await opened(twoTexts())
  const more = page.getByRole('button', { name: 'More', exact: true })
  const fork = page.getByRole('menuitem', { name: 'Fork' })
  await more.click()
  await fork.waitFor()
  await more.click()
  await fork.waitFor({ state: 'detached' })
  expect(await more.getAttribute('aria-expanded')).toBe('false')
  await more.click()
  await fork.waitFor()
})

test('the box that offers nodes closes by a click on the canvas, and by dragging the canvas, which moves it', async () => {
  const { page } = await opened(twoTexts())
  const at = await empty(page)
  const ask = async () => {
    await page.mouse.click(at.x, at.y, { button: 'right' })
    await page.getByRole('menuitem', { name: 'Add a node here' }).click()
    await page.getByRole('dialog', { name: 'Add a node' }).waitFor()
  }
  const box = page.getByRole('dialog', { name: 'Add a node' })
  await ask()
  await box.getByRole('textbox').click()
  await box.waitFor()
  await page.mouse.click(at.x - 200, at.y)
  await box.waitFor({ state: 'detached' })

  await ask()
  const before = await middleOf(node(page, 'line'))
  await page.mouse.move(at.x - 200, at.y)
  await page.mouse.down()
  await page.mouse.move(at.x - 240, at.y - 30, { steps: 4 })
  await page.mouse.up()
  await box.waitFor({ state: 'detached' })
  expect((await middleOf(node(page, 'line'))).x).toBeLessThan(before.x)
})

test('with a finger a menu closes by a tap on the canvas, and its items can be tapped', async () => {
  const { page, read } = await opened(twoTexts(), phone)
  const more = page.getByRole('button', { name: 'More', exact: true })
  const about = page.getByRole('menuitem', { name: 'About this graph' })
  await more.tap()
  await about.waitFor()
  const at = await empty(page)
  const finger = await fingerOn(page)
  await finger.down(at)
  await finger.move({ x: at.x - 60, y: at.y })
  await finger.up()
  await about.waitFor({ state: 'detached' })
  await more.tap()
  await about.waitFor()
  await more.tap()
  await about.waitFor({ state: 'detached' })
  await more.tap()
  await page.getByRole('menuitem', { name: 'Make it a template' }).tap()
  await expect.poll(async () => (await read()).template).toBe(true)
})

test('a double click on a type adds one node, and two clicks add two', async () => {
  const { page, read } = await opened(twoTexts())
  const number = page.getByRole('complementary', { name: 'Node types' }).getByRole('button', { name: /^Number/ })
  const nodesNow = async () => Object.keys((await read()).definition.nodes)
  await number.dblclick()
  await node(page, 'number').waitFor()
  await number.click()
  await node(page, 'number_2').waitFor()
  await number.press('Enter')
  await node(page, 'number_3').waitFor()
  await expect.poll(nodesNow).toEqual(['words', 'line', 'number', 'number_2', 'number_3'])
})

test('a note that finds room only beside what is in sight is moved into sight', async () => {
  const nodes = Object.fromEntries(
    Array.from({ length: 9 }, (_, at) => [`words_${at}`, { type: 'input.text', params: { value: 'x' } }]),
  )
  const { page, read } = await opened(definitionOf(nodes), { viewport: { width: 1000, height: 560 } })
  for (let count = 1; count < 6; count += 1) {
    await page.getByRole('button', { name: /^Add a note/ }).click()
    await expect.poll(async () => Object.keys((await read()).ui_state.annotations ?? {}).length).toBe(count)
    const [note, frame] = await Promise.all([
      page.locator('.react-flow__node-note.selected').boundingBox(),
      page.locator('.canvas').boundingBox(),
    ])
    if (!note || !frame) throw new Error('There is no note.')
    expect(note.x).toBeGreaterThanOrEqual(frame.x)
    expect(note.y).toBeGreaterThanOrEqual(frame.y)
    expect(note.x + note.width).toBeLessThanOrEqual(frame.x + frame.width)
    expect(note.y + note.height).toBeLessThanOrEqual(frame.y + frame.height)
  }
})

test('a chosen picture that is dropped on an ad goes to its picture, and what is wrong with leading it to words is said', async () => {
  const definition = definitionOf(
    {
      paint: { type: 'sample.image', params: { prompt: 'x' }, each: ['prompt'], inputs: { prompt: ['a', 'b'] } },
      choose: { type: 'gate.choose' },
      pick: { type: 'list.pick' },
      ad: { type: 'layout.render' },
    },
    'paint.image > choose.options',
    'choose.chosen > pick.list',
  )
  const { page, read } = await opened(definition)
  const into = async () =>
    (await read()).definition.edges.flatMap(({ to }: { to: { node: string; port: string } }) =>
      to.node === 'ad' ? [to.port] : [],
    )
  const from = await middleOf(port(page, 'pick', 'first', 'source'))
  const title = await middleOf(node(page, 'ad').getByText('Render ad'))
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move((from.x + title.x) / 2, title.y, { steps: 3 })
  await page.mouse.move(title.x, title.y, { steps: 4 })
  await page.mouse.up()
  await expect.poll(into).toEqual(['image'])

  await draw(page, ['choose', 'first'], ['ad', 'headline'])
  const why = 'it passes on a file, and text is asked for'
  const message = page.getByText(`“first” does not go with “headline” of “ad”: ${why}.`)
  await message.waitFor()
  await node(page, 'ad').getByText('Render ad').click()
  await page.getByText(`A run would fail here: ${why}.`).waitFor()
  expect(await violations(page)).toEqual([])
  await expect.poll(into).toEqual(['image', 'headline'])
  await page.getByRole('button', { name: 'Remove the edge', exact: true }).click()
  await expect.poll(into).toEqual(['image'])
  await page.getByText('A run would fail here').waitFor({ state: 'detached' })
})

test('of a graph that was changed elsewhere it is said by whom and when: by oneself, or by its owner', async () => {
  const { page, id } = await opened(twoTexts())
  const other = await app.service.person('writer')
  const theirs = await app.open(`/graphs/${id}`, { userId: other.id })
  await node(theirs, 'words').waitFor()
  for (const one of [page, theirs]) await one.locator('.frame[data-live="live"]').waitFor()
  await app.service.patch(`/api/v1/graphs/${id}`, { description: 'Elsewhere' })
  const said = (one: Page) => one.getByRole('status').filter({ hasText: 'Here it stands as it was before.' })
  await said(page)
    .getByText(/^You changed this graph elsewhere (just now|\d+ seconds? ago)\.$/)
    .waitFor()
  await said(theirs)
    .getByText(/^Owner changed this graph /)
    .waitFor()
  expect(await violations(page)).toEqual([])
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
