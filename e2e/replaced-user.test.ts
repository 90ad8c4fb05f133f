// Facts about a page that is open while another person signs in, in the same browser: the page does nothing in that person's name.
import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, signInLink, startApp } from './support/app.ts'
import { violations } from './support/axe.ts'
import { typeInto } from './support/fields.ts'
import { intercept } from './support/intercept.ts'

let app: App
let other: { id: string }
beforeAll(async () => {
  app = await startApp()
  other = await app.service.person('writer')
})
afterAll(() => app.close())

/** Signs a person in in a second tab of the page's browser. */
async function signInBeside(page: Page, userId: string): Promise<Page> {
  const tab = await page.context().newPage()
  await tab.goto(await signInLink(app.service, app.url, userId))
  await tab.getByRole('button', { name: 'Sign in' }).click()
  await tab.waitForURL((address) => !address.pathname.startsWith('/sign-in'))
  return tab
}

/** Breaks all connections to the service, as an unreliable network does. Pages then open their connections for changes again. */
const breakConnections = () => app.service.app.server.server.closeAllConnections()

const signedInAs = (page: Page, name: string) => page.getByRole('button', { name: `signed in as ${name}` })
const warning = (page: Page) => page.getByRole('alert').filter({ hasText: 'Somebody else has signed in' })
const hypothesis = (page: Page) =>
  page.getByRole('complementary', { name: 'Task' }).getByLabel('Hypothesis', { exact: true })

/** Opens a new task for the owner, and records the methods and tokens of the writes to the task that the page sends from now on. */
async function openTask(name: string) {
  const task = await app.make.task({ name, hypothesis: 'As it was' })
  const page = await app.open(`/tasks/${task.id}`)
  await hypothesis(page).waitFor()
  const writes: Route[] = []
  await intercept(page, `**/api/v1/tasks/${task.id}`, (route) =>
    route.request().method() === 'GET' ? route.continue() : writes.push(route),
  )
  const saved = async () => (await app.make.read(`/api/v1/tasks/${task.id}`)).hypothesis
  return { task, page, writes, saved }
}

test('a change that is refused because somebody else has signed in is not sent again in their name, nor after a reload', async () => {
  const { page, writes, saved } = await openTask('Begun by the owner')
  await typeInto(hypothesis(page), 'A thought of the owner')
  await hypothesis(page).blur()
  await expect.poll(() => writes.length).toBe(1)
  const tab = await signInBeside(page, other.id)
  await writes[0]?.continue()
  await warning(page).waitFor()
  await expect.poll(() => page.getByText('so this was not done').count()).toBeGreaterThan(0)
  expect(await hypothesis(page).inputValue()).toBe('A thought of the owner')
  expect(await violations(page)).toEqual([])

  page.on('dialog', (dialog) => void dialog.accept())
  await warning(page).getByRole('button', { name: 'Load again' }).click()
  await signedInAs(page, 'A writer').waitFor()
  await expect.poll(() => hypothesis(page).inputValue()).toBe('As it was')
  await tab.close()
  expect(writes.length).toBe(1)
  expect(await saved()).toBe('As it was')

  // The text waits in this tab for the person who typed it.
  await signInBeside(page, app.service.owner.id)
  await page.reload()
  await signedInAs(page, 'Owner').waitFor()
  await expect.poll(() => hypothesis(page).inputValue()).toBe('A thought of the owner')
})

test('a page that only follows changes does not go on to follow them in the name of somebody else', async () => {
  const page = await app.open('/')
  await page.locator('.frame[data-live="live"]').waitFor()
  await signInBeside(page, other.id)
  const followed: number[] = []
  page.on('response', (answer) => {
    if (new URL(answer.url()).pathname === '/api/v1/events') followed.push(answer.status())
  })
  breakConnections()
  await warning(page).waitFor()
  expect(followed).toEqual([401])
})

test('signing out in a page does not sign out whoever has signed in since', async () => {
  const page = await app.open('/')
  await signedInAs(page, 'Owner').waitFor()
  const tab = await signInBeside(page, other.id)
  await signedInAs(page, 'Owner').click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByText('so this was not done').first().waitFor()
  await tab.reload()
  await expect.poll(() => signedInAs(tab, 'A writer').count()).toBe(1)
})

test('a page that asks for a sign-in becomes that of whoever signs in', async () => {
  const page = await app.open('/')
  await signedInAs(page, 'Owner').waitFor()
  await page.context().request.delete(`${app.url}/session`, { headers: { origin: app.url } })
  // The page may already have noticed that the session has ended, and shows the sign-in instead of the link.
  await page.evaluate(`document.querySelector('a[href="/graphs"]')?.click()`)
  await page.getByRole('heading', { name: 'Sign in to Atelier' }).waitFor()
  await signInBeside(page, other.id)
  await page.getByRole('button', { name: 'I have opened it' }).click()
  await signedInAs(page, 'A writer').waitFor()
  expect(await warning(page).count()).toBe(0)
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
