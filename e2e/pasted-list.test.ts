// Facts about a list of names that is pasted where tasks are added to a column.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, startApp } from './support/app.ts'
import { intercept } from './support/intercept.ts'
import { keepShot } from './support/shots.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

/** Opens the field for a new task in the backlog and pastes a text into it. */
async function paste(page: Page, text: string) {
  const button = page.getByRole('button', { name: 'New task in Backlog' })
  const field = page.getByLabel('Name of a new task in Backlog')
  if ((await field.count()) === 0) await button.click()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`)
  await field.press('ControlOrMeta+v')
  return field
}

const namesOf = async (beginning: string) => {
  const rows = await app.service.rows('select name from tasks where name like $1 order by name', [`${beginning}%`])
  return rows.map(({ name }) => name)
}

test('a pasted list becomes a task for each line by Enter, and by the other button one name', async () => {
  const page = await app.open('/')
  const field = await paste(page, 'Listed one\n- Listed two\r\n\nListed three\n')
  const list = page.getByRole('group', { name: 'Pasted list' })
  await list.getByText('3 lines were pasted.').waitFor()
  await keepShot(page, 'pasted-list')
  await page.keyboard.press('Enter')
  await page.getByText('3 tasks added').waitFor()
  expect(await namesOf('Listed')).toEqual(['Listed one', 'Listed three', 'Listed two'])
  await page.getByRole('link', { name: /Listed two/ }).waitFor()

  await paste(page, 'Joined one\nJoined two')
  await list.getByRole('button', { name: 'As one name' }).click()
  expect(await field.inputValue()).toBe('Joined one Joined two')
  await field.fill('Typed before ')
  await paste(page, 'Left\nalone')
  await page.keyboard.press('Escape')
  await list.waitFor({ state: 'detached' })
  expect(await field.inputValue()).toBe('Typed before ')
  expect(await namesOf('Joined')).toEqual([])
})

test('what of a pasted list could not be added stays, and is added by another press, no task twice', async () => {
  const page = await app.open('/')
  await paste(page, 'Broken one\nBroken two\nBroken three')
  let sent = 0
  await intercept(page, '**/api/v1/tasks', (route) => {
    sent += route.request().method() === 'POST' ? 1 : 0
    return sent === 2 ? route.abort() : route.continue()
  })
  await page.keyboard.press('Enter')
  const list = page.getByRole('group', { name: 'Pasted list' })
  await list.getByText(/^1 of 3 were added\./).waitFor()
  await page.keyboard.press('Enter')
  await page.getByText('3 tasks added').waitFor()
  expect(await namesOf('Broken')).toEqual(['Broken one', 'Broken three', 'Broken two'])
})

test('a list with a name that is too long is refused before any task is made', async () => {
  const page = await app.open('/')
  await paste(page, `Long one\n${'x'.repeat(256)}`)
  const list = page.getByRole('group', { name: 'Pasted list' })
  await list.getByText('Name 2 has more than 255 characters.').waitFor()
  expect(await list.getByRole('button', { name: 'Add 2 tasks' }).isDisabled()).toBe(true)
  expect(await namesOf('Long')).toEqual([])
})
