// Facts about Undo in the web app: after another person has changed the same thing, after the user has left the page, and by keyboard.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, startApp } from './support/app.ts'
import { cardLink } from './support/board.ts'
import { node } from './support/canvas.ts'
import { intercept } from './support/intercept.ts'
import { focused, focusIs } from './support/keyboard.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const undoButton = (page: Page) => page.getByRole('button', { name: 'Undo', exact: true })
const message = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text })
const statusOf = async (id: string) => (await app.make.read(`/api/v1/tasks/${id}`)).status
const expectStatus = (id: string, status: string) => expect.poll(() => statusOf(id)).toBe(status)

/** Moves a card by its menu, and waits for the message. */
async function move(page: Page, name: string, to: string): Promise<void> {
  await cardLink(page, name).focus()
  await page.keyboard.press('m')
  await page.getByRole('menuitem', { name: to }).click()
  await message(page, `Moved “${name}” to ${to}`).waitFor()
}

/** Moves the task of the focused card, or the open task, by the command palette. */
async function moveByPalette(page: Page, to: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: /^Go to a task/ }).fill('Move')
  await page
    .getByRole('option', { name: /^Move / })
    .first()
    .click()
  await page.getByRole('combobox', { name: /^To which column/ }).fill(to)
  await page.getByRole('option', { name: to }).first().click()
}

test('the message of a move says before its Undo is pressed that it may start automations, unless none waits there', async () => {
  await app.make.task({ name: 'Paid again' })
  const definition = {
    schema: 1,
    nodes: { hook: { type: 'input.text', version: 1, params: { value: 'x' } } },
    edges: [],
  }
  const { data: graph } = await app.service.post('/api/v1/graphs', { name: 'Waiting', definition })
  const body = { name: 'Hooks', on_status: 'tech_check', graph_id: graph.id }
  const { data: automation } = await app.service.post('/api/v1/automations', body)
  const page = await app.open('/')
  await move(page, 'Paid again', 'Tech check')
  expect(await message(page, 'Moved “Paid again”').textContent()).not.toContain('automations')
  await move(page, 'Paid again', 'Creative check')
  await message(page, 'Creative check. Undo may start the automations of Tech check').waitFor()
  // The open task and the palette, which move it as well, say it too.
  await move(page, 'Paid again', 'Tech check')
  await cardLink(page, 'Paid again').press('Enter')
  await page.getByRole('complementary', { name: 'Task' }).getByRole('combobox', { name: 'Column' }).click()
  await page.getByRole('option', { name: 'Done' }).click()
  await message(page, 'to Done. Undo may start the automations of Tech check').waitFor()
  await moveByPalette(page, 'Tech check')
  await message(page, 'Moved “Paid again” to Tech check').waitFor()
  await moveByPalette(page, 'Backlog')
  await message(page, 'to Backlog. Undo may start the automations of Tech check').waitFor()
  expect((await app.service.del(`/api/v1/automations/${automation.id}`)).status).toBe(200)
})

test('a version that was given up comes back after the editor was left, with what was changed there since', async () => {
  const text = (value: string) => ({ type: 'input.text', version: 1, params: { value } })
  const definition = { schema: 1, nodes: { hook: text('Before'), tone: text('Calm') }, edges: [] }
  const { data } = await app.service.post('/api/v1/graphs', { name: 'Left', definition })
  const nodesNow = async () => (await app.make.read(`/api/v1/graphs/${data.id}`)).definition.nodes
  const change = (nodes: object) =>
    app.service.patch(`/api/v1/graphs/${data.id}`, { definition: { ...definition, nodes } })
  const page = await app.open(`/graphs/${data.id}`)
  await node(page, 'hook').click()
  await page.getByLabel('Name of the node').waitFor()
  await change({ hook: text('Their hook'), tone: text('Loud') })
  await page.getByLabel('Text', { exact: true }).fill('My hook')
  await page.getByRole('button', { name: 'See both versions' }).click()
  await page.getByRole('button', { name: 'Give up mine' }).click()
  await expect.poll(() => page.getByLabel('Text', { exact: true }).inputValue()).toBe('Their hook')
  await page.getByRole('link', { name: 'Graphs' }).first().click()
  await page.getByRole('heading', { name: 'Graphs', level: 1 }).waitFor()
  await change({ hook: text('Their hook'), tone: text('Louder') })

  // The version is not lost while the service cannot be reached.
  await page.context().setOffline(true)
  await undoButton(page).click()
  await message(page, 'Not undone').waitFor()
  await page.context().setOffline(false)
  await undoButton(page).click()
  await message(page, 'Your version is in the graph again').waitFor()
  expect(await nodesNow()).toEqual({ hook: text('My hook'), tone: text('Louder') })
})

test('an answer about a file is not undone where somebody else answered, or put another file there', async () => {
  const said = 'http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia'
  const task = await app.make.task({ name: 'Answered', geo: 'DE' })
  const creative = await app.make.creative(task.id, { name: 'Answered_01', file: await app.make.file(`one ${said}`) })
  const path = `/api/v1/creatives/${creative.id}`
  const page = await app.open(`/tasks/${task.id}#creatives`)
  await page.getByRole('button', { name: 'Marks of Answered_01' }).click()
  const dialog = page.getByRole('dialog', { name: 'Marks and label' })
  const question = dialog.getByRole('radiogroup', { name: 'Does a visible label stand on it?' })
  const labelNow = async () => (await app.make.read(`${path}/marks`)).label.confirmed.value
  const chosen = (name: string) => question.getByRole('radio', { name, checked: true })
  await chosen('Not asked').focus()
  await page.keyboard.press('ArrowRight')
  const isLabelled = message(page, 'Said that a label stands on it')
  await isLabelled.waitFor()
  await app.service.patch(`${path}/marks`, { label: false })
  await isLabelled.getByRole('button', { name: 'Undo' }).click()
  await message(page, 'Somebody else has answered meanwhile').waitFor()
  expect(await labelNow()).toBe(false)

  await chosen('No').focus()
  await page.keyboard.press('ArrowRight')
  const isTakenBack = message(page, 'Took the answer back')
  await isTakenBack.waitFor()
  await app.service.patch(path, { file: await app.make.file(`two ${said}`) })
  await isTakenBack.getByRole('button', { name: 'Undo' }).click()
  await message(page, 'The creative has another file now').waitFor()
  expect(await labelNow()).toBeNull()
})

