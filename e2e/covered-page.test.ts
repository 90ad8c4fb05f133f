// Facts about a page that is covered by the viewer or by another dialog: when its session ends, the sign-in is above all of that and
// throws nothing away, and the warnings of the page are shown where the user looks.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, signInLink, startApp } from './support/app.ts'
import { violations } from './support/axe.ts'
import { typeInto } from './support/fields.ts'
import { focused } from './support/keyboard.ts'
import { pictureOf } from './support/picture.ts'
import { keepShot } from './support/shots.ts'
import { isClosed, shows, viewer } from './support/viewer.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

/** Opens a picture of a new task in the viewer. */
async function openPicture(name: string): Promise<Page> {
  const { task, creatives } = await app.make.taskWith([`${name} 1`], { name, status: 'tech_check' })
  await app.service.patch(`/api/v1/creatives/${creatives[0]?.id}`, { file: await pictureOf(app, '#24508c') })
  const page = await app.open(`/tasks/${task.id}#creatives`)
  await page.locator('.frame[data-live="live"]').waitFor()
  await page.getByRole('button', { name: `Open the file of ${name} 1` }).click()
  await shows(page, `${name} 1`, '400 × 300')
  return page
}

/** Breaks all connections to the service, as an unreliable network does. Pages then open their connections for changes again. */
const breakConnections = () => app.service.app.server.server.closeAllConnections()

const asked = (page: Page) => page.getByRole('dialog', { name: 'Sign in to Atelier' })

/** Ends the session of the page, which notices it as soon as it opens its connection for changes again. */
async function endSession(page: Page): Promise<void> {
  await page.context().request.delete(`${app.url}/session`, { headers: { origin: app.url } })
  breakConnections()
  await asked(page).waitFor()
}

/** Signs a user in in a second tab of the page's browser. */
async function signInBeside(page: Page, userId: string): Promise<void> {
  const tab = await page.context().newPage()
  await tab.goto(await signInLink(app.service, app.url, userId))
  await tab.getByRole('button', { name: 'Sign in' }).click()
  await tab.waitForURL((address) => !address.pathname.startsWith('/sign-in'))
  await tab.close()
}

/** Presses keys that would close what the sign-in covers, looks whether its button can be clicked, and signs in again. */
async function signInAgain(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'I have opened it' })
  // A trial fails if something lies above the button, or if nothing outside an open dialog can be clicked.
  await button.click({ trial: true })
  await button.focus()
  for (const key of ['Escape', 'Escape', 'Control+k']) await page.keyboard.press(key)
  await button.click({ trial: true })
  expect(await violations(page)).toEqual([])
  await signInBeside(page, app.service.owner.id)
  // The button has disappeared if the page has already noticed the new session.
  await page.evaluate(
    `[...document.querySelectorAll('button')].find((one) => one.textContent === 'I have opened it')?.click()`,
  )
  await asked(page).waitFor({ state: 'detached' })
}

test('when the session ends while the viewer is open, one can sign in, and goes on where one was', async () => {
  const page = await openPicture('Signed out')
  const comment = viewer(page).getByLabel('Comment on version 1')
  await typeInto(comment, 'A long thought')
  await endSession(page)
  await keepShot(page, 'sign-in-over-viewer')
  // What the user does not get is said above the sign-in, and not below it in the viewer.
  await page.getByRole('button', { name: 'I have opened it' }).click()
  await asked(page).getByText('This browser is not signed in yet').waitFor()
  await signInAgain(page)
  await focused(page, comment)
  expect(await comment.inputValue()).toBe('A long thought')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await isClosed(page)
})

test('the sign-in is also above a form, and above a dialog that opens later, and what is typed there stays', async () => {
  const page = await app.open('/automations')
  await page.locator('.frame[data-live="live"]').waitFor()
  await page.getByRole('button', { name: 'New automation' }).click()
  const name = page.getByRole('dialog', { name: 'New automation' }).getByLabel('Name')
  await typeInto(name, 'Statics for all')
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('combobox', { name: /^Go to a task/ })
  await typeInto(palette, 'night owls')
  await endSession(page)
  await signInAgain(page)
  await focused(page, palette)
  expect(await palette.inputValue()).toBe('night owls')
  await page.keyboard.press('Escape')
  await palette.waitFor({ state: 'detached' })
  await focused(page, name)
  expect(await name.inputValue()).toBe('Statics for all')
})

test('a picture that is still opening when the session ends does not open above the sign-in', async () => {
  const { task, creatives } = await app.make.taskWith(['Late 1'], { name: 'Late', status: 'tech_check' })
  await app.service.patch(`/api/v1/creatives/${creatives[0]?.id}`, { file: await pictureOf(app, '#8c5024') })
  const page = await app.open('/people', { cold: true })
  const held = Promise.withResolvers<void>()
  await page.route('**/assets/viewer-*.js', async (route) => {
    await held.promise
    await route.continue()
  })
  await page.goto(`${app.url}/tasks/${task.id}#creatives`)
  await page.locator('.frame[data-live="live"]').waitFor()
  await page.getByRole('button', { name: 'Open the file of Late 1' }).click()
  await endSession(page)
  held.resolve()
  const dialogs = page.locator('dialog[open]')
  await expect.poll(() => dialogs.count()).toBe(2)
  await signInAgain(page)
  await shows(page, 'Late 1', '400 × 300')
  await page.keyboard.press('Escape')
  await isClosed(page)
})

test('that one is offline is said in the viewer and in a dialog too', async () => {
  const page = await openPicture('Offline')
  await page.context().setOffline(true)
  const told = viewer(page).getByText('You are offline.')
  await told.click({ trial: true })
  expect(await violations(page)).toEqual([])
  await keepShot(page, 'viewer-offline')
  // Nothing that can be pressed is below the warning.
  await viewer(page).getByRole('button', { name: 'Close' }).click()
  await isClosed(page)
  await page.getByRole('button', { name: 'Menu of Offline 1' }).click()
  await page.getByRole('menuitem', { name: 'Record a launch' }).click()
  await page.getByRole('dialog').getByText('You are offline.').click({ trial: true })
  await keepShot(page, 'dialog-offline')
  await page.context().setOffline(false)
  await page.getByText('You are offline.').first().waitFor({ state: 'detached' })
})

test('that somebody else has signed in is said in the viewer, where the page can be loaded again', async () => {
  const page = await openPicture('Replaced')
  const other = await app.service.person('writer')
  await signInBeside(page, other.id)
  breakConnections()
  const warning = viewer(page).getByRole('alert').filter({ hasText: 'Somebody else has signed in' })
  await warning.waitFor()
  expect(await violations(page)).toEqual([])
  await warning.getByRole('button', { name: 'Load again' }).click()
  await page.getByRole('button', { name: 'signed in as A writer' }).waitFor()
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
