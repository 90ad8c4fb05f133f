// Facts about the main job of the product, from an empty card to a live creative that the lookup finds: it takes few clicks, and
// can be done by keyboard alone.
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { staticsFromCard } from '../server/src/features/demo/graphs.ts'
import { eventually } from '../server/test/support/eventually.ts'
import { type App, startApp } from './support/app.ts'
import { violations } from './support/axe.ts'
import { columnsRead } from './support/board.ts'
import { focused } from './support/keyboard.ts'
import { keepShot } from './support/shots.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
  await app.service.app.worker.start()
  await app.service.post('/api/v1/graphs', staticsFromCard())
})
afterAll(() => app.close())

// Presses are counted at the document, not at the window. If an element has moved away under the pointer, Playwright stops the
// press at the window and presses again; the stopped press must not count.
const counted = `
  globalThis.presses = 0
  document.addEventListener('pointerdown', () => { globalThis.presses += 1 }, { capture: true })`
const presses = (page: Page): Promise<number> => page.evaluate('globalThis.presses')

/** Types into the field to which the app has moved the focus. The test does not click into fields, because it counts clicks. */
async function type(page: Page, place: Locator, text: string): Promise<void> {
  await focused(page, place)
  await page.keyboard.type(text)
}

const panel = (page: Page) => page.getByRole('complementary', { name: 'Task' })
/** Waits until the newest run has succeeded, and the page says so. To draw its ads takes long on a busy machine. */
const succeeded = async (page: Page) => {
  const newest = () => app.service.rows('select status from runs order by created_at desc limit 1')
  await eventually(async () => expect(await newest()).toEqual([{ status: 'succeeded' }]))
  await page.getByRole('status').filter({ hasText: 'Succeeded' }).waitFor()
}
const quickAdd = (page: Page, column: string) => page.getByLabel(`Name of a new task in ${column}`)
const commands = (page: Page) => page.getByRole('combobox', { name: /^Go to a task|^Which graph|^To which column/ })
const idOf = (page: Page): string => new URL(page.url()).pathname.split('/').at(-1) ?? ''
const taskNow = (id: string) => app.make.read(`/api/v1/tasks/${id}`)
const namesOn = async (id: string): Promise<string[]> => {
  const { items } = await app.make.read(`/api/v1/tasks/${id}/creatives`)
  return items.map(({ name }: { name: string }) => name).toSorted()
}
/** Expects that both planned creatives of the task were made, and that the task is done and live. */
async function expectDone(id: string, adId: string): Promise<void> {
  const task = await taskNow(id)
  expect(task).toMatchObject({ status: 'done', count: 2, ad_id: adId })
  expect(task.planned_creative_names).toHaveLength(2)
  expect(await namesOn(id)).toEqual(task.planned_creative_names.toSorted())
  expect([task.submitted_at, task.completed_at, task.launched_at]).not.toContain(null)
}
const lookedUp = async (page: Page, name: string, adId: string) => {
  const row = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) })
  await row.getByRole('cell', { name: adId, exact: true }).waitFor()
}

test('the first job takes at most twenty clicks, typing not counted', async () => {
  const page = await app.open('/')
  await page.evaluate(counted)
  await page.getByRole('button', { name: 'New task in In progress' }).click()
  await type(page, quickAdd(page, 'In progress'), 'Cool side of the pillow')
  await page.keyboard.press('Shift+Enter')
  const task = panel(page)
  await task.getByRole('button', { name: 'Add variant' }).click()
  await type(page, page.getByRole('dialog').getByLabel('Key'), '')
  await page.keyboard.press('Enter')
  await task.getByRole('cell', { name: 'V1', exact: true }).waitFor()
  await task.getByLabel('Count', { exact: true }).click()
  await page.keyboard.type('2')
  await page.keyboard.press('Enter')
  const id = idOf(page)
  await expect.poll(async () => (await taskNow(id)).count).toBe(2)
  await task.getByRole('tab', { name: 'Runs' }).click()
  await page.getByRole('option', { name: /^Static ads in five placements/ }).click()
  await task.getByRole('button', { name: 'Start the run' }).click()
  await page.getByRole('button', { name: 'Go on with this' }).click()
  const gate = page.getByRole('region', { name: 'Which picture goes on?' })
  await gate.getByRole('button', { name: /^Roll again.*, option 2$/ }).click()
  await gate.getByText('New', { exact: true }).waitFor()
  await gate.getByRole('button', { name: 'Choose option 2' }).click()
  await succeeded(page)
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Export to a task' })
  await dialog.getByRole('checkbox', { name: 'ads · Ads', exact: true }).click()
  await dialog.getByRole('checkbox', { name: 'ads · Ads, item 1' }).click()
  await dialog.getByRole('checkbox', { name: 'ads · Ads, item 2' }).click()
  await dialog.getByRole('button', { name: 'Export 2 files' }).click()
  await dialog.getByRole('link', { name: 'Open the card' }).click()
  for (const check of ['Tech check', 'Creative check', 'Done']) {
    await task.getByRole('button', { name: `Move on to ${check}` }).click()
    await expect.poll(() => task.getByRole('combobox', { name: 'Column' }).inputValue()).toBe(check)
  }
  await task.getByRole('button', { name: 'Record the launch' }).click()
  await type(page, page.getByLabel('Campaign id'), '23852150404470001')
  await page.keyboard.press('Enter')
  await page.getByText('Recorded as live under 23852150404470001').waitFor()
  await page.getByRole('button', { name: 'Go to or do' }).click()
  const [name = ''] = await namesOn(id)
  await type(page, commands(page), name)
  await page.getByRole('option', { name: `Look up ${name}` }).waitFor()
  expect(await violations(page)).toEqual([])
  await keepShot(page, 'commands')
  await page.keyboard.press('Enter')
  await lookedUp(page, name, '23852150404470001')
  await expectDone(id, '23852150404470001')
  expect(await presses(page)).toBeLessThanOrEqual(20)
})

