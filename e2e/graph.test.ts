// Facts about the first main job from the graph on: built by mouse and keyboard, run, asked, rolled again, put on the card.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, startApp } from './support/app.ts'
import { violations } from './support/axe.ts'
import { add, draw, node } from './support/canvas.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
  await app.service.app.worker.start()
})
afterAll(() => app.close())

const graphIdOf = (page: Page): string => new URL(page.url()).pathname.split('/').at(-1) ?? ''
const saved = (page: Page) => page.getByRole('status').filter({ hasText: 'Saved' }).waitFor()
const nodesOf = async (page: Page) => (await app.make.read(`/api/v1/graphs/${graphIdOf(page)}`)).definition.nodes

test('a graph is built, run, asked, rolled again, and what was picked is a creative on the card', async () => {
  const task = await app.make.task({ name: 'Glow serum spring', status: 'in_progress', count: 2 })
  const page = await app.open('/graphs')
  await page.getByRole('button', { name: 'New graph' }).click()
  await add(page, 'sample text')
  await page.getByLabel('Prompt').first().fill('A hook for glow serum')
  await page.getByLabel('Variants').fill('3')
  await add(page, 'sample picture')
  await page.getByLabel('Width').fill('200')
  await page.getByLabel('Height').fill('200')
  await page.getByRole('button', { name: 'Close the palette' }).click()
  await page.getByRole('button', { name: 'See the whole graph' }).click()

  // Texts do not fit where one text is taken; running once for each makes them fit.
  await draw(page, ['chat', 'texts'], ['image', 'prompt'])
  await page.getByRole('button', { name: 'Run it once for each' }).click()
  await node(page, 'image').getByText('each', { exact: true }).first().waitFor()

  // The other way round it would be a circle.
  await draw(page, ['image', 'image'], ['chat', 'prompt'])
  await page
    .getByText(/does not fit “prompt” of “chat”/)
    .first()
    .waitFor()

  await add(page, 'choose')
  await page.getByRole('combobox', { name: 'Connect Options from' }).click()
  await page.getByRole('option', { name: 'image · Picture' }).click()
  await saved(page)
  expect(await nodesOf(page)).toMatchObject({ image: { each: ['prompt'] }, choose: { type: 'gate.choose' } })

  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await page.getByRole('combobox', { name: 'For a task (optional)' }).fill('glow')
  await page.getByRole('option', { name: /Glow serum spring/ }).click()
  await page.getByRole('button', { name: 'Start now' }).click()
  const gate = page.getByRole('region', { name: 'Which one goes on?' })
  await gate.getByRole('button', { name: 'Option 2', exact: true }).waitFor()
  expect(await violations(page)).toEqual([])

  await page.keyboard.press('2')
  await page.keyboard.press('r')
  await gate.getByText('New', { exact: true }).waitFor()
  await page.keyboard.press('2')
  await page.keyboard.press('Enter')
  await page.getByRole('status').filter({ hasText: 'Succeeded' }).waitFor()

  await page.getByRole('button', { name: 'Export', exact: true }).click()
  await page.getByRole('button', { name: 'Export 1 file' }).click()
  await page.getByText('1 creative is on the card.').waitFor()
  await page.getByRole('link', { name: 'Open the card' }).click()
  const { items } = await app.make.read(`/api/v1/tasks/${task.id}/creatives`)
  await page.getByRole('tab', { name: 'Creatives' }).click()
  await page.getByLabel(`Name of ${items[0].name}`).waitFor()
  const run = await app.make.read(`/api/v1/runs/${(await app.make.read('/api/v1/runs')).items[0].id}`)
  expect(run).toMatchObject({ generation: 2, exported_creatives: [items[0].id] })
  expect(Object.values<{ status: string }>(run.nodes.image.items).map(({ status }) => status)).toEqual([
    'cached',
    'succeeded',
    'cached',
  ])
})

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
  await page.keyboard.press('Delete')
  await node(page, 'words_2').waitFor({ state: 'detached' })
  await page.keyboard.press('ControlOrMeta+z')
  await node(page, 'words_2').waitFor()
  await saved(page)
  expect(Object.keys(await nodesOf(page))).toEqual(['words', 'words_2'])
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

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
