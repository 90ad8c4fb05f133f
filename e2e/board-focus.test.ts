// Facts about the focus on the board: it is never lost, nor behind an open task; and about what a search tells a screen reader.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, startApp } from './support/app.ts'
import { cardLink, column } from './support/board.ts'
import { typeInto } from './support/fields.ts'
import { focused, focusIs } from './support/keyboard.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

async function makeTasks(...names: string[]): Promise<void> {
  for (const name of names) await app.make.task({ name })
}

/** The names of the cards in Backlog, in their order. */
const backlog = (page: Page) => column(page, 'Backlog').getByRole('article').getByRole('link').allTextContents()

test('deleting cards by the menu or in bulk focuses the next card, and restoring one does so in Deleted', async () => {
  await makeTasks('Leave 1', 'Leave 2', 'Leave 3', 'Leave 4', 'Leave 5')
  const page = await app.open('/?q=Leave')
  await cardLink(page, 'Leave 5').waitFor()
  const [first = '', second = '', third = '', fourth = '', fifth = ''] = await backlog(page)
  await cardLink(page, first).focus()
  await page.keyboard.press('m')
  await page.getByRole('menuitem', { name: 'Delete' }).press('Enter')
  await cardLink(column(page, 'Deleted'), first).waitFor()
  await focusIs(page, second)
  expect(await backlog(page)).toEqual([second, third, fourth, fifth])

  for (const name of [second, third]) {
    await cardLink(page, name).focus()
    await page.keyboard.press('x')
  }
  await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).press('Enter')
  await cardLink(column(page, 'Deleted'), third).waitFor()
  await focusIs(page, fourth)

  // The oldest of the deleted cards is the last one. The other two were deleted at once, in either order.
  await page.getByRole('button', { name: `Restore ${first}` }).press('Enter')
  await cardLink(column(page, 'Backlog'), first).waitFor()
  await focused(page, cardLink(column(page, 'Deleted'), second).or(cardLink(column(page, 'Deleted'), third)))

  // No card is left in the column: its button has the focus.
  for (const name of [first, fourth, fifth]) {
    await cardLink(page, name).focus()
    await page.keyboard.press('Delete')
    await cardLink(column(page, 'Deleted'), name).waitFor()
  }
  await focused(page, page.getByRole('button', { name: 'New task in Backlog' }))
})

test('a folded column, the row for new tasks and a removed condition pass the focus on', async () => {
  await makeTasks('Passes on')
  const page = await app.open('/?q=Passes')
  await cardLink(page, 'Passes on').waitFor()
  const unfold = page.getByRole('button', { name: /^Unfold .*Backlog$/ })
  await page.getByRole('button', { name: 'Fold Backlog' }).press('Enter')
  await focused(page, unfold)
  await page.keyboard.press('Enter')
  await focused(page, page.getByRole('button', { name: 'Fold Backlog' }))

  const row = page.getByLabel('Name of a new task in Backlog')
  await page.getByRole('button', { name: 'New task in Backlog' }).press('Enter')
  await focused(page, row)
  await page.keyboard.press('Escape')
  await focused(page, page.getByRole('button', { name: 'New task in Backlog' }))
  await cardLink(page, 'Passes on').focus()
  await page.keyboard.press('n')
  await focused(page, row)
  await page.keyboard.press('Enter')
  await focusIs(page, 'Passes on')

  await page.getByRole('button', { name: 'Filter' }).click()
  const add = page.getByRole('button', { name: 'Add condition' })
  const removers = page.getByRole('button', { name: 'Remove condition' })
  for (const count of [1, 2]) {
    await add.click()
    await expect.poll(() => removers.count()).toBe(count)
  }
  await removers.first().press('Enter')
  await expect.poll(() => removers.count()).toBe(1)
  await focused(page, removers)
  await removers.press('Enter')
  await focused(page, add)
})

test('clearing the selection by its button, or by Escape in its bar, focuses the card that was selected last', async () => {
  await makeTasks('Clears 1', 'Clears 2')
  const page = await app.open('/?q=Clears')
  for (const leave of ['Enter', 'Escape']) {
    for (const name of ['Clears 1', 'Clears 2']) {
      await cardLink(page, name).focus()
      await page.keyboard.press('x')
    }
    await page.getByRole('toolbar').getByRole('button', { name: 'Clear the selection' }).press(leave)
    await page.getByRole('toolbar').waitFor({ state: 'detached' })
    await focusIs(page, 'Clears 2')
    expect(await page.locator('.card[data-selected]').count()).toBe(0)
  }
})