/** Executes a command with the command palette: types the name of the command, then each argument, and Enter after each text. */
async function command(page: Page, ...texts: string[]): Promise<void> {
  await page.keyboard.press('Control+k')
  for (const text of texts) {
    await type(page, commands(page).and(page.locator('[value=""]')), text)
    await page.keyboard.press('Enter')
  }
}

test('the first job is done by keyboard alone', async () => {
  const page = await app.open('/')
  await page.evaluate(counted)
  await columnsRead(page, 'Backlog')
  await page.keyboard.press('n')
  await type(page, quickAdd(page, 'Backlog'), 'By keyboard')
  await page.keyboard.press('Shift+Enter')
  const task = panel(page)
  await focused(page, task)
  const id = idOf(page)
  await task.getByLabel('Count', { exact: true }).waitFor()
  await tabToField(page, task.getByLabel('Count', { exact: true }))
  await page.keyboard.type('2')
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await taskNow(id)).count).toBe(2)
  await tabToField(page, task.getByRole('button', { name: 'Add variant' }))
  await page.keyboard.press('Enter')
  await type(page, page.getByRole('dialog').getByLabel('Key'), '')
  await page.keyboard.press('Enter')
  await task.getByRole('cell', { name: 'V1', exact: true }).waitFor()
  await command(page, 'run', 'static')
  const headline = page.getByLabel('Is this the headline?')
  await type(page, headline, 'Cool: ')
  await page.keyboard.press('Control+Enter')
  const gate = page.getByRole('region', { name: 'Which picture goes on?' })
  const options = [1, 2].map((number) => gate.getByRole('button', { name: `Option ${number}`, exact: true }))
  await focused(page, options[0] ?? gate)
  await page.keyboard.press('ArrowRight')
  await focused(page, options[1] ?? gate)
  // The options are shown a moment before the run waits at the gate. Only then can an option be rolled again.
  await expect.poll(() => gate.getByRole('button', { name: /^Roll again.*, option 2$/ }).isEnabled()).toBe(true)
  await page.keyboard.press('r')
  await gate.getByText('New', { exact: true }).waitFor()
  await expect.poll(() => gate.getByRole('button', { name: 'Choose option 2' }).isEnabled()).toBe(true)
  await page.keyboard.press('2')
  await gate.getByRole('button', { name: 'Option 2, picked' }).waitFor()
  await page.keyboard.press('Enter')
  await succeeded(page)
  await focused(page, page.getByRole('complementary', { name: 'Inspector' }))
  await tabToField(page, page.getByRole('button', { name: 'Export', exact: true }), 'Shift+Tab')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Export to a task' })
  await tabToField(page, dialog.getByRole('checkbox', { name: 'ads · Ads', exact: true }))
  await page.keyboard.press('Space')
  for (const item of [1, 2]) {
    await tabToField(page, dialog.getByRole('checkbox', { name: `ads · Ads, item ${item}` }))
    await page.keyboard.press('Space')
  }
  const send = dialog.getByRole('button', { name: 'Export 2 files' })
  await send.waitFor()
  await tabToField(page, send)
  await page.keyboard.press('Enter')
  const open = dialog.getByRole('link', { name: 'Open the card' })
  await focused(page, open)
  await page.keyboard.press('Enter')
  await focused(page, task)
  for (const check of ['Tech check', 'Creative check', 'Done']) {
    await command(page, 'move', check)
    await expect.poll(() => task.getByRole('combobox', { name: 'Column' }).inputValue()).toBe(check)
  }
  await tabToField(page, task.getByRole('button', { name: 'Record the launch' }))
  await page.keyboard.press('Enter')
  await type(page, page.getByLabel('Campaign id'), '23852150404470002')
  await page.keyboard.press('Enter')
  await page.getByText('Recorded as live under 23852150404470002').waitFor()
  const [name = ''] = await namesOn(id)
  await command(page, name)
  await lookedUp(page, name, '23852150404470002')
  await expectDone(id, '23852150404470002')
  expect(await presses(page)).toBe(0)
})

/** Presses Tab (or Shift+Tab) until the element `place` has the focus. */
async function tabToField(page: Page, place: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await place.waitFor()
  for (let steps = 0; steps < 80; steps += 1) {
    if ((await place.and(page.locator(':focus')).count()) > 0) return
    await page.keyboard.press(key)
  }
  throw new Error(`${key} never came to what was meant.`)
}

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
