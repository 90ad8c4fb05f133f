// Facts about the graph editor: undo and paste, unknown node types, graphs of another user, and changes that another user has saved
// first.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, startApp } from './support/app.ts'
import { violations } from './support/axe.ts'
import { add, draw, middleOf, node } from './support/canvas.ts'
import { handsOn } from './support/hands.ts'
import { intercept } from './support/intercept.ts'
import { keepShot } from './support/shots.ts'

let app: App
const folder = mkdtempSync(path.join(tmpdir(), 'atelier-models-'))
const soon = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10)
beforeAll(async () => {
  const source = { url: 'https://prices.example/', read: '2026-11-01' }
  const price = { currency: 'USD', per: 'image', amount: 40_000, source }
  const models = [
    { id: 'openai:old', kinds: ['image'], price: null, ends_on: soon, ends_source: source, successor: 'openai:new' },
    { id: 'openai:new', kinds: ['image'], price },
  ]
  writeFileSync(path.join(folder, 'models.json'), JSON.stringify({ models }))
  // The provider is set up only so that the app shows its models. No test sends a request to it, so the key need not be valid.
  app = await startApp({ OPENAI_API_KEY: 'sk-never-used', ATELIER_MODELS: path.join(folder, 'models.json') })
  await app.service.app.worker.start()
})
afterAll(async () => {
  await app?.close()
  rmSync(folder, { recursive: true })
})

const graphIdOf = (page: Page): string => new URL(page.url()).pathname.split('/').at(-1) ?? ''
const saved = (page: Page) => page.getByRole('status').filter({ hasText: 'Saved' }).waitFor()
const nodesOf = async (page: Page) => (await app.make.read(`/api/v1/graphs/${graphIdOf(page)}`)).definition.nodes

test('what was removed comes back by undo, and what was copied is pasted beside', async () => {
  const definition = {
    schema: 1,
    nodes: { words: { type: 'input.text', version: 1, params: { value: 'x' } } },
    edges: [],
  }
  const { data } = await app.service.post('/api/v1/graphs', { name: 'Small', definition })
  const page = await app.open(`/graphs/${data.id}`)
  await node(page, 'words').waitFor()
  await page.locator('body').press('ArrowRight')
  await page.getByLabel('Name of the node').waitFor()
  await page.keyboard.press('ControlOrMeta+c')
  await page.keyboard.press('ControlOrMeta+v')
  await node(page, 'words_2').waitFor()
  // Waits until the pasted node is saved, because the deletion and its undo may follow so fast that neither is saved.
  await saved(page)
  await page.keyboard.press('Delete')
  await node(page, 'words_2').waitFor({ state: 'detached' })
  await page.keyboard.press('ControlOrMeta+z')
  await node(page, 'words_2').waitFor()
  await saved(page)
  expect(Object.keys(await nodesOf(page))).toEqual(['words', 'words_2'])
})

test('a number is emptied and typed anew, and its default stands again only once the field is left', async () => {
  const { data } = await app.service.post('/api/v1/graphs', { name: 'Emptied' })
  const page = await app.open(`/graphs/${data.id}`)
  await add(page, 'sample text')
  const variants = page.getByLabel('Variants')
  await variants.fill('25')
  await variants.press('End')
  for (const left of ['2', '']) {
    await page.keyboard.press('Backspace')
    expect(await variants.inputValue()).toBe(left)
  }
  await page.keyboard.type('3')
  await expect.poll(async () => (await nodesOf(page)).chat?.params).toEqual({ count: 3 })
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Tab')
  expect(await variants.inputValue()).toBe('1')
})

test('a model that ends soon is said, and the picker shows what models cost', async () => {
  const paint = { type: 'image.generate', version: 1, params: { model: 'old' }, inputs: { prompt: 'x' } }
  const { data } = await app.service.post('/api/v1/graphs', {
    name: 'Ending',
    definition: { schema: 1, nodes: { paint }, edges: [] },
  })
  const page = await app.open(`/graphs/${data.id}`)
  const ends = `The model openai:old ends on ${soon}. openai:new takes its place.`
  await page.getByRole('button', { name: ends }).click()
  await page.getByLabel('Name of the node').waitFor()
  await page.locator('.notice', { hasText: ends }).waitFor()
  const model = page.getByRole('combobox', { name: 'Model' })
  await model.fill('')
  await model.click()
  const option = page.getByRole('option', { name: /openai:new.*USD 0\.04 for a picture/ })
  await option.click()
  await option.waitFor({ state: 'detached' })
  await page.locator('p.hint', { hasText: 'USD 0.04 for a picture (as of 2026-11-01)' }).waitFor()
  expect(await violations(page)).toEqual([])
  await saved(page)
  await expect.poll(async () => (await nodesOf(page)).paint.params.model).toBe('openai:new')
})

