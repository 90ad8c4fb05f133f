// Facts about a page that is open while an update of the service removes the scripts of its version. The page loads itself anew, or
// offers a button for that; it keeps what was typed; and it does not say that the connection is the reason.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, startApp } from './support/app.ts'
import { violations } from './support/axe.ts'
import { cardLink } from './support/board.ts'
import { typeInto } from './support/fields.ts'
import { pictureOf } from './support/picture.ts'
import { keepShot } from './support/shots.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

/**
 * Opens a page, in a browser that has loaded nothing yet. From then on, the service does not have the scripts at `scripts` any more:
 * until the page is loaded again if `isNewThere`, which counts how often, and else for good.
 */
async function openOld(path: string, scripts: string | RegExp, isNewThere = true) {
  const page = await app.open('/tokens', { cold: true })
  let [isGone, loads] = [true, -1]
  await page.route(scripts, (route) => (isGone ? route.fulfill({ status: 404 }) : route.continue()))
  page.on('request', (request) => {
    if (!request.isNavigationRequest()) return
    loads++
    isGone = !isNewThere || loads === 0
  })
  await page.goto(app.url + path)
  return { page, loads: () => loads }
}

const told = (page: Page, what: string) =>
  page.getByText(`It was not possible to load ${what}: the service was probably updated. Load the page again.`)

test('a page that is opened after an update is there at once, in its new version', async () => {
  const { page, loads } = await openOld('/people', '**/assets/lookup-page-*.js')
  await page.getByRole('rowheader', { name: 'Owner' }).waitFor()
  await page.getByRole('link', { name: 'Lookup' }).click()
  await page.getByLabel('Names or campaign ids').waitFor()
  expect(loads()).toBe(1)
})

test('a page whose scripts are not there after that either says so, and is not loaded again and again', async () => {
  const { page, loads } = await openOld('/people', '**/assets/lookup-page-*.js', false)
  await page.getByRole('rowheader', { name: 'Owner' }).waitFor()
  await page.getByRole('link', { name: 'Lookup' }).click()
  await told(page, 'this page').waitFor()
  expect(loads()).toBe(1)
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'Load again' }).click()
  await expect.poll(loads).toBe(2)
  await told(page, 'this page').waitFor()
  expect(loads()).toBe(2)
})

test('a task whose scripts an update has removed says so beside the board, where what was typed stays', async () => {
  await app.make.task({ name: 'Not opened', status: 'backlog' })
  const { page, loads } = await openOld('/', '**/assets/task-page-*.js')
  await cardLink(page, 'Not opened').waitFor()
  await page.getByRole('button', { name: 'New task in Backlog' }).click()
  const name = page.getByLabel('Name of a new task in Backlog')
  await typeInto(name, 'Night owls')
  await cardLink(page, 'Not opened').click()
  await told(page, 'this page').waitFor()
  expect(await name.inputValue()).toBe('Night owls')
  expect(loads()).toBe(0)
  await keepShot(page, 'task-of-old-version')
  await page.getByRole('button', { name: 'Load again' }).click()
  await page.getByLabel('Name of the task').waitFor()
  expect(await name.inputValue()).toBe('Night owls')
})

test('the viewer whose scripts an update has removed says so, and opens after the page is loaded again', async () => {
  const { task, creatives } = await app.make.taskWith(['Large 1'], { name: 'Large', status: 'tech_check' })
  await app.service.patch(`/api/v1/creatives/${creatives[0]?.id}`, { file: await pictureOf(app, '#24508c') })
  const { page, loads } = await openOld(`/tasks/${task.id}#creatives`, '**/assets/viewer-*.js')
  const open = page.getByRole('button', { name: 'Open the file of Large 1' })
  await open.click()
  await told(page, 'the viewer').waitFor()
  expect(loads()).toBe(0)
  await page.getByRole('button', { name: 'Load again' }).click()
  await expect.poll(loads).toBe(1)
  await open.click()
  await page.getByRole('dialog', { name: 'Picture Large 1' }).waitFor()
})

test('the command palette and the filter whose scripts an update has removed say so, and open after the page is loaded again', async () => {
  const { page, loads } = await openOld('/', /\/assets\/(command-dialog|filter-builder)-[^/]*\.js$/)
  const palette = page.getByRole('combobox', { name: /^Go to a task/ })
  await page.getByRole('button', { name: 'Go to or do' }).click()
  await told(page, 'the command palette').waitFor()
  expect(await palette.count()).toBe(0)
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  const filter = page.getByRole('dialog', { name: 'Filter the board' })
  await filter.getByText('It was not possible to load the filter: the service was probably updated.').waitFor()
  expect(await violations(page)).toEqual([])
  expect(loads()).toBe(0)
  // The message about the palette is shown in the dialog too, since nothing beside it can be reached.
  await filter.locator('.state').getByRole('button', { name: 'Load again' }).click()
  await expect.poll(loads).toBe(1)
  await page.getByRole('button', { name: 'Go to or do' }).click()
  await palette.waitFor()
})

test('nothing went wrong in the pages but what they could not load', () => {
  for (const problem of app.problems) expect(problem).toContain('This page could not be loaded')
})