test('the dialog for new names gives the focus back, or passes it on if the card has left', async () => {
  const { task } = await app.make.taskWith(['Taken_01'], { name: 'Names wanted' })
  const { task: other } = await app.make.taskWith([], { name: 'Names kept' })
  for (const { id } of [other, task]) await app.make.deleted(`/api/v1/tasks/${id}`)
  await app.make.taskWith(['Taken_01'], { name: 'Names taken' })
  const page = await app.open('/?q=Names')
  const restore = page.getByRole('button', { name: 'Restore Names wanted' })
  const dialog = page.getByRole('dialog', { name: 'These names were taken meanwhile' })
  await restore.press('Enter')
  await dialog.getByRole('button', { name: 'Leave it deleted' }).press('Enter')
  await dialog.waitFor({ state: 'hidden' })
  await focused(page, restore)
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'Rename and restore' }).press('Enter')
  await dialog.waitFor({ state: 'hidden' })
  await cardLink(column(page, 'Backlog'), 'Names wanted').waitFor()
  await focusIs(page, 'Names kept')
  expect(await backlog(page)).toContain('Names wanted')
})

test('a search tells its outcome once, for all columns together', async () => {
  await makeTasks('Told 1', 'Told 2')
  const page = await app.open('/')
  await cardLink(page, 'Told 1').waitFor()
  // The other status of the board is the one for drags.
  const told = page.locator('.board-main p').and(page.getByRole('status'))
  expect(await told.textContent()).toBe('')
  const field = page.getByLabel('Search tasks by name or number')
  await page.evaluate(`window.loaders = 0
    new MutationObserver(() => {
      const statuses = [...document.querySelectorAll('.board-main [role=status]')]
      window.loaders += statuses.filter(({ textContent }) => textContent.includes('Loading')).length
    }).observe(document.body, { childList: true, subtree: true })`)
  await typeInto(field, 'Told')
  await told.filter({ hasText: '2 tasks match' }).waitFor()
  await typeInto(field, 'Told 2')
  await told.filter({ hasText: '1 task matches' }).waitFor()
  await typeInto(field, 'Nobody has this')
  await told.filter({ hasText: 'Nothing matches' }).waitFor()
  expect(await page.evaluate('window.loaders')).toBe(0)
})

test('in a narrow window, the focus stays out of what an open task covers', async () => {
  await makeTasks('Covers it')
  const page = await app.open('/?q=Covers', { viewport: { width: 800, height: 700 } })
  await cardLink(page, 'Covers it').press('Enter')
  await page.getByLabel('Name of the task').waitFor()
  const place = `(() => {
    const { activeElement } = document
    return activeElement.closest('.board-main, .top-bar, .skip') ? activeElement.textContent : null
  })()`
  for (let steps = 0; steps < 50; steps++) {
    await page.keyboard.press('Tab')
    expect(await page.evaluate(place)).toBe(null)
  }
  // Beside the board, and after it was closed, the task covers nothing.
  const covered = () => page.evaluate("document.querySelectorAll('[inert]').length")
  await expect.poll(covered).toBe(3)
  await page.setViewportSize({ width: 1200, height: 700 })
  await expect.poll(covered).toBe(0)
  await page.setViewportSize({ width: 800, height: 700 })
  await expect.poll(covered).toBe(3)
  await page.getByRole('tab', { name: 'Details' }).press('Escape')
  await focusIs(page, 'Covers it')
  expect(await covered()).toBe(0)
})

test('the focus follows a card that another moves, and goes to the next card of its column if another deletes it', async () => {
  const ids = new Map<string, string>()
  for (const name of ['Theirs 1', 'Theirs 2', 'Theirs 3', 'Theirs 4']) ids.set(name, (await app.make.task({ name })).id)
  const idOf = (name: string): string => ids.get(name) ?? ''
  const page = await app.open('/?q=Theirs')
  await page.locator('.frame[data-live="live"]').waitFor()
  await cardLink(page, 'Theirs 4').waitFor()
  const [first = '', second = '', third = '', fourth = ''] = await backlog(page)
  await cardLink(page, second).focus()
  await app.make.patched(idOf(second), { status: 'in_progress' })
  await focused(page, cardLink(column(page, 'In progress'), second))

  await cardLink(page, first).focus()
  await app.make.deleted(`/api/v1/tasks/${idOf(first)}`)
  await cardLink(column(page, 'Deleted'), first).waitFor()
  await focused(page, cardLink(column(page, 'Backlog'), third))

  // A focus that is elsewhere stays there.
  const search = page.getByLabel('Search tasks by name or number')
  await search.focus()
  await app.make.deleted(`/api/v1/tasks/${idOf(third)}`)
  await cardLink(column(page, 'Deleted'), third).waitFor()
  await focused(page, search)
  expect(await backlog(page)).toEqual([fourth])

  await page.getByRole('button', { name: /^Fold Done$/ }).press('Enter')
  await cardLink(page, fourth).focus()
  await app.make.patched(idOf(fourth), { status: 'done' })
  await focused(page, page.getByRole('button', { name: 'New task in Backlog' }))
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