test('an unknown type is shown and kept; somebody else’s graph is forked to be edited; going back is one click', async () => {
  const odd = { type: 'mock.old', version: 3, params: { a: 1 }, note: 'kept' }
  const definition = { schema: 1, nodes: { odd }, edges: [] }
  const { data } = await app.service.post('/api/v1/graphs', { name: 'Old', definition })
  const { id: userId } = await app.service.person('writer')
  const page = await app.open(`/graphs/${data.id}`, { userId })
  await page.getByText('Unknown node type').waitFor()
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'Fork to edit' }).click()
  await page.getByLabel('Name of the graph').and(page.locator('[value="Old copy"]')).waitFor()
  await add(page, 'number')
  await node(page, 'number').waitFor()
  await saved(page)
  expect(await nodesOf(page)).toMatchObject({ odd, number: { type: 'input.number' } })
  await page.getByRole('button', { name: 'History' }).click()
  await page.getByRole('button', { name: /Forked from/i }).click()
  await page.getByText('node removed').waitFor()
  await page.getByRole('button', { name: 'Go back to this' }).click()
  await node(page, 'number').waitFor({ state: 'detached' })
  expect(await nodesOf(page)).toEqual({ odd })
})

test('where somebody else saved first, what one did is kept as a fork', async () => {
  const { data } = await app.service.post('/api/v1/graphs', { name: 'Contested' })
  const page = await app.open(`/graphs/${data.id}`)
  await page.getByLabel('Name of the graph').waitFor()
  await app.service.patch(`/api/v1/graphs/${data.id}`, { name: 'Theirs' })
  await add(page, 'number')
  await page.getByRole('button', { name: 'Keep mine as a fork' }).click()
  await page.getByLabel('Name of the graph').and(page.locator('[value="Contested (mine)"]')).waitFor()
  expect(await nodesOf(page)).toHaveProperty('number')
})

test('where both changed a graph, the versions stand side by side, and what each of them did is kept', async () => {
  const text = (value: string) => ({ type: 'input.text', version: 1, params: { value } })
  const definition = { schema: 1, nodes: { hook: text('Before'), tone: text('Calm') }, edges: [] }
  const note = (text: string) => ({ kind: 'note', colour: 'yellow', text, x: 0, y: 300, width: 240, height: 140 })
  const laidOut = (text: string) => ({ nodes: {}, annotations: { 'note/1': note(text) } })
  const { data } = await app.service.post('/api/v1/graphs', {
    ...{ name: 'Two of us', definition, ui_state: laidOut('Before') },
  })
  const page = await app.open(`/graphs/${data.id}`)
  await node(page, 'hook').click()
  await page.getByLabel('Name of the node').waitFor()
  const theirs = { hook: text('Their hook'), tone: text('Loud'), more: text('Theirs alone') }
  await app.service.patch(`/api/v1/graphs/${data.id}`, {
    name: 'Renamed',
    definition: { ...definition, nodes: theirs },
    ui_state: { ...laidOut('Their note'), theirs: 'kept' },
  })
  await page.getByLabel('Text', { exact: true }).fill('My hook')
  await page.getByText('You changed this graph elsewhere').waitFor()
  await node(page, 'note/1').dblclick()
  await page.getByLabel('Text', { exact: true }).and(page.locator(':focus')).fill('My note')
  await page.getByRole('button', { name: 'See both versions' }).click()
  const dialog = page.getByRole('dialog', { name: 'Both versions' })
  const hook = dialog.getByRole('region', { name: 'hook' })
  await hook.getByText('My hook').waitFor()
  await hook.getByText('Their hook').waitFor()
  await dialog.getByText('Only they changed: tone, more').waitFor()
  await keepShot(page, 'both-versions')
  expect(await violations(page)).toEqual([])
  await hook.getByRole('button', { name: 'Use mine: hook' }).click()
  await dialog.getByRole('button', { name: 'Take theirs: Note “My note”' }).click()
  await dialog.getByRole('button', { name: 'Save both together' }).click()
  await dialog.waitFor({ state: 'detached' })
  await node(page, 'more').waitFor()
  await expect.poll(() => nodesOf(page)).toEqual({ ...theirs, hook: text('My hook') })
  await saved(page)
  expect(await page.getByLabel('Name of the graph').inputValue()).toBe('Renamed')
  expect((await app.make.read(`/api/v1/graphs/${data.id}`)).ui_state).toMatchObject({
    theirs: 'kept',
    annotations: { 'note/1': { text: 'Their note' } },
  })
})

