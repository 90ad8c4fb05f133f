// Facts about wires in the graph editor: lists that lead to inputs for several values, what a removed wire leaves, and wires of two
// versions of a graph that do not go together.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, startApp } from './support/app.ts'
import { violations } from './support/axe.ts'
import { draw, middleOf, node, port } from './support/canvas.ts'
import { keepShot } from './support/shots.ts'

let app: App
beforeAll(async () => {
  // The provider is set up only so that its nodes have no issues. No test sends a request to it.
  app = await startApp({ OPENAI_API_KEY: 'sk-never-used' })
})
afterAll(() => app.close())

const wire = (from: string, to: string) => {
  const [node, port] = from.split('.')
  const [toNode, toPort] = to.split('.')
  return { from: { node, port }, to: { node: toNode, port: toPort } }
}

/** Makes a graph, whose nodes stand in a row, and opens it. */
async function opened(nodes: Record<string, object>, edges: object[] = []) {
  const places = Object.keys(nodes).map((id, at) => [id, { x: at * 420, y: 0 }] as const)
  const { data } = await app.service.post('/api/v1/graphs', {
    name: 'Wires',
    definition: { schema: 1, nodes, edges },
    ui_state: { nodes: Object.fromEntries(places) },
  })
  const page = await app.open(`/graphs/${data.id}`, { viewport: { width: 1600, height: 900 } })
  await node(page, Object.keys(nodes)[0] ?? '').waitFor()
  const definitionNow = async () => (await app.make.read(`/api/v1/graphs/${data.id}`)).definition
  return { page, id: data.id, definitionNow }
}
const select = async (page: Page, id: string) => {
  await node(page, id).click()
  await page
    .getByLabel('Name of the node')
    .and(page.locator(`[value="${id}"]`))
    .waitFor()
}

const pictures = { type: 'sample.image', version: 1, each: ['prompt'], inputs: { prompt: ['a', 'b'] } }
const one = { type: 'sample.image', version: 1, inputs: { prompt: 'c' } }
const edited = { type: 'image.edit', version: 1, inputs: { prompt: 'x' } }

test('a list of pictures led to References is taken whole, beside a single one, and nothing is wrong with that', async () => {
  const { page, id, definitionNow } = await opened({ one, pictures, edit: edited }, [wire('one.image', 'edit.image')])
  await draw(page, ['pictures', 'image'], ['edit', 'references'])
  await draw(page, ['one', 'image'], ['edit', 'references'])
  await expect
    .poll(async () => (await definitionNow()).edges)
    .toEqual([
      wire('one.image', 'edit.image'),
      wire('pictures.image', 'edit.references'),
      wire('one.image', 'edit.references'),
    ])
  expect((await definitionNow()).nodes.edit.each ?? []).toEqual([])
  expect((await app.service.get(`/api/v1/graphs/${id}`)).body.errors).toBeNull()
})

test('an input for several that a graph runs over is mended in its form', async () => {
  const nodes = { one, pictures, edit: { ...edited, each: ['references'] } }
  const edges = [wire('one.image', 'edit.image'), wire('pictures.image', 'edit.references')]
  const { page, definitionNow } = await opened(nodes, edges)
  await page.getByRole('button', { name: /1 issue/ }).waitFor()
  await select(page, 'edit')
  const references = page.locator('.input-entry').filter({ hasText: 'References' })
  await references.getByText('It takes several edges and whole lists').waitFor()
  await references.getByLabel('Run once for each element').click()
  await expect.poll(async () => (await definitionNow()).nodes.edit.each).toEqual([])
  await page.getByRole('button', { name: /1 issue/ }).waitFor({ state: 'detached' })
  await expect.poll(() => references.getByLabel('Run once for each element').count()).toBe(0)
})

test('a node whose list is removed does not run over it any more, and does again after Undo', async () => {
  const nodes = {
    parse: { type: 'csv.parse', version: 1, inputs: { text: 'market\nDE\nFR' } },
    chat: { type: 'sample.chat', version: 1, params: { prompt: 'For {{ row.market }}' }, each: ['row'] },
  }
  const { page, definitionNow } = await opened(nodes, [wire('parse.rows', 'chat.row')])
  const eachNow = async () => (await definitionNow()).nodes.chat.each
  await select(page, 'chat')
  await page.getByRole('button', { name: 'Remove the edge from parse' }).click()
  await expect.poll(eachNow).toEqual([])
  await page.locator('body').press('ControlOrMeta+z')
  await expect.poll(eachNow).toEqual(['row'])
  await select(page, 'parse')
  await page.keyboard.press('Delete')
  await expect.poll(eachNow).toEqual([])
})

const text = { type: 'input.text', version: 1, params: { value: 'x' } }
const template = (names: string) => ({ type: 'text.template', version: 1, params: { template: names } })
/** Saves the graph from elsewhere, and waits until the page says so: its banner moves what is below it. */
async function saveElsewhere(page: Page, id: string, nodes: object, edges: object[] = []) {
  await app.service.patch(`/api/v1/graphs/${id}`, { definition: { schema: 1, nodes, edges } })
  await page.getByRole('button', { name: 'Show theirs' }).waitFor()
}

const dialogOf = async (page: Page) => {
  await page.getByText('You changed this graph elsewhere').waitFor()
  await page.getByRole('button', { name: 'See both versions' }).click()
  return page.getByRole('dialog', { name: 'Both versions' })
}

