// Facts about building a graph with the mouse and running it in the editor.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, startApp } from './support/app.ts'
import { violations } from './support/axe.ts'
import { add, middleOf, node, port } from './support/canvas.ts'
import { keepShot } from './support/shots.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
  await app.service.app.worker.start()
})
afterAll(() => app.close())

const saved = (page: Page) => page.getByRole('status').filter({ hasText: 'Saved' }).waitFor()

/** Counts a user's actions from now on: presses of the mouse and of Enter, and pastes. Typing does not count. */
async function countActions(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(`(() => {
    const count = () => document.body.setAttribute('data-actions', String(1 + Number(document.body.dataset.actions ?? 0)))
    for (const type of ['pointerdown', 'paste']) document.addEventListener(type, count, true)
    document.addEventListener('keydown', ({ key }) => (key === 'Enter' ? count() : undefined), true)
  })()`)
  return async () => Number(await page.locator('body').getAttribute('data-actions'))
}

/** Drags a wire from a port to the empty canvas on its right, and adds the node `made` with the dialog that opens there. */
async function leadOn(page: Page, from: [node: string, port: string], search: string, made: string): Promise<void> {
  const output = port(page, ...from, 'source')
  await output.hover({ trial: true })
  const start = await middleOf(output)
  await page.mouse.move(start.x, start.y)
  await page.mouse.down()
  await page.mouse.move(start.x + 60, start.y, { steps: 4 })
  // Waits for `attached`, not for `visible`: a horizontal wire has the height 0, and so counts as hidden for Playwright.
  await page.locator('.wire-drawn').waitFor({ state: 'attached' })
  await page.mouse.move(start.x + 110, start.y, { steps: 4 })
  await page.mouse.up()
  const offer = page.getByRole('dialog', { name: `Lead ${from.join(' · ')} to` })
  await offer.getByRole('textbox').fill(search)
  await offer.getByRole('textbox').press('Enter')
  await node(page, made).waitFor()
  await saved(page)
}

const sheet = 'market\tproduct\nGermany\tSteel bottle\nFrance\tGourde\nSpain\tBotella'
const wordOf = (page: Page, edge: string) => page.locator(`.react-flow__edge[aria-label="${edge}"] text`)