test('where both changed the definition of a run, both are shown too; what is given up can be brought back', async () => {
  const text = (value: string) => ({ type: 'input.text', version: 1, params: { value } })
  const definition = { schema: 1, nodes: { hook: text('Before'), tone: text('Calm') }, edges: [] }
  const { data: graph } = await app.service.post('/api/v1/graphs', { name: 'Of a run', definition })
  const { data: run } = await app.service.post(`/api/v1/graphs/${graph.id}/runs`, { execute: false })
  const nodesNow = async () => (await app.make.read(`/api/v1/runs/${run.id}`)).definition.nodes
  const page = await app.open(`/runs/${run.id}?view=edit`)
  await node(page, 'hook').click()
  await page.getByLabel('Name of the node').waitFor()
  const theirs = { hook: text('Their hook'), tone: text('Loud') }
  await app.service.patch(`/api/v1/runs/${run.id}`, { definition: { ...definition, nodes: theirs } })
  await page.getByLabel('Text', { exact: true }).fill('My hook')
  await page.getByText('You changed this run elsewhere').waitFor()
  await page.getByRole('button', { name: 'See both versions' }).click()
  const dialog = page.getByRole('dialog', { name: 'Both versions' })
  await dialog.getByRole('region', { name: 'hook' }).getByText('Their hook').waitFor()
  expect(await violations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Give up mine' }).click()
  await expect.poll(() => page.getByLabel('Text', { exact: true }).inputValue()).toBe('Their hook')
  await saved(page)
  expect(await nodesNow()).toEqual(theirs)
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect.poll(nodesNow).toEqual({ hook: text('My hook'), tone: text('Loud') })
})

test('the first wire of a new node is taken, and a list runs it once for each', async () => {
  const nodes = {
    parse: { type: 'csv.parse', version: 1, inputs: { text: 'market\nDE\nFR' } },
    fresh: { type: 'sample.chat', version: 1 },
    rowed: { type: 'sample.chat', version: 1, params: { prompt: 'An ad for {{ row.market }}' } },
  }
  const { data } = await app.service.post('/api/v1/graphs', {
    name: 'Rows',
    definition: { schema: 1, nodes, edges: [] },
  })
  const page = await app.open(`/graphs/${data.id}`, { viewport: { width: 1600, height: 900 } })
  await draw(page, ['parse', 'rows'], ['fresh', '+'])
  await page.getByText('“rows” is a list: “fresh” runs once for each element.').waitFor()
  await page.locator('.react-flow__edge-text', { hasText: '× 2' }).waitFor()
  await draw(page, ['parse', 'rows'], ['rowed', 'row'])
  await page.getByText('“rows” is a list: “rowed” runs once for each element.').waitFor()
  await saved(page)
  await expect.poll(() => nodesOf(page)).toMatchObject({ rowed: { each: ['row'] } })
  const read = await app.make.read(`/api/v1/graphs/${data.id}`)
  expect(read.definition.nodes.fresh.each).toEqual(['row'])
  expect(
    read.definition.edges.map(({ to }: { to: { node: string; port: string } }) => `${to.node}.${to.port}`),
  ).toEqual(['fresh.row', 'rowed.row'])
  // One undo removes the wire and the member `each`, which drawing the wire has set.
  await page.locator('body').press('ControlOrMeta+z')
  await expect.poll(async () => (await nodesOf(page)).rowed.each ?? []).toEqual([])
})

test('from rows of markets to files on a card by mouse in 25 actions, each wire taken at the first try', async () => {
  const task = await app.make.task({ name: 'Pillow in two markets', status: 'in_progress', count: 2 })
  const page = await app.open('/graphs', { viewport: { width: 1440, height: 900 } })
  const { actions, click, type, lead } = handsOn(page)
  await click(page.getByRole('button', { name: 'New graph', exact: true }))
  const palette = page.getByRole('complementary', { name: 'Node types' })
  await click(palette.getByRole('button', { name: /^Read a table/ }))
  await type(page.getByLabel('Paste a table'), 'market,claim\nGermany,a cool pillow\nFrance,a soft pillow')
  await lead(['parse', 'rows'], /^Sample text/)
  await type(page.getByLabel('Prompt').first(), 'An ad about {{ row.claim }} in {{ row.market }}')
  await lead(['chat', 'text'], /^Sample picture/)
  await lead(['image', 'image'], /^Choose/)
  await type(page.getByLabel('At most'), '2')
  await lead(['choose', 'chosen'], /^Resize/)
  await saved(page)
  const { definition } = await app.make.read(`/api/v1/graphs/${graphIdOf(page)}`)
  expect(definition.edges.map(wireWords)).toEqual([
    'parse.rows → chat.row',
    'chat.text → image.prompt',
    'image.image → choose.options',
    'choose.chosen → resize.image',
  ])
  await keepShot(page, 'table-graph')

  await click(page.getByRole('button', { name: 'Other ways to run' }))
  await click(page.getByRole('menuitem', { name: /^For a task/ }))
  await type(page.getByRole('combobox', { name: 'For a task (optional)' }), 'two markets')
  await click(page.getByRole('option', { name: /Pillow in two markets/ }))
  await click(page.getByRole('button', { name: 'Start now' }))
  const gate = page.getByRole('region', { name: 'Which one goes on?' })
  await click(gate.getByRole('button', { name: 'Option 1', exact: true }))
  await click(gate.getByRole('button', { name: 'Option 2', exact: true }))
  await click(gate.getByRole('button', { name: 'Choose these 2' }))
  await page.getByRole('status').filter({ hasText: 'Succeeded' }).waitFor()
  await click(page.getByRole('button', { name: 'Export', exact: true }))
  await click(page.getByRole('button', { name: /^Export \d+ files$/ }))
  await page.getByText(/creatives are on the card/).waitFor()
  const { items } = await app.make.read(`/api/v1/tasks/${task.id}/creatives`)
  expect(items.length).toBeGreaterThanOrEqual(2)
  expect(actions()).toBeLessThanOrEqual(25)
})

type Ends = Record<'from' | 'to', { node: string; port: string }>
const wireWords = ({ from, to }: Ends) => `${from.node}.${from.port} → ${to.node}.${to.port}`

test('at 200 % the node that is selected stands above its form', async () => {
  const words = { type: 'input.text', version: 1, params: { value: 'x' } }
  const { data } = await app.service.post('/api/v1/graphs', {
    name: 'Enlarged',
    definition: { schema: 1, nodes: { words }, edges: [] },
  })
  const page = await app.open(`/graphs/${data.id}`, { viewport: { width: 640, height: 400 } })
  await node(page, 'words').click()
  await page.getByLabel('Name of the node').waitFor()
  const form = page.getByRole('complementary', { name: 'Inspector' })
  const isAbove = async () => {
    const [head, sheet] = [await middleOf(node(page, 'words').getByText('words')), await form.boundingBox()]
    return sheet !== null && head.y < sheet.y && head.y > sheet.y - 110
  }
  await expect.poll(isAbove).toBe(true)
})

test('no key is lost between / and the word, and the first found is what is called so', async () => {
  const { data } = await app.service.post('/api/v1/graphs', {
    name: 'Typed fast',
    definition: { schema: 1, nodes: { words: { type: 'input.text', version: 1 } }, edges: [] },
  })
  const page = await app.open(`/graphs/${data.id}`)
  await node(page, 'words').waitFor()
  await page.keyboard.type('/picture')
  expect(await page.getByLabel('Find a node type').inputValue()).toBe('picture')
  await page.keyboard.press('Enter')
  await node(page, 'image').waitFor()
  await saved(page)
  expect(Object.values(await nodesOf(page))).toMatchObject([{ type: 'input.text' }, { type: 'sample.image' }])
})

test('a fork that is made after the user has gone to another page does not take the user away from there', async () => {
  const { data } = await app.service.post('/api/v1/graphs', { name: 'Left behind' })
  const page = await app.open(`/graphs/${data.id}`)
  const asked = Promise.withResolvers<Route>()
  await intercept(page, '**/api/v1/graphs/*/fork', (route) => asked.resolve(route))
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Fork' }).click()
  const route = await asked.promise
  await page.getByRole('link', { name: 'People', exact: true }).click()
  await page.waitForURL('**/people')
  const visited: string[] = []
  page.on('framenavigated', (frame) => visited.push(frame.url()))
  await route.continue()
  await page.getByText(/^“Left behind.*” is yours$/).waitFor()
  await page.getByRole('link', { name: 'Board', exact: true }).click()
  await page.waitForURL(`${app.url}/`)
  expect(visited.filter((url) => url.includes('/graphs/'))).toEqual([])
})

test('a graph with the longest name can be kept as a fork', async () => {
  const { data } = await app.service.post('/api/v1/graphs', { name: 'L'.repeat(255) })
  const page = await app.open(`/graphs/${data.id}`)
  await page.getByLabel('Name of the graph').waitFor()
  await app.service.patch(`/api/v1/graphs/${data.id}`, { description: 'Theirs' })
  await add(page, 'number')
  await page.getByRole('button', { name: 'Keep mine as a fork' }).click()
  await expect.poll(() => page.getByLabel('Name of the graph').inputValue()).toBe(`${'L'.repeat(248)} (mine)`)
  expect(await nodesOf(page)).toHaveProperty('number')
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
