// Facts about the tabs of a task: the address names the open one, so that a reload, a link and Back lead to it.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, startApp } from './support/app.ts'
import { cardLink } from './support/board.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const panel = (page: Page) => page.getByRole('complementary', { name: 'Task' })
const tab = (page: Page, name: string, selected?: boolean) =>
  panel(page).getByRole('tab', { name, ...(selected === undefined ? {} : { selected }) })
const hashIs = (page: Page, hash: string) => expect.poll(() => new URL(page.url()).hash).toBe(hash)

test('a reload, a copied address and Back from another page find the tab of a task again', async () => {
  const task = await app.make.task({ name: 'With tabs' })
  const page = await app.open('/?q=With')
  await cardLink(page, 'With tabs').press('Enter')
  await tab(page, 'Details', true).waitFor()
  await tab(page, 'Runs').click()
  await hashIs(page, '#runs')
  expect(new URL(page.url()).search).toBe('?q=With')
  await page.reload()
  await tab(page, 'Runs', true).waitFor()
  const other = await app.open(page.url().slice(app.url.length))
  await tab(other, 'Runs', true).waitFor()

  await tab(page, 'Comments').press('Enter')
  await hashIs(page, '#comments')
  await page.getByRole('link', { name: 'Graphs', exact: true }).first().click()
  await page.getByRole('heading', { name: 'Graphs', level: 1 }).waitFor()
  await page.goBack()
  await tab(page, 'Comments', true).waitFor()
  await tab(page, 'Details').click()
  await hashIs(page, '')
  // Tabs have no entries of their own in the browser's history.
  await page.goBack()
  await panel(page).waitFor({ state: 'detached' })
  expect(page.url()).toBe(`${app.url}/?q=With`)
  await page.goForward()
  await tab(page, 'Details', true).waitFor()
  expect(new URL(page.url()).pathname).toBe(`/tasks/${task.id}`)
})

test('Back from a link to another tab of the same task leads to the tab that was open', async () => {
  const task = await app.make.task({ name: 'Linked to', assignee_id: app.service.owner.id })
  await app.make.comment(task.id, 'Look here')
  const page = await app.open(`/tasks/${task.id}`)
  await tab(page, 'Details', true).waitFor()
  await page.evaluate(`location.hash = '#comments'`)
  await tab(page, 'Comments', true).waitFor()
  await panel(page).getByText('Look here').waitFor()
  await page.goBack()
  await tab(page, 'Details', true).waitFor()
  await page.goForward()
  await tab(page, 'Comments', true).waitFor()
  expect(await tab(page, 'Details', true).count()).toBe(0)
})

test('a search of the board beside a task leaves the tab of the task', async () => {
  const task = await app.make.task({ name: 'Beside the board' })
  const page = await app.open(`/tasks/${task.id}#activity`)
  await tab(page, 'Activity', true).waitFor()
  await page.getByLabel('Search tasks').fill('Beside')
  await page.waitForURL((address) => address.search === '?q=Beside')
  expect(await tab(page, 'Activity', true).count()).toBe(1)
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