test('a move by the palette is not undone where somebody else has moved the task since', async () => {
  const task = await app.make.task({ name: 'Quicker' })
  const page = await app.open(`/tasks/${task.id}`)
  const inColumn = (label: string) =>
    expect.poll(() => page.getByRole('combobox', { name: 'Column' }).inputValue()).toBe(label)
  await inColumn('Backlog')
  await moveByPalette(page, 'In progress')
  await undoButton(page).waitFor()
  await app.make.patched(task.id, { status: 'done' })
  // The move is not undone even though the page knows of the other one.
  await inColumn('Done')
  await undoButton(page).click()
  await message(page, 'Not undone').filter({ hasText: 'Somebody changed this meanwhile' }).waitFor()
  expect(await statusOf(task.id)).toBe('done')
})

test('an Undo that is pressed twice acts once', async () => {
  const task = await app.make.task({ name: 'Pressed twice' })
  const page = await app.open('/?q=Pressed')
  await cardLink(page, 'Pressed twice').focus()
  await moveByPalette(page, 'In progress')
  await undoButton(page).waitFor()
  let writes = 0
  page.on('request', (request) => {
    if (request.method() === 'PATCH') writes += 1
  })
  // The second click comes while the message fades out.
  await page.evaluate("for (const _ of [1, 2]) document.querySelector('.toast-row button').click()")
  await message(page, '“Pressed twice” is as it was').waitFor()
  await expectStatus(task.id, 'backlog')
  expect(writes).toBe(1)
})

test('a variant that somebody else edits at the same moment is not removed', async () => {
  const variant = { key: 'v1', variation_num: 1 }
  const task = await app.make.task({ name: 'Of variants', variants: [variant] })
  const page = await app.open(`/tasks/${task.id}`)
  let isFirst = true
  await page.getByRole('button', { name: 'Remove variant v1' }).waitFor()
  await intercept(page, `**/api/v1/tasks/${task.id}`, async (route) => {
    if (route.request().method() === 'PATCH' && isFirst) {
      isFirst = false
      await app.make.patched(task.id, { variants: [{ ...variant, audience: 'Parents' }] })
    }
    await route.continue()
  })
  await page.getByRole('button', { name: 'Remove variant v1' }).click()
  await message(page, 'Somebody changed this meanwhile').waitFor()
  expect((await app.make.read(`/api/v1/tasks/${task.id}`)).variants).toMatchObject([{ audience: 'Parents' }])
  expect(await undoButton(page).count()).toBe(0)
})

test('a message with Undo stays while its button has the focus', async () => {
  await app.make.task({ name: 'Focused' })
  const page = await app.open('/?q=Focused')
  await page.clock.install()
  await move(page, 'Focused', 'In progress')
  await undoButton(page).focus()
  await page.clock.runFor(30_000)
  await focusIs(page, 'Undo')
  await cardLink(page, 'Focused').focus()
  await page.clock.runFor(15_000)
  await expect.poll(() => undoButton(page).count()).toBe(0)
})

test('the key z undoes from the open task and in the gallery, but types a letter in a text field', async () => {
  const task = await app.make.task({ name: 'By key' })
  const page = await app.open(`/tasks/${task.id}`)
  const panel = page.getByRole('complementary', { name: 'Task' })
  const moveInPanel = async () => {
    await panel.getByRole('combobox', { name: 'Column' }).click()
    await page.getByRole('option', { name: 'In progress' }).click()
    await message(page, 'Moved “By key” to In progress').waitFor()
  }
  await moveInPanel()
  await panel.getByLabel('Hypothesis', { exact: true }).focus()
  await page.keyboard.press('z')
  await expect.poll(() => panel.getByLabel('Hypothesis', { exact: true }).inputValue()).toBe('z')
  expect(await statusOf(task.id)).toBe('in_progress')
  await panel.getByRole('button', { name: 'Add variant' }).focus()
  await page.keyboard.press('z')
  await expectStatus(task.id, 'backlog')

  await moveInPanel()
  await page.getByRole('button', { name: 'Gallery', exact: true }).click()
  await page.getByRole('region', { name: 'Gallery' }).waitFor()
  await page.getByRole('button', { name: 'Gallery', exact: true }).focus()
  await page.keyboard.press('z')
  await expectStatus(task.id, 'backlog')
})

test('the keys of the board rest while a dialog is open, even if nothing in it has the focus', async () => {
  await app.make.task({ name: 'Covered' })
  const page = await app.open('/')
  const idOfFocused = () => page.evaluate('document.activeElement.id')
  await cardLink(page, 'Covered').focus()
  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await focused(page, help.getByRole('button').first())
  await page.evaluate('document.activeElement.blur()')
  await page.keyboard.press('/')
  expect(await idOfFocused()).not.toBe('board-search')
  await page.keyboard.press('Escape')
  await help.waitFor({ state: 'detached' })
  await page.keyboard.press('/')
  expect(await idOfFocused()).toBe('board-search')
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
