// Facts about a page whose session ends while it is open: it asks for a sign-in, and what was changed on it stays and is saved.
import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { definitionOf } from '../server/test/support/definitions.ts'
import { type App, signInLink, startApp } from './support/app.ts'
import { violations } from './support/axe.ts'
import { add, node } from './support/canvas.ts'
import { typeInto } from './support/fields.ts'
import { intercept } from './support/intercept.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const endSession = (page: Page) => page.context().request.delete(`${app.url}/session`, { headers: { origin: app.url } })

/** Signs a person in in a second tab of the page's browser, and tells the page. */
async function signInAgain(page: Page, userId: string): Promise<void> {
  const tab = await page.context().newPage()
  await tab.goto(await signInLink(app.service, app.url, userId))
  await tab.getByRole('button', { name: 'Sign in' }).click()
  await tab.waitForURL((address) => !address.pathname.startsWith('/sign-in'))
  await tab.close()
  // The button has disappeared if the page has already noticed the new session.
  await page.evaluate(
    `[...document.querySelectorAll('button')].find((one) => one.textContent === 'I have opened it')?.click()`,
  )
}

/** Opens a graph, adds a node, and ends the session before that is saved. */
async function signedOutWithAnEdit() {
  const definition = definitionOf({ words: { type: 'input.text', version: 1, params: { value: 'x' } } })
  const { data } = await app.service.post('/api/v1/graphs', { name: 'Begun', definition })
  const page = await app.open(`/graphs/${data.id}`)
  await node(page, 'words').waitFor()
  const held = Promise.withResolvers<Route>()
  let saves = 0
  await intercept(page, `**/api/v1/graphs/${data.id}`, (route) =>
    route.request().method() === 'PATCH' && ++saves === 1 ? held.resolve(route) : route.continue(),
  )
  await add(page, 'number')
  const save = await held.promise
  await endSession(page)
  await save.continue()
  const asked = page.getByRole('dialog', { name: 'Sign in to Atelier' })
  await asked.waitFor()
  return { page, asked, read: async () => (await app.make.read(`/api/v1/graphs/${data.id}`)).definition.nodes }
}

test('an edit that the end of the session kept from being saved is still there after the next sign-in, and saved', async () => {
  const { page, asked, read } = await signedOutWithAnEdit()
  expect(await page.locator('.frame[inert]').count()).toBe(1)
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('Control+k')
  expect(await page.getByRole('dialog').count()).toBe(1)
  await signInAgain(page, app.service.owner.id)
  await asked.waitFor({ state: 'detached' })
  await node(page, 'number').waitFor()
  await expect.poll(async () => Object.keys(await read())).toEqual(['words', 'number'])
  await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor()
})

test('what one typed on a page without a session is gone for whoever else signs in there, who is asked first', async () => {
  const { page, read } = await signedOutWithAnEdit()
  const other = await app.service.person('writer')
  const asked: string[] = []
  page.on('dialog', (dialog) => {
    asked.push(dialog.type())
    void dialog.accept()
  })
  await signInAgain(page, other.id)
  await page.getByRole('button', { name: 'signed in as A writer' }).waitFor()
  expect(asked.every((type) => type === 'beforeunload')).toBe(true)
  await node(page, 'words').waitFor()
  expect(await node(page, 'number').count()).toBe(0)
  expect(Object.keys(await read())).toEqual(['words'])
})

test('text in a field that the end of the session kept from being saved is saved after the next sign-in', async () => {
  const { id } = await app.make.task({ name: 'Begun' })
  const page = await app.open(`/tasks/${id}`)
  const field = page.getByLabel('Hypothesis', { exact: true })
  await field.waitFor()
  const held = Promise.withResolvers<Route>()
  let saves = 0
  await intercept(page, `**/api/v1/tasks/${id}`, (route) =>
    route.request().method() === 'PATCH' && ++saves === 1 ? held.resolve(route) : route.continue(),
  )
  await typeInto(field, 'Not lost')
  await page.keyboard.press('Tab')
  const save = await held.promise
  await endSession(page)
  await save.continue()
  const asked = page.getByRole('dialog', { name: 'Sign in to Atelier' })
  await asked.waitFor()
  await page.getByText('Not saved: you are signed out. It is saved once you sign in.').waitFor()
  await signInAgain(page, app.service.owner.id)
  await asked.waitFor({ state: 'detached' })
  await expect.poll(async () => (await app.make.read(`/api/v1/tasks/${id}`)).hypothesis).toBe('Not lost')
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
