// Facts about graphs for users of a keyboard and of a screen reader: where the focus is, what fields are called, and what is spoken.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { definitionOf } from '../server/test/support/definitions.ts'
import { makeGraph, makeRun } from '../server/test/support/runs.ts'
import { type App, startApp } from './support/app.ts'
import { violations } from './support/axe.ts'
import { add, node } from './support/canvas.ts'
import { intercept } from './support/intercept.ts'
import { focused, tabTo } from './support/keyboard.ts'
import { keepShot } from './support/shots.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const text = { type: 'input.text', version: 1, params: { value: 'x' } }
const template = { type: 'text.template', version: 1, params: { template: '{{ x }} {{ y }}' } }
const opened = async (nodes: Parameters<typeof definitionOf>[0]) => {
  const { id } = await makeGraph(app.service, definitionOf(nodes))
  const page = await app.open(`/graphs/${id}`)
  await node(page, Object.keys(nodes)[0] ?? '').waitFor()
  return { page, now: async () => (await app.make.read(`/api/v1/graphs/${id}`)).definition }
}
const focusedName = (page: Page) => page.evaluate('document.activeElement.ariaLabel')
const spoken = (page: Page, words: string) =>
  page.locator('[aria-live="polite"]').getByText(words, { exact: true }).waitFor()

test('the canvas is a stop of the Tab key, whose keys lead to nodes, into their fields and back', async () => {
  const { page } = await opened({ first: text, second: template })
  await tabTo(page, 'Canvas')
  const canvas = page.getByRole('application', { name: 'Canvas' })
  const help = await canvas.getAttribute('aria-describedby')
  expect(await page.locator(`[id="${help}"]`).textContent()).toMatch(/^The arrow keys go from node to node/)
  await page.keyboard.press('ArrowRight')
  await spoken(page, 'first, Text. 0 issues.')
  await keepShot(page, 'canvas-focused')
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('Enter')
  await focused(page, page.getByRole('complementary', { name: 'Inspector' }).getByRole('textbox').last())
  await page.keyboard.press('Escape')
  await focused(page, canvas)
  await page.keyboard.press('Delete')
  await spoken(page, 'Removed “first”.')
  await focused(page, canvas)
})

