// Facts about the name of a new task that is typed on the board and not added yet: it is not lost.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, startApp } from './support/app.ts'
import { typeInto } from './support/fields.ts'
import { intercept } from './support/intercept.ts'
import { focused } from './support/keyboard.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const plus = (page: Page, column: string) => page.getByRole('button', { name: `New task in ${column}` })
const field = (page: Page, column: string) => page.getByLabel(`Name of a new task in ${column}`)

async function typed(name: string) {
  const page = await app.open('/')
  await plus(page, 'Backlog').click()
  await typeInto(field(page, 'Backlog'), name)
  return page
}

const tasksOf = (name: string) => app.service.rows('select status from tasks where name = $1', [name])

test('a typed name goes along to the column in which + is pressed next, and becomes a task there', async () => {
  const page = await typed('Carried over')
  await plus(page, 'In progress').click()
  await focused(page, field(page, 'In progress'))
  expect(await field(page, 'In progress').inputValue()).toBe('Carried over')
  expect(await field(page, 'Backlog').count()).toBe(0)
  await page.keyboard.press('Enter')
  await expect.poll(() => tasksOf('Carried over')).toEqual([{ status: 'in_progress' }])
  await expect.poll(() => field(page, 'In progress').inputValue()).toBe('')
  await plus(page, 'Backlog').click()
  await focused(page, field(page, 'Backlog'))
  expect(await field(page, 'Backlog').inputValue()).toBe('')
})

test('a typed name is there again after another page, and after the page is loaded again', async () => {
  const page = await typed('Interrupted')
  await page.getByRole('link', { name: 'Lookup' }).click()
  await page.getByLabel('Names or campaign ids').waitFor()
  await page.getByRole('link', { name: 'Board', exact: true }).click()
  await field(page, 'Backlog').waitFor()
  expect(await field(page, 'Backlog').inputValue()).toBe('Interrupted')
  await page.reload()
  await field(page, 'Backlog').waitFor()
  expect(await field(page, 'Backlog').inputValue()).toBe('Interrupted')
  await field(page, 'Backlog').press('Enter')
  await expect.poll(() => tasksOf('Interrupted')).toEqual([{ status: 'backlog' }])
  await expect.poll(() => field(page, 'Backlog').inputValue()).toBe('')
  await page.reload()
  await plus(page, 'Backlog').waitFor()
  expect(await field(page, 'Backlog').count()).toBe(0)
})

test('a name that is being added is not added again in the column in which + is pressed meanwhile', async () => {
  const page = await typed('Once only')
  const answer = Promise.withResolvers<void>()
  await intercept(page, '**/api/v1/tasks', async (route) => {
    if (route.request().method() === 'POST') await answer.promise
    await route.continue()
  })
  const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/api/v1/tasks'))
  await page.keyboard.press('Enter')
  await sent
  await plus(page, 'In progress').click()
  await focused(page, field(page, 'In progress'))
  await page.keyboard.press('Enter')
  answer.resolve()
  await expect.poll(() => field(page, 'In progress').inputValue()).toBe('')
  expect(await tasksOf('Once only')).toEqual([{ status: 'backlog' }])
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
