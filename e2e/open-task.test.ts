// Facts about where the focus goes when a task is deleted on its own page, which opens beside the board or, on a phone, over it.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, startApp } from './support/app.ts'
import { cardLink, column } from './support/board.ts'
import { focused, focusIs } from './support/keyboard.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

/** The names of the cards in Backlog, in their order. */
const backlog = (page: Page) => column(page, 'Backlog').getByRole('article').getByRole('link').allTextContents()

/** Opens a card by keyboard and deletes its task by the menu of its page. */
async function deleteOpened(page: Page, name: string): Promise<void> {
  await cardLink(column(page, 'Backlog'), name).press('Enter')
  await page.getByRole('button', { name: 'Menu of the task' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Delete' }).press('Enter')
  await page.getByRole('complementary', { name: 'Task' }).waitFor({ state: 'detached' })
}

for (const [where, viewport] of [
  ['beside the board', { width: 1366, height: 768 }],
  ['over the board', { width: 390, height: 780 }],
] as const)
  test(`a task that is deleted on its page ${where} leaves the focus to the next card of its column, or to the column`, async () => {
    const word = where.split(' ')[0]
    for (const at of [1, 2, 3]) await app.make.task({ name: `Gone ${word} ${at}` })
    const page = await app.open(`/?q=Gone ${word}`, { viewport })
    await cardLink(page, `Gone ${word} 3`).waitFor()
    const [first = '', second = '', third = ''] = await backlog(page)
    await deleteOpened(page, first)
    await focusIs(page, second)
    await deleteOpened(page, third)
    await focusIs(page, second)
    expect(await backlog(page)).toEqual([second])
    await deleteOpened(page, second)
    await focused(page, page.getByRole('button', { name: 'New task in Backlog' }))
  })

test('in the gallery, a task that is deleted on its page leaves the focus to the next card there, or to the page', async () => {
  const file = await app.make.file('a film')
  const names = ['Shown 1', 'Shown 2']
  for (const name of names) {
    const { id } = await app.make.task({ name, status: name === 'Shown 1' ? 'backlog' : 'in_progress' })
    await app.make.creative(id, { name: `Of ${name}`, file })
  }
  const page = await app.open('/?q=Shown&layout=gallery')
  const gallery = page.getByRole('region', { name: 'Gallery' })
  const tile = (name: string) => gallery.locator('li').filter({ hasText: name })
  for (const name of names) {
    await gallery.getByRole('link', { name, exact: true }).press('Enter')
    await page.getByRole('button', { name: 'Menu of the task' }).press('Enter')
    await page.getByRole('menuitem', { name: 'Delete' }).press('Enter')
    await page.getByRole('complementary', { name: 'Task' }).waitFor({ state: 'detached' })
    if (name === 'Shown 2') await focused(page, page.getByRole('main'))
    else await tile('Shown 2').locator(':focus').waitFor()
  }
  expect(await gallery.locator('li').count()).toBe(0)
})

test('a task that is closed and not deleted leaves the focus to its card', async () => {
  for (const at of [1, 2]) await app.make.task({ name: `Kept ${at}` })
  const page = await app.open('/?q=Kept')
  await cardLink(page, 'Kept 2').press('Enter')
  await page.getByRole('button', { name: 'Close the task' }).press('Enter')
  await focusIs(page, 'Kept 2')
  expect(await backlog(page)).toHaveLength(2)
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