test('an input that is connected and disconnected by keyboard keeps the focus, and says what was done', async () => {
  const { page, now } = await opened({ source: text, used: template })
  await node(page, 'used').click()
  const input = page.getByRole('group', { name: 'y' })
  const connect = input.getByRole('combobox', { name: 'Connect y from' })
  const remove = input.getByRole('button', { name: 'Remove the edge from source' })
  await connect.focus()
  await page.getByRole('option', { name: 'source · Text' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await focused(page, remove)
  await spoken(page, 'Connected “text” of “source” to “y” of “used”.')
  await expect.poll(async () => (await now()).edges).toEqual(definitionOf({}, 'source.text > used.y').edges)
  await page.keyboard.press('Enter')
  await focused(page, connect)
  await spoken(page, 'Removed the edge from “text” of “source” to “y” of “used”.')
  expect(await page.getByRole('listbox').count()).toBe(0)
  await expect.poll(async () => (await now()).edges).toEqual([])
  await page.keyboard.press('ControlOrMeta+z')
  await focused(page, remove)
  await spoken(page, 'Connected “text” of “source” to “y” of “used”.')
})

test('each input is a group with its name, in which its value and its list are', async () => {
  const { page } = await opened({ used: template })
  await node(page, 'used').click()
  for (const name of ['x', 'y']) {
    const input = page.getByRole('group', { name, exact: true })
    await input.getByRole('textbox', { name: 'Value' }).waitFor()
    expect(await input.getByLabel('Run once for each element').count()).toBe(1)
  }
})

test('what is removed or closed beside the canvas leaves the focus to the canvas', async () => {
  const { page } = await opened({ first: text, second: text })
  const canvas = page.getByRole('application', { name: 'Canvas' })
  await node(page, 'first').click()
  await page.getByRole('button', { name: 'Menu of first' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Remove' }).press('Enter')
  await node(page, 'first').waitFor({ state: 'detached' })
  await focused(page, canvas)
  await page.keyboard.press('ArrowRight')
  await page.getByRole('button', { name: 'Close the inspector' }).press('Enter')
  await focused(page, canvas)
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('m')
  await page.getByRole('menuitem', { name: 'Duplicate' }).press('Enter')
  await spoken(page, 'Added “second_2”.')
  await focused(page, canvas)
  expect(await node(page, 'second_2').count()).toBe(1)
})

test('Undo keeps the focus when there is nothing more to undo', async () => {
  const { page } = await opened({ first: text })
  await add(page, 'number')
  await node(page, 'number').waitFor()
  const undo = page.getByRole('button', { name: /^Undo/ })
  await undo.press('Enter')
  await spoken(page, 'Removed “number”.')
  await expect.poll(() => undo.isDisabled()).toBe(true)
  await focused(page, undo)
})

test('a control of a node that disappears with what it did leaves the focus to the canvas', async () => {
  const { page, now } = await opened({
    old: { type: 'input.text', version: 99, params: { value: 'x' } },
    over: { type: 'image.edit', version: 1, each: ['references'] },
  })
  const canvas = page.getByRole('application', { name: 'Canvas' })
  await node(page, 'old').click()
  const makeIt = page.getByRole('button', { name: /^Make it input\.text/ })
  await makeIt.press('Enter')
  await makeIt.waitFor({ state: 'detached' })
  await focused(page, canvas)
  await node(page, 'over').click()
  const each = page.getByRole('group', { name: 'References' }).getByLabel('Run once for each element')
  await each.press('Space')
  await each.waitFor({ state: 'detached' })
  await focused(page, canvas)
  await expect.poll(async () => (await now()).nodes).toMatchObject({ old: { version: 1 }, over: { each: [] } })
})

test('the button of a message about an edge leaves the focus to the canvas', async () => {
  const { page } = await opened({ rows: { type: 'list.collect', inputs: { values: ['a', 'b'] } }, used: template })
  await node(page, 'used').click()
  const input = page.getByRole('group', { name: 'y' })
  await input.getByRole('combobox', { name: 'Connect y from' }).focus()
  await page.getByRole('option', { name: 'rows · List' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  const message = page.getByRole('alert').filter({ hasText: '“list” is a list' })
  await message.getByRole('button', { name: /^(Give it the whole list|Run it once for each)$/ }).press('Enter')
  await message.waitFor({ state: 'detached' })
  expect(await focusedName(page)).toBe('Canvas')
})

test('of saves only a failure and its end are spoken', async () => {
  const { page } = await opened({ first: text })
  const mark = page.getByRole('status').filter({ hasText: 'Saved' })
  expect(await mark.getAttribute('aria-live')).toBe('off')
  // Refused, and not unreachable: if the service could not be reached, the page would soon try again by itself.
  await intercept(page, '**/api/v1/graphs/*', (route) =>
    route.request().method() === 'PATCH' ? route.fulfill({ status: 500 }) : route.continue(),
  )
  await add(page, 'number')
  await page.getByRole('alert').filter({ hasText: 'Not saved' }).waitFor()
  await page.unroute('**/api/v1/graphs/*')
  await page.getByRole('button', { name: 'Try again' }).press('Enter')
  await mark.waitFor()
  await spoken(page, 'Everything here is saved.')
  await focused(page, page.getByRole('application', { name: 'Canvas' }))
})

test('a file that is taken away by keyboard leaves the focus to the next one, and the last one to Upload', async () => {
  const fileOf = async (name: string) => ({
    digest: await app.make.file(name, 'image/png'),
    ...{ media_type: 'image/png', size: name.length, name },
  })
  const references = [await fileOf('one.png'), await fileOf('two.png')]
  const { page } = await opened({ edited: { type: 'image.edit', version: 1, inputs: { references } } })
  await node(page, 'edited').click()
  const input = page.getByRole('group', { name: 'References' })
  await input.getByRole('button', { name: 'Take one.png away' }).press('Enter')
  await focused(page, input.getByRole('button', { name: 'Take two.png away' }))
  await page.keyboard.press('Enter')
  await focused(page, input.getByRole('button', { name: 'Upload' }))
  expect(await input.getByRole('button', { name: /^Take/ }).count()).toBe(0)
})

test('the panel of a node of a run that is closed leaves the focus to the canvas', async () => {
  const { id } = await makeRun(app.service, definitionOf({ first: text }), { execute: false })
  const page = await app.open(`/runs/${id}?node=first`)
  await page.getByRole('button', { name: 'Close the node' }).press('Enter')
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  await expect.poll(() => focusedName(page)).toBe('Canvas')
})

test('a run that is cancelled by keyboard leaves the focus to the canvas', async () => {
  const { id } = await makeRun(app.service, definitionOf({ first: text }), { execute: false })
  await app.service.post(`/api/v1/runs/${id}/start`, {})
  const page = await app.open(`/runs/${id}`)
  await page.getByRole('button', { name: 'Cancel' }).press('Enter')
  await page.getByRole('status').filter({ hasText: 'Cancelled' }).waitFor()
  await expect.poll(() => focusedName(page)).toBe('Canvas')
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
