// Facts about files that a user adds to a task: each becomes a creative, or a message says why it was refused.
import type { FileChooser, Locator, Page, Route } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, startApp } from './support/app.ts'
import { violations } from './support/axe.ts'
import { card } from './support/board.ts'
import { asksBeforeClosing } from './support/closing.ts'
import { intercept } from './support/intercept.ts'
import { keepShot } from './support/shots.ts'

const limit = 100_000
let app: App
beforeAll(async () => {
  app = await startApp({ ATELIER_FILE_LIMIT: String(limit) })
})
afterAll(() => app.close())

type Chosen = { name: string; mimeType: string; buffer: Buffer }
const picture = (name: string, colour: string): Chosen => ({
  name,
  mimeType: 'image/svg+xml',
  buffer: Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="24" height="16"><rect width="24" height="16" fill="${colour}"/></svg>`,
  ),
})
const tooLarge: Chosen = { name: 'film.mp4', mimeType: 'video/mp4', buffer: Buffer.alloc(limit * 40) }

async function openCreatives(members: Record<string, unknown>): Promise<{ id: string; page: Page }> {
  const { id } = await app.make.task(members)
  const page = await app.open(`/tasks/${id}`)
  await page.getByRole('tab', { name: 'Creatives' }).click()
  await page.getByRole('button', { name: 'Add files' }).waitFor()
  return { id, page }
}

/** Opens the file dialog of a button. The page must have cleared the earlier choice: else a file could not be chosen twice. */
async function openDialog(page: Page, button: string): Promise<FileChooser> {
  const [opened] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: button }).click(),
  ])
  expect(await opened.element().inputValue()).toBe('')
  return opened
}
const choose = async (page: Page, button: string, files: Chosen[]): Promise<void> =>
  (await openDialog(page, button)).setFiles(files)
const creativesOf = async (id: string) => (await app.make.read(`/api/v1/tasks/${id}/creatives`)).items
const rows = (page: Page) => page.getByRole('list', { name: 'Creatives' }).getByRole('listitem')
const alert = (page: Page, file: string) => page.getByRole('alert').filter({ hasText: `“${file}” was not` })

/** The width in pixels of the picture that is shown for a creative; 0 until the picture has been loaded. */
const shownWidth = (page: Page, name: string): Promise<number> =>
  page.evaluate(`document.querySelector('[aria-label="Open the file of ${name}"] img')?.naturalWidth ?? 0`)

test('files become creatives in their order, with the next canonical names, and are shown', async () => {
  const { id, page } = await openCreatives({ name: 'With pictures', count: 3 })
  await choose(page, 'Add files', [picture('b.svg', 'teal'), picture('a.svg', 'tomato')])
  await expect.poll(() => rows(page).count()).toBe(2)
  const made = await creativesOf(id)
  const { planned_creative_names: planned, ...task } = await app.make.read(`/api/v1/tasks/${id}`)
  expect(made.map(({ name }: { name: string }) => name)).toEqual(planned.slice(0, 2))
  expect(task).toMatchObject({ planned_creatives_done: planned.slice(0, 2) })
  for (const { name } of made) await expect.poll(() => shownWidth(page, name)).toBe(24)
  await page.getByRole('heading', { name: 'Planned, not made yet' }).waitFor()
  await page.getByText(planned[2], { exact: true }).waitFor()
})

test('of several files the one that is refused says why, and the others are there', async () => {
  const { id, page } = await openCreatives({ name: 'One too large' })
  await choose(page, 'Add files', [picture('a.svg', 'teal'), tooLarge, picture('b.svg', 'tomato')])
  const told = alert(page, 'film.mp4')
  await told.waitFor()
  expect(await told.textContent()).toContain(String(limit))
  await expect.poll(() => rows(page).count()).toBe(2)
  expect(await creativesOf(id)).toHaveLength(2)
})

test('a refused file leaves the file that was there, and another one can be chosen', async () => {
  const { id, page } = await openCreatives({ name: 'Replaced' })
  await choose(page, 'Add files', [picture('a.svg', 'teal')])
  await expect.poll(() => rows(page).count()).toBe(1)
  const [before] = await creativesOf(id)
  const replace = `Replace the file of ${before.name}`
  await choose(page, replace, [tooLarge])
  await alert(page, 'film.mp4').waitFor()
  expect((await creativesOf(id))[0].file).toBe(before.file)
  await expect.poll(() => shownWidth(page, before.name)).toBe(24)

  await choose(page, replace, [picture('film.mp4', 'tomato')])
  await expect.poll(async () => (await creativesOf(id))[0].file).not.toBe(before.file)
})

test('without a connection an upload says so, and works once there is one', async () => {
  const { id, page } = await openCreatives({ name: 'Offline' })
  const file = picture('a.svg', 'teal')
  await page.context().setOffline(true)
  await choose(page, 'Add files', [file])
  await alert(page, 'a.svg').getByText('cannot be reached').waitFor()
  await page.context().setOffline(false)
  expect(await creativesOf(id)).toEqual([])
  // Choosing the same file again has an effect only because the page has cleared the earlier choice.
  await choose(page, 'Add files', [file])
  await expect.poll(() => rows(page).count()).toBe(1)
})

/** Drags files over an element, and drops them there if `isDropped`. Returns whether the browser would open the files instead. */
async function dropOn(place: Locator, names: string[], isDropped = true): Promise<boolean> {
  const page = place.page()
  const svg = `<svg xmlns='http://www.w3.org/2000/svg' width='24' height='16'></svg>`
  const dataTransfer = await page.evaluateHandle(`(() => {
    const dragged = new DataTransfer()
    for (const name of ${JSON.stringify(names)}) dragged.items.add(new File(["${svg}"], name, { type: 'image/svg+xml' }))
    globalThis.opened = false
    const look = (event) => { globalThis.opened ||= !event.defaultPrevented }
    for (const kind of ['dragover', 'drop']) addEventListener(kind, look, { once: true })
    return dragged
  })()`)
  await place.dispatchEvent('dragover', { dataTransfer })
  if (isDropped) await place.dispatchEvent('drop', { dataTransfer })
  return page.evaluate('globalThis.opened')
}

test('files are dropped anywhere on the creatives; on a planned name the first of them gets that name', async () => {
  const { id, page } = await openCreatives({ name: 'Dropped', count: 4 })
  const { planned_creative_names: planned } = await app.make.read(`/api/v1/tasks/${id}`)
  const panel = page.locator('.creatives')
  expect(await dropOn(panel, ['a.svg'], false)).toBe(false)
  await page.locator('.creatives[data-over]').waitFor()
  expect(await dropOn(page.getByRole('button', { name: planned[2] }), ['a.svg', 'b.svg'])).toBe(false)
  await expect.poll(() => rows(page).count()).toBe(2)
  const names = async () => (await creativesOf(id)).map(({ name }: { name: string }) => name)
  expect(await names()).toEqual([planned[0], planned[2]])
  expect(await dropOn(page.getByRole('button', { name: 'Add without a file' }), ['c.svg', 'd.svg'])).toBe(false)
  await expect.poll(() => rows(page).count()).toBe(4)
  expect(await names()).toEqual(planned)
  await page.locator('.creatives[data-over]').waitFor({ state: 'detached' })
})

test('a file that is dropped where nothing takes files does not replace the app', async () => {
  const { page } = await openCreatives({ name: 'Beside', count: 1 })
  await page.getByRole('tab', { name: 'Comments' }).click()
  expect(await dropOn(page.getByRole('tab', { name: 'Comments' }), ['a.svg'])).toBe(false)
  expect(await dropOn(page.locator('header').first(), ['a.svg'])).toBe(false)
  await page.getByRole('tab', { name: 'Creatives' }).click()
  expect(await rows(page).count()).toBe(0)
})

/** Returns the uploads of a page as they are sent. The first `count` of them wait until the test continues them. */
async function hold(page: Page, count: number): Promise<readonly Route[]> {
  const sent: Route[] = []
  await intercept(page, '**/api/v1/files', (route) => (sent.push(route) > count ? route.continue() : undefined))
  return sent
}

test('files for two names get these names, and the others wait for both', async () => {
  const { id, page } = await openCreatives({ name: 'Two names', count: 4 })
  const { planned_creative_names: planned } = await app.make.read(`/api/v1/tasks/${id}`)
  const uploads = await hold(page, 1)
  // The upload for the first name waits; the name is the next planned one until that upload ends.
  await dropOn(page.getByRole('button', { name: planned[0] }), ['first.svg'])
  await expect.poll(() => uploads.length).toBe(1)
  await dropOn(page.getByRole('button', { name: planned[2] }), ['third.svg', 'other.svg'])
  await dropOn(page.locator('.creatives'), ['last.svg'])
  await expect.poll(() => uploads.length).toBeGreaterThanOrEqual(3)
  await expect.poll(async () => (await creativesOf(id)).map(({ name }: { name: string }) => name)).toContain(planned[2])
  await uploads[0]?.continue()
  await expect.poll(() => rows(page).count()).toBe(4)
  expect((await creativesOf(id)).map(({ name }: { name: string }) => name)).toEqual(planned)
  expect(await page.getByRole('alert').count()).toBe(0)
})

test('if the file for a name is refused, no other file gets the name, and the files that were left out are named', async () => {
  const { id, page } = await openCreatives({ name: 'Refused first', count: 2 })
  const { planned_creative_names: planned } = await app.make.read(`/api/v1/tasks/${id}`)
  await intercept(page, '**/api/v1/files', (route) => route.abort())
  await dropOn(page.getByRole('button', { name: planned[1] }), ['a.svg', 'b.svg', 'c.svg'])
  await alert(page, 'a.svg').waitFor()
  const left = page.getByRole('alert').filter({ hasText: 'Not put on the task either' })
  await left.getByText('“b.svg”, “c.svg”').waitFor()
  expect(await creativesOf(id)).toEqual([])
})

test('an upload is shown again when one comes back to it, lets later files wait, refuses more for its name, and is told at its end elsewhere', async () => {
  const { id, page } = await openCreatives({ name: 'Looked away', count: 3 })
  const uploads = await hold(page, 2)
  await choose(page, 'Add files', [picture('a.svg', 'teal')])
  const shown = page.getByRole('progressbar', { name: 'Upload' })
  await shown.waitFor({ state: 'attached' })
  await page.getByRole('tab', { name: 'Comments' }).click()
  await shown.waitFor({ state: 'detached' })
  await page.getByRole('tab', { name: 'Creatives' }).click()
  await shown.waitFor({ state: 'attached' })
  await dropOn(page.locator('.creatives'), ['b.svg'])
  const { planned_creative_names: planned } = await app.make.read(`/api/v1/tasks/${id}`)
  const place = page.getByRole('button', { name: planned[2] })
  await dropOn(place, ['c.svg'])
  await dropOn(place, ['d.svg'])
  const refused = page.getByRole('alert').filter({ hasText: 'Earlier files are still being uploaded' })
  await refused.getByText('“d.svg”').waitFor()
  expect(uploads).toHaveLength(2)
  await page.getByRole('button', { name: 'Close the task' }).click()
  await page.getByRole('tab', { name: 'Creatives' }).waitFor({ state: 'detached' })
  for (const upload of uploads) await upload.continue()
  await page.getByRole('alert').filter({ hasText: 'The file is on “Looked away”' }).first().waitFor()
  await expect.poll(async () => (await creativesOf(id)).length).toBe(3)
})

test('a task that is left during an upload gets its file, and the page is not closed meanwhile without a question', async () => {
  const { id, page } = await openCreatives({ name: 'Left meanwhile' })
  const { promise: uploading, resolve: begun } = Promise.withResolvers<Route>()
  await intercept(page, '**/api/v1/files', begun)
  expect(await asksBeforeClosing(page)).toBe(false)
  await choose(page, 'Add files', [picture('a.svg', 'teal')])
  const upload = await uploading
  await page.getByRole('link', { name: 'Graphs' }).first().click()
  await page.getByRole('heading', { name: 'Graphs', level: 1 }).waitFor()
  expect(await asksBeforeClosing(page)).toBe(true)
  await upload.continue()
  await expect.poll(async () => (await creativesOf(id)).length).toBe(1)
  await expect.poll(() => asksBeforeClosing(page)).toBe(false)
})

/** Resolves when the page has broken off an upload. */
const brokenOff = (page: Page) =>
  page.waitForEvent('requestfailed', (request) => request.url().endsWith('/api/v1/files'))

test('an upload can be cancelled, by keys too: its file is not put on the task, without an error, and the others go on', async () => {
  const { id, page } = await openCreatives({ name: 'Cancelled', count: 3 })
  const { planned_creative_names: planned } = await app.make.read(`/api/v1/tasks/${id}`)
  const focused = () => page.evaluate(`document.activeElement?.textContent`)
  const cancel = (name: string) => page.getByRole('button', { name: `Cancel the upload of ${name}` })
  const uploads = await hold(page, 2)
  await choose(page, 'Add files', [picture('a.svg', 'teal'), picture('b.svg', 'tomato'), picture('c.svg', 'navy')])
  await cancel('a.svg').focus()
  const first = brokenOff(page)
  await page.keyboard.press('Enter')
  await first
  await page.getByText('b.svg (2 of 3)').waitFor()
  expect(await focused()).toBe('Cancel')
  await expect.poll(() => uploads.length).toBe(2)
  await keepShot(page, 'cancel-upload')
  expect(await violations(page)).toEqual([])
  await uploads[1]?.continue()
  await expect.poll(() => rows(page).count()).toBe(2)
  await expect.poll(focused).toBe('Add files')
  expect((await creativesOf(id)).map(({ name }: { name: string }) => name)).toEqual(planned.slice(0, 2))

  // A file that was to replace another one, and one for a planned name.
  await page.unroute('**/api/v1/files')
  await hold(page, 9)
  const [{ name, file }] = await creativesOf(id)
  for (const button of [`Replace the file of ${name}`, planned[2]]) {
    await choose(page, button, [picture('d.svg', 'black')])
    const broken = brokenOff(page)
    await cancel('d.svg').click()
    await broken
    await cancel('d.svg').waitFor({ state: 'detached' })
    await page
      .locator(':focus')
      .and(page.getByRole('button', { name: button }))
      .waitFor()
  }
  expect(await asksBeforeClosing(page)).toBe(false)
  expect(await creativesOf(id)).toMatchObject([{ name, file }, { name: planned[1] }])
  expect(await page.getByRole('alert').count()).toBe(0)
})

test('all files of an upload are cancelled at once, also while they wait for the file of a planned name', async () => {
  const { id, page } = await openCreatives({ name: 'All cancelled', count: 3 })
  const { planned_creative_names: planned } = await app.make.read(`/api/v1/tasks/${id}`)
  const uploads = await hold(page, 1)
  await dropOn(page.getByRole('button', { name: planned[1] }), ['named.svg'])
  await expect.poll(() => uploads.length).toBe(1)
  const stored = page.waitForResponse('**/api/v1/files')
  await dropOn(page.locator('.creatives'), ['a.svg', 'b.svg'])
  // This file has been sent, and waits until the first name is given.
  await (await stored).finished()
  const all = page.getByRole('button', { name: 'Cancel all uploads here' })
  await all.click()
  await all.waitFor({ state: 'detached' })
  await uploads[0]?.continue()
  await expect.poll(() => rows(page).count()).toBe(1)
  expect(await creativesOf(id)).toMatchObject([{ name: planned[1] }])
  expect(uploads).toHaveLength(2)
  expect(await page.getByRole('alert').count()).toBe(0)
})

test('files that are dropped on a card become creatives of its task, as do those dropped on the opened task', async () => {
  const { id } = await app.make.task({ name: 'From the board', count: 2 })
  const { planned_creative_names: planned } = await app.make.read(`/api/v1/tasks/${id}`)
  const page = await app.open('/?q=From+the+board')
  const tile = card(page, 'From the board')
  const uploads = await hold(page, 1)
  expect(await dropOn(tile, ['a.svg'], false)).toBe(false)
  await page.locator('.card[data-over]').waitFor()
  expect(await dropOn(tile, ['a.svg', 'b.svg'])).toBe(false)
  await page.getByText('Uploading 2 files to “From the board” …').waitFor()
  await page.locator('.card[data-over]').waitFor({ state: 'detached' })
  await expect.poll(() => uploads.length).toBe(1)
  await uploads[0]?.continue()
  await page.getByText('2 files are on “From the board”').waitFor()
  expect((await creativesOf(id)).map(({ name }: { name: string }) => name)).toEqual(planned)
  expect(new URL(page.url()).pathname).toBe('/')
})

test('an upload to a card can be cancelled on the board', async () => {
  const { id } = await app.make.task({ name: 'Dropped by mistake' })
  const page = await app.open('/?q=Dropped+by+mistake')
  const uploads = await hold(page, 9)
  await dropOn(card(page, 'Dropped by mistake'), ['a.svg'])
  await expect.poll(() => uploads.length).toBe(1)
  // These wait for the first file, which goes on when they are cancelled.
  await dropOn(card(page, 'Dropped by mistake'), ['b.svg'])
  const told = (name: string) => page.getByRole('alert').filter({ hasText: `Uploading “${name}”` })
  await told('b.svg').getByRole('button', { name: 'Cancel' }).click()
  await dropOn(card(page, 'Dropped by mistake'), ['c.svg'])
  await told('c.svg').waitFor()
  expect(await told('a.svg').count()).toBe(1)
  const broken = brokenOff(page)
  await told('a.svg').getByRole('button', { name: 'Cancel' }).click()
  await broken
  await told('a.svg').waitFor({ state: 'detached' })
  await expect.poll(() => uploads.length).toBe(2)
  await uploads[1]?.continue()
  await page.getByText('The file is on “Dropped by mistake”').waitFor()
  await told('b.svg').waitFor({ state: 'detached' })
  expect(await creativesOf(id)).toHaveLength(1)
})

test('a reader’s board takes no files', async () => {
  const { id } = await app.make.task({ name: 'Only read' })
  const reader = await app.service.person('reader')
  const page = await app.open('/?q=Only+read', { userId: reader.id })
  await card(page, 'Only read').waitFor()
  expect(await dropOn(card(page, 'Only read'), ['a.svg'])).toBe(false)
  expect(await page.getByText('Uploading').count()).toBe(0)
  expect(await creativesOf(id)).toEqual([])
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
