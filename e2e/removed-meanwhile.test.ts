// Facts about text that a user is typing into a record when another user removes that record: the text stays visible, and the focus is
// not lost.
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, startApp } from './support/app.ts'
import { violations } from './support/axe.ts'
import { typeInto } from './support/fields.ts'
import { focused, focusIs } from './support/keyboard.ts'

let app: App
/** “A writer” types, and “A admin” removes. */
let writer: { id: string; token: string }
let admin: { id: string; token: string }
beforeAll(async () => {
  app = await startApp()
  writer = await app.service.person('writer')
  admin = await app.service.person('admin')
})
afterAll(() => app.close())

async function openLive(path: string): Promise<Page> {
  const page = await app.open(path, { userId: writer.id })
  await page.locator('.frame[data-live="live"]').waitFor()
  return page
}

const note = (page: Page): Locator => page.getByRole('alert').filter({ hasText: 'What you wrote is not saved' })
const typed = (page: Page): Locator => note(page).getByRole('textbox', { name: 'What you wrote' })
const press = (page: Page, name: string) => note(page).getByRole('button', { name, exact: true }).press('Enter')

async function expectNote(page: Page, words: string, text: string): Promise<void> {
  await note(page).getByText(words).waitFor()
  expect(await typed(page).inputValue()).toBe(text)
  await focused(page, typed(page))
}

test('the changed text of a comment that another deletes stays, and can be made a comment or discarded', async () => {
  const task = await app.make.task({ name: 'Commented' })
  const comments: { id: string }[] = []
  for (const text of ['First', 'Second']) comments.push(await app.make.comment(task.id, text, { token: writer.token }))
  const page = await openLive(`/tasks/${task.id}#comments`)
  const field = page.getByRole('textbox', { name: 'Change the comment' })
  const row = (text: string) =>
    page.getByRole('list', { name: 'Comments' }).getByRole('listitem').filter({ hasText: text })
  const change = async (from: string, to: string) => {
    await row(from)
      .getByRole('button', { name: /^Menu of the comment of/ })
      .press('Enter')
    await page.getByRole('menuitem', { name: 'Edit' }).press('Enter')
    await focused(page, field)
    await typeInto(field, to)
  }
  const remove = (at: number) => app.service.del(`/api/v1/comments/${comments[at]?.id}`, { token: admin.token })
  await change('First', 'My long thought')
  await remove(0)
  await expectNote(page, 'A admin deleted the comment that you were changing.', 'My long thought')
  expect(await violations(page)).toEqual([])
  page.on('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await note(page).getByText('A admin deleted').waitFor()
  await press(page, 'Make it a comment')
  const fresh = page.getByRole('textbox', { name: 'Write a comment' })
  await focused(page, fresh)
  expect(await fresh.inputValue()).toBe('My long thought')
  await note(page).waitFor({ state: 'detached' })

  await page.locator('.frame[data-live="live"]').waitFor()
  await change('Second', 'Another thought')
  await remove(1)
  await expectNote(page, 'A admin deleted the comment that you were changing.', 'Another thought')
  await press(page, 'Discard')
  await focused(page, fresh)
  expect(await fresh.inputValue()).toBe('My long thought')
  await note(page).waitFor({ state: 'detached' })
})

test('the text in a cell of a variant that another removes stays until it is discarded, or the variant comes back', async () => {
  const [first, second] = [
    { key: 'v1', variation_num: 1 },
    { key: 'v2', variation_num: 2 },
  ]
  const task = await app.make.task({ name: 'With variants', variants: [first, second] })
  const page = await openLive(`/tasks/${task.id}`)
  const patch = (variants: unknown) =>
    app.service.patch(`/api/v1/tasks/${task.id}`, { variants }, { token: admin.token })
  const cell = page.getByLabel('Audience of variant v1')
  await typeInto(cell, 'Night owls')
  await patch([second])
  await expectNote(page, 'A admin removed the variant V1 while you were changing its audience.', 'Night owls')
  expect(await violations(page)).toEqual([])

  await patch([first, second])
  await cell.waitFor()
  await note(page).waitFor({ state: 'detached' })
  expect(await cell.inputValue()).toBe('Night owls')
  await focused(page, page.getByRole('complementary', { name: 'Task' }))

  await cell.focus()
  await patch([second])
  await expectNote(page, 'A admin removed the variant V1', 'Night owls')
  await press(page, 'Discard')
  await note(page).waitFor({ state: 'detached' })
  await focused(page, page.locator('.variant-scroll'))

  // Nothing was typed, so that there is nothing to tell.
  await page.getByLabel('Audience of variant v2').focus()
  await patch([])
  await focused(page, page.getByRole('complementary', { name: 'Task' }))
  expect(await note(page).count()).toBe(0)
})

test('the name that one is giving a creative stays when another deletes the creative, until it is discarded', async () => {
  const task = await app.make.task({ name: 'With creatives' })
  const creative = await app.make.creative(task.id, { name: 'A hero' })
  await app.make.creative(task.id, { name: 'B hero' })
  const page = await openLive(`/tasks/${task.id}#creatives`)
  await typeInto(page.getByLabel('Name of A hero'), 'A better name')
  await app.service.del(`/api/v1/creatives/${creative.id}`, { token: admin.token })
  await expectNote(page, 'A admin deleted the creative “A hero” while you were changing its name.', 'A better name')
  expect(await violations(page)).toEqual([])
  await press(page, 'Discard')
  await note(page).waitFor({ state: 'detached' })
  await focusIs(page, 'Name of B hero')
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