test('where I lead a wire from a node that another removed, both versions ask whether it stays', async () => {
  const nodes = { source: text, used: template('{{ x }}'), other: text }
  const { page, id, definitionNow } = await opened(nodes)
  const theirs = { used: nodes.used, other: { ...text, params: { value: 'Theirs' } } }
  await saveElsewhere(page, id, theirs)
  await draw(page, ['source', 'text'], ['used', 'x'])
  const dialog = await dialogOf(page)
  const source = dialog.getByRole('region', { name: 'source' })
  await source.getByText('These wires would be left out: source.text → used.x.').waitFor()
  await dialog.getByText('Choose for 1 more').waitFor()
  await keepShot(page, 'both-versions-removed')
  expect(await violations(page)).toEqual([])
  await source.getByRole('button', { name: 'Use mine: source' }).click()
  await dialog.getByRole('button', { name: 'Save both together' }).click()
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(definitionNow).toMatchObject({
    nodes: { source: text, used: nodes.used, other: theirs.other },
    edges: [wire('source.text', 'used.x')],
  })
})

test('where wires of both would make a circle, its nodes are named, and one chooses which wire is left out', async () => {
  const nodes = { first: template('{{ x }}'), second: template('{{ y }}') }
  const { page, id, definitionNow } = await opened(nodes)
  const back = wire('second.text', 'first.x')
  await saveElsewhere(page, id, nodes, [back])
  await draw(page, ['first', 'text'], ['second', 'y'])
  const dialog = await dialogOf(page)
  const circle = dialog.getByRole('region', { name: 'Circle first → second → first' })
  await circle.waitFor()
  expect(await dialog.getByRole('button', { name: 'Choose for 1 more' }).isDisabled()).toBe(true)
  const out = (words: string) => circle.getByRole('button', { name: `Leave out: ${words}` })
  await out('first.text → second.y').click()
  await out('second.text → first.x').click()
  await expect.poll(() => out('first.text → second.y').getAttribute('aria-pressed')).toBe('false')
  await keepShot(page, 'both-versions-circle')
  expect(await violations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Save both together' }).click()
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(async () => (await definitionNow()).edges).toEqual([wire('first.text', 'second.y')])
})

const edgesOf = async (read: () => Promise<{ edges: unknown }>) => (await read()).edges

test('a wire to an input that has one takes its place in one step, which the message takes back', async () => {
  const nodes = { first: text, second: text, used: template('{{ x }}') }
  const [before, now] = [wire('first.text', 'used.x'), wire('second.text', 'used.x')]
  const { page, definitionNow } = await opened(nodes, [before])
  await draw(page, ['second', 'text'], ['used', 'x'])
  const told = page.getByText('Replaced the edge from “text” of “first”.')
  await told.waitFor()
  await expect.poll(() => edgesOf(definitionNow)).toEqual([now])
  await page.locator('body').press('ControlOrMeta+z')
  await expect.poll(() => edgesOf(definitionNow)).toEqual([before])
  await page.locator('body').press('ControlOrMeta+Shift+z')
  await expect.poll(() => edgesOf(definitionNow)).toEqual([now])
  await page.locator('.toast-row').filter({ has: told }).getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => edgesOf(definitionNow)).toEqual([before])
})

test('from an input that has a wire to the empty canvas, what fits is offered, and takes the place of that wire', async () => {
  const nodes = { first: text, used: template('{{ x }}') }
  const { page, definitionNow } = await opened(nodes, [wire('first.text', 'used.x')])
  const input = port(page, 'used', 'x', 'target')
  await input.hover({ trial: true })
  const start = await middleOf(input)
  await page.mouse.move(start.x, start.y)
  await page.mouse.down()
  await page.mouse.move(start.x, start.y + 200, { steps: 6 })
  await page.mouse.up()
  const offer = page.getByRole('dialog', { name: 'Feed used · x from' })
  await offer.getByRole('textbox').fill('text')
  await offer.getByRole('button', { name: /^Text/ }).first().click()
  await page.getByText('Replaced the edge from “text” of “first”.').waitFor()
  const froms = async () => (await definitionNow()).edges.map((edge: { from: { node: string } }) => edge.from.node)
  await expect.poll(froms).toHaveLength(1)
  await expect.poll(froms).not.toEqual(['first'])
})

test('the end of a selected wire is dragged to another input, and goes back where it cannot be', async () => {
  const nodes = { first: text, used: template('{{ x }} {{ y }}') }
  const { page, definitionNow } = await opened(nodes, [wire('first.text', 'used.x')])
  const middles = [port(page, 'first', 'text', 'source'), port(page, 'used', 'x', 'target')].map(middleOf)
  const [out, into] = await Promise.all(middles)
  if (!out || !into) throw new Error('There are two ports.')
  await page.mouse.click((out.x + into.x) / 2, (out.y + into.y) / 2)
  const grip = page.locator('.react-flow__edgeupdater-target')
  const end = await middleOf(port(page, 'used', 'y', 'target'))
  const drag = async (to: { x: number; y: number }) => {
    const from = await middleOf(grip)
    await page.mouse.move(from.x, from.y)
    await page.mouse.down()
    await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 4 })
    await page.mouse.move(to.x, to.y, { steps: 4 })
    await page.mouse.up()
  }
  await drag({ x: end.x - 100, y: end.y + 200 })
  expect(await page.getByRole('dialog').count()).toBe(0)
  await drag(end)
  await expect.poll(() => edgesOf(definitionNow)).toEqual([wire('first.text', 'used.y')])
  await page.getByRole('toolbar', { name: 'Selection' }).getByText('1 selected').waitFor()
  // What is undone is no longer selected: the wire is back at the other input.
  await page.locator('body').press('ControlOrMeta+z')
  await expect.poll(() => edgesOf(definitionNow)).toEqual([wire('first.text', 'used.x')])
  await page.getByRole('toolbar', { name: 'Selection' }).waitFor({ state: 'detached' })
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
