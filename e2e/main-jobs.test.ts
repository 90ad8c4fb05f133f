// Facts about two main jobs with a second user watching: from a graph's first node to a live creative, and undoing a deletion.
// These tests are executed on both databases.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, startApp } from './support/app.ts'
import { violations } from './support/axe.ts'
import { card, cardLink, column } from './support/board.ts'
import { add, draw, node, runForTask } from './support/canvas.ts'
import { typeInto } from './support/fields.ts'
import { keepShot } from './support/shots.ts'

let app: App
let colleague: { id: string }
beforeAll(async () => {
  app = await startApp()
  await app.service.app.worker.start()
  colleague = await app.service.person('writer')
})
afterAll(() => app.close())

const graphIdOf = (page: Page): string => new URL(page.url()).pathname.split('/').at(-1) ?? ''
const saved = (page: Page) => page.getByRole('status').filter({ hasText: 'Saved' }).waitFor()
const nodesOf = async (page: Page) => (await app.make.read(`/api/v1/graphs/${graphIdOf(page)}`)).definition.nodes
/** Opens the same page as `page` for the colleague, in another browser context. */
const besides = (page: Page) => app.open(new URL(page.url()).pathname, { userId: colleague.id })
const succeeded = (page: Page) => page.getByRole('status').filter({ hasText: 'Succeeded' }).waitFor()

test('a graph is built, run, asked, rolled again, and what was picked is exported and launched', {
  timeout: 120_000,
}, async () => {
  const task = await app.make.task({ name: 'Glow serum spring', status: 'in_progress', count: 2 })
  const page = await app.open('/graphs', { pressing: true })
  await page.getByRole('button', { name: 'New graph' }).click()
  await add(page, 'sample text')
  await typeInto(page.getByLabel('Prompt').first(), 'A hook for glow serum')
  await typeInto(page.getByLabel('Variants'), '3')
  await add(page, 'sample picture')
  await typeInto(page.getByLabel('Width'), '200')
  await typeInto(page.getByLabel('Height'), '200')
  await page.getByRole('button', { name: 'Close the palette' }).click()
  await page.getByRole('button', { name: 'See the whole graph' }).click()

  // A list connected to an input that takes one text makes the node run once for each element.
  await draw(page, ['chat', 'texts'], ['image', 'prompt'])
  await page.getByText('“texts” is a list: “image” runs once for each element.').waitFor()
  await node(page, 'image').getByText('each', { exact: true }).first().waitFor()

  // A wire from a picture to an input that takes text is refused.
  await draw(page, ['image', 'image'], ['chat', 'prompt'])
  await page
    .getByText(/does not fit “prompt” of “chat”/)
    .first()
    .waitFor()

  await add(page, 'choose')
  await page.getByRole('combobox', { name: 'Connect Options from' }).click()
  await page.getByRole('option', { name: 'image · Picture' }).click()
  await saved(page)
  expect(await nodesOf(page)).toMatchObject({
    chat: { params: { prompt: 'A hook for glow serum', count: 3 } },
    image: { params: { width: 200, height: 200 }, each: ['prompt'] },
    choose: { type: 'gate.choose' },
  })

  await runForTask(page)
  await typeInto(page.getByRole('combobox', { name: 'For a task (optional)' }), 'glow')
  await page.getByRole('option', { name: /Glow serum spring/ }).click()
  await page.getByRole('button', { name: 'Start now' }).click()
  const gate = page.getByRole('region', { name: 'Which one goes on?' })
  await gate.getByRole('button', { name: 'Option 2', exact: true }).waitFor()
  expect(await violations(page)).toEqual([])

  // Two users look at the gate: if one re-rolls an option, both see it, and the answer of one user lets the run continue.
  const other = await besides(page)
  const theirs = other.getByRole('region', { name: 'Which one goes on?' })
  await theirs.getByRole('button', { name: 'Option 2', exact: true }).waitFor()
  await page.keyboard.press('2')
  await page.keyboard.press('r')
  await gate.getByText('New', { exact: true }).waitFor()
  await theirs.getByText('New', { exact: true }).waitFor()
  await keepShot(page, 'gate')
  await page.keyboard.press('2')
  await page.keyboard.press('Enter')
  await succeeded(page)
  await succeeded(other)
  await theirs.waitFor({ state: 'detached' })
  await keepShot(page, 'run')

  await page.getByRole('button', { name: 'Export', exact: true }).click()
  await page.getByRole('list', { name: 'The new creative' }).waitFor()
  await keepShot(page, 'export')
  await page.getByRole('button', { name: 'Export 1 file' }).click()
  await page.getByText('1 creative is on the card.').waitFor()
  await page.getByRole('link', { name: 'Open the card' }).click()
  const { items } = await app.make.read(`/api/v1/tasks/${task.id}/creatives`)
  await page.getByLabel(`Name of ${items[0].name}`).waitFor()
  await other.getByText('1 file of this run is on a card').waitFor()
  await keepShot(page, 'card')
  await launch(page, task.id, items[0].name)
  const run = await app.make.read(`/api/v1/runs/${(await app.make.read('/api/v1/runs')).items[0].id}`)
  expect(run).toMatchObject({ generation: 2, exported_creatives: [items[0].id] })
  expect(Object.values<{ status: string }>(run.nodes.image.items).map(({ status }) => status)).toEqual([
    'cached',
    'succeeded',
    'cached',
  ])
})