test('the graph from rows to a card is built by mouse, each wire at the first try, and run', {
  timeout: 120_000,
}, async () => {
  const task = await app.make.task({ name: 'Bottle spring', status: 'in_progress', count: 4 })
  const page = await app.open('/graphs', { viewport: { width: 1440, height: 900 } })
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: 'New graph' }).waitFor()
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(sheet)})`)
  const actions = await countActions(page)

  await page.getByRole('button', { name: 'New graph' }).click()
  await page
    .getByLabel('Find a node type')
    .or(page.getByRole('button', { name: 'Find a node type' }))
    .first()
    .waitFor()
  await page.getByRole('region', { name: 'Graph' }).dblclick({ position: { x: 60, y: 120 } })
  const place = page.getByRole('dialog', { name: 'Add a node' })
  await place.getByRole('textbox').fill('table')
  await place.getByRole('textbox').press('Enter')
  await page.getByLabel('Paste a table').click()
  await page.keyboard.press('ControlOrMeta+v')
  await page.getByLabel('market, row 3').and(page.locator('[value="Spain"]')).waitFor()

  await leadOn(page, ['parse', 'rows'], 'sample text', 'chat')
  await wordOf(page, 'From rows of parse to row of chat').filter({ hasText: '× 3' }).waitFor()
  await page.getByLabel('Prompt').first().click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('An ad for {{ row.product }} in {{ row.market }}')
  await leadOn(page, ['chat', 'text'], 'sample picture', 'image')
  await wordOf(page, 'From text of chat to prompt of image').filter({ hasText: '× 3' }).waitFor()
  await leadOn(page, ['image', 'image'], 'choose', 'choose')
  await leadOn(page, ['choose', 'chosen'], 'resize', 'resize')
  await page.getByRole('button', { name: 'No issues' }).waitFor()
  expect(await violations(page)).toEqual([])
  await keepShot(page, 'editing-built')

  await page.getByRole('button', { name: 'Run here', exact: true }).click()
  const dock = page.getByRole('region', { name: 'Run here', exact: true })
  await dock.getByText('Needs an answer').waitFor()
  await node(page, 'image').locator('.node-strip img').nth(2).waitFor()
  expect(await violations(page)).toEqual([])
  await keepShot(page, 'editing-asked')
  await dock.getByRole('link', { name: 'Answer' }).click()
  const gate = page.getByRole('region', { name: 'Which one goes on?' })
  await gate.getByRole('button', { name: 'Option 2', exact: true }).click()
  await gate.getByRole('button', { name: 'Choose this' }).click()
  await page.getByRole('status').filter({ hasText: 'Succeeded' }).waitFor()

  await page.getByRole('button', { name: 'Export', exact: true }).click()
  await page.getByRole('combobox', { name: 'Task' }).click()
  await page.getByRole('option', { name: /Bottle spring/ }).click()
  await page.getByRole('button', { name: /^Export \d+ file/ }).click()
  await page.getByText(/is on the card|are on the card/).waitFor()
  const { items } = await app.make.read(`/api/v1/tasks/${task.id}/creatives`)
  expect(items.length).toBeGreaterThan(0)
  expect(await actions()).toBeLessThanOrEqual(25)
})

test('a node is put into a wire, one row runs first, and only one node again', async () => {
  const nodes = {
    parse: { type: 'csv.parse', version: 1, inputs: { text: 'market\nDE\nFR' } },
    chat: { type: 'sample.chat', version: 1, params: { prompt: 'For {{ row.market }}' }, each: ['row'] },
  }
  const edges = [{ from: { node: 'parse', port: 'rows' }, to: { node: 'chat', port: 'row' } }]
  const { data } = await app.service.post('/api/v1/graphs', {
    name: 'Tried',
    definition: { schema: 1, nodes, edges },
    ui_state: { nodes: { parse: { x: 0, y: 0 }, chat: { x: 500, y: 0 } } },
  })
  const page = await app.open(`/graphs/${data.id}`, { viewport: { width: 1280, height: 800 } })
  const wire = wordOf(page, 'From rows of parse to row of chat')
  await wire.locator('..').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Insert a node' }).click()
  const insert = page.getByRole('dialog', { name: 'Insert after parse · rows' })
  await insert.getByRole('textbox').fill('filter')
  await insert.getByRole('textbox').press('Enter')
  await node(page, 'filter').waitFor()
  await saved(page)
  const read = await app.make.read(`/api/v1/graphs/${data.id}`)
  const named = (end: { node: string; port: string }) => `${end.node}.${end.port}`
  expect(
    read.definition.edges.map((edge: Record<'from' | 'to', { node: string; port: string }>) => [
      named(edge.from),
      named(edge.to),
    ]),
  ).toEqual([
    ['parse.rows', 'filter.rows'],
    ['filter.rows', 'chat.row'],
  ])
  await page.locator('body').press('ControlOrMeta+z')
  await node(page, 'filter').waitFor({ state: 'detached' })
  await saved(page)

  await page.getByRole('button', { name: 'Other ways to run' }).click()
  await page.getByRole('menuitem', { name: /The first row only/ }).click()
  const dock = page.getByRole('region', { name: 'Run here', exact: true })
  await dock.getByText('Succeeded').waitFor()
  await wire.filter({ hasText: '× 1' }).waitFor()
  const { run: id } = Object.fromEntries(new URL(page.url()).searchParams)
  const states = async () => (await app.make.read(`/api/v1/runs/${id}`)).nodes.chat.items
  expect(Object.keys(await states())).toEqual(['0'])
  // The key `r` starts the run for all rows. The first row was already run, so its result comes from the cache.
  await page.locator('body').press('r')
  await wire.filter({ hasText: '× 2' }).waitFor()
  await dock.getByText('Succeeded').waitFor()
  expect(Object.values<{ status: string }>(await states()).map(({ status }) => status)).toEqual(['cached', 'succeeded'])
  await node(page, 'chat').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Run only this again' }).click()
  await expect.poll(async () => (await app.make.read(`/api/v1/runs/${id}`)).generation).toBe(3)
  await dock.getByText('Succeeded').waitFor()
  expect((await app.make.read(`/api/v1/graphs/${data.id}`)).definition.nodes).toHaveProperty('chat')
  await keepShot(page, 'editing-tried')
})

test('whoever has a graph open is told when somebody else saves it, and not of what they save themselves', async () => {
  const { data } = await app.service.post('/api/v1/graphs', { name: 'Watched' })
  const page = await app.open(`/graphs/${data.id}`)
  await page.locator('.frame[data-live="live"]').waitFor()
  await add(page, 'number')
  await saved(page)
  const definition = { schema: 1, nodes: { theirs: { type: 'input.text', version: 1 } }, edges: [] }
  await app.service.patch(`/api/v1/graphs/${data.id}`, { definition })
  await page.getByRole('button', { name: 'Show theirs' }).click()
  await node(page, 'theirs').waitFor()
  expect(await page.getByRole('button', { name: 'Show theirs' }).count()).toBe(0)
})

test('a graph that is opened from another one is shown as it is now, also after the other was read again', async () => {
  const text = { type: 'input.text', version: 1 }
  const write = (id: string, ...names: string[]) => {
    const nodes = Object.fromEntries(names.map((name) => [name, text]))
    return app.service.patch(`/api/v1/graphs/${id}`, { definition: { schema: 1, nodes, edges: [] } })
  }
  const { data: first } = await app.service.post('/api/v1/graphs', { name: 'Origin' })
  await write(first.id, 'one')
  const { data: fork } = await app.service.post(`/api/v1/graphs/${first.id}/fork`)
  const page = await app.open(`/graphs/${fork.id}`)
  await page.locator('.frame[data-live="live"]').waitFor()
  await page.getByRole('link', { name: 'Fork of another graph' }).click()
  await page.waitForURL(`**/graphs/${first.id}`)
  await node(page, 'one').waitFor()
  await write(first.id, 'one', 'two')
  await page.getByRole('button', { name: 'Show theirs' }).click()
  await node(page, 'two').waitFor()
  await write(fork.id, 'one', 'newer')
  await page.goBack()
  await node(page, 'newer').waitFor()
  expect(await node(page, 'two').count()).toBe(0)
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