/**
 * Records the launch of a single creative, which makes it live. The launch of a whole pack is tested in `first-job.test.ts`.
 */
async function launch(page: Page, taskId: string, creative: string): Promise<void> {
  const adId = '23852150404470549'
  await page.getByRole('button', { name: `Menu of ${creative}` }).click()
  await page.getByRole('menuitem', { name: 'Record a launch' }).click()
  await typeInto(page.getByLabel('Campaign id'), adId)
  expect(await violations(page)).toEqual([])
  await keepShot(page, 'launch')
  await page.keyboard.press('Enter')
  await page.getByText(`Recorded as live under ${adId}`).waitFor()
  await page.getByText(/^Live since/).waitFor()
  const task = await app.make.read(`/api/v1/tasks/${taskId}`)
  expect(task).toMatchObject({ test_status: 'in_test', planned_creatives_done: [creative] })
}

/** Deletes a task by the menu of its card. */
async function deleteByMenu(page: Page, name: string): Promise<void> {
  await card(page, name).hover()
  await page.getByRole('button', { name: `Menu of ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
}

test('a task deleted by mistake is back with its creatives by one click on Undo', async () => {
  const { task } = await app.make.taskWith(['Undo_01', 'Undo_02'], { name: 'The wrong one', status: 'in_progress' })
  const page = await app.open('/')
  const other = await besides(page)
  await other.locator('.frame[data-live="live"]').waitFor()
  await cardLink(column(other, 'In progress'), 'The wrong one').waitFor()
  await deleteByMenu(page, 'The wrong one')
  await cardLink(column(page, 'Deleted'), 'The wrong one').waitFor()
  await cardLink(column(other, 'Deleted'), 'The wrong one').waitFor()
  await keepShot(page, 'deleted')
  await page.getByRole('button', { name: 'Undo' }).click()
  await cardLink(column(page, 'In progress'), 'The wrong one').waitFor()
  await cardLink(column(other, 'In progress'), 'The wrong one').waitFor()
  await page.getByText('is back in In progress').waitFor()
  const { items } = await app.make.read(`/api/v1/tasks/${task.id}/creatives`)
  expect(items.map(({ name }: { name: string }) => name)).toEqual(['Undo_01', 'Undo_02'])
})

test('where a name was taken meanwhile, the dialog says who has it, and one step renames and restores', async () => {
  const { task } = await app.make.taskWith(['Shared_01', 'Kept_01'], { name: 'Deleted for days' })
  await app.make.deleted(`/api/v1/tasks/${task.id}`)
  await app.make.taskWith(['Shared_01'], { name: 'Came later' })
  const page = await app.open('/')
  await page.getByRole('button', { name: 'Restore Deleted for days' }).click()
  const dialog = page.getByRole('dialog', { name: 'These names were taken meanwhile' })
  await dialog.getByText('Came later').waitFor()
  expect(await dialog.getByRole('group').count()).toBe(1)
  expect(await dialog.getByRole('group', { name: 'Shared_01' }).getByLabel('New name').inputValue()).toBe(
    'Shared_01_r1',
  )
  await keepShot(page, 'conflict')
  await dialog.getByRole('button', { name: 'Rename and restore' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await cardLink(column(page, 'Backlog'), 'Deleted for days').waitFor()
  const { items } = await app.make.read(`/api/v1/tasks/${task.id}/creatives`)
  expect(items.map(({ name }: { name: string }) => name)).toEqual(['Kept_01', 'Shared_01_r1'])
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
