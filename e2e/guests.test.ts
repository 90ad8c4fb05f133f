// Facts about guests in the browser: with nothing but a link, a guest decides on a phone about an uploaded picture, also on a bad
// connection. These tests are executed on both databases.
import type { Page, Route } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type App, startApp } from './support/app.ts'
import { violations } from './support/axe.ts'
import { filmBytes } from './support/film.ts'
import { enter } from './support/guest.ts'
import { intercept } from './support/intercept.ts'
import { keepShot } from './support/shots.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const picture = (background: string): Promise<Buffer> =>
  sharp({ create: { width: 300, height: 200, channels: 3, background } })
    .png()
    .toBuffer()

/** Uploads a picture to the task that is open in `page`. Returns the row of the new creative in the list of creatives. */
async function upload(page: Page) {
  await page.getByRole('tab', { name: 'Creatives' }).click()
  const add = page.getByRole('button', { name: 'Add files' })
  await add.waitFor()
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), add.click()])
  await chooser.setFiles([{ name: 'hero.png', mimeType: 'image/png', buffer: await picture('#24508c') }])
  const row = page.getByRole('list', { name: 'Creatives' }).getByRole('listitem')
  await row.waitFor()
  return row
}

/** Opens a guest link in a phone's browser in which nobody is signed in, and enters a name and the link's password. */
async function comeAsGuest(hash: string): Promise<Page> {
  const phone = await app.open('/', { viewport: { width: 390, height: 844 }, hasTouch: true })
  await phone.context().clearCookies()
  await phone.goto(`${app.url}/guest${hash}`)
  await phone.getByRole('textbox', { name: 'Your name' }).fill('Grace')
  await phone.getByRole('button', { name: 'Look at it' }).click()
  await phone.getByLabel('Password of the link').fill('summer-26')
  await phone.getByRole('button', { name: 'Look at it' }).click()
  return phone
}

/** Creates a guest link, with a password, for the task that is open in `page`. Returns the link. */
async function share(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Share with guests' }).click()
  const dialog = page.getByRole('dialog', { name: 'Share with guests' })
  await dialog.getByRole('textbox', { name: 'For whom' }).fill('The client')
  await dialog.getByRole('textbox', { name: 'Password' }).fill('summer-26')
  expect(await violations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Make the link' }).click()
  const field = dialog.getByRole('textbox', { name: /^The link/ })
  await field.waitFor()
  await dialog.getByText('It opens on the machine of the service only.').waitFor()
  return field.inputValue()
}

test('from an upload by one and a link by another to a decision on a phone, seen by both, within two minutes', {
  timeout: 120_000,
}, async () => {
  const task = await app.make.task({ name: 'For the client', status: 'creative_check' })
  const writer = await app.service.person('writer')
  const maker = await app.open(`/tasks/${task.id}`, { userId: writer.id })
  const uploaded = await upload(maker)
  const [creative] = (await app.make.read(`/api/v1/tasks/${task.id}/creatives`)).items
  const page = await app.open(`/tasks/${task.id}#creatives`)
  const shared = page.getByRole('list', { name: 'Creatives' }).getByRole('listitem')
  await shared.waitFor()
  const { hash } = new URL(await share(page))

  const phone = await comeAsGuest(hash)
  const shown = phone.getByRole('list', { name: 'Creatives' }).getByRole('button', { name: creative.name })
  await shown.waitFor()
  expect(await violations(phone)).toEqual([])
  await shown.click()
  const image = phone.getByRole('img', { name: creative.name })
  await image.waitFor()
  await phone.getByRole('button', { name: 'Mark a place' }).click()
  await phone.locator('svg.marks[data-drawing]').click()
  await phone.locator('svg.marks circle').waitFor()
  await phone.getByRole('textbox', { name: 'Your comment' }).fill('A little warmer')
  await phone.getByRole('button', { name: 'Send' }).click()
  await phone.getByText('A little warmer', { exact: true }).waitFor()
  // The phone shows the comment before the service has stored it, so the test waits until the service returns it.
  const comments = async () => (await app.make.read(`/api/v1/creatives/${creative.id}/review-comments`)).items
  await expect.poll(async () => (await comments()).length).toBe(1)
  const [said] = await comments()
  await app.service.post(`/api/v1/creatives/${creative.id}/review-comments`, { text: 'How warm?', thread_id: said.id })
  await app.service.post(`/api/v1/creatives/${creative.id}/review-comments`, { text: 'They never know.' })
  await phone.getByRole('button', { name: 'Answer comment 1' }).click()
  await phone.getByRole('textbox', { name: 'Your answer to comment 1' }).fill('As in the first one')
  await phone.getByRole('button', { name: 'Send the answer' }).click()
  const answers = phone.getByRole('list', { name: 'Comments' }).locator('.guest-answer')
  await answers.filter({ hasText: 'As in the first one' }).waitFor()
  await answers.filter({ hasText: 'How warm?' }).waitFor()
  expect(await phone.getByText('They never know.').count()).toBe(0)
  await phone.getByRole('button', { name: 'Accept', exact: true }).click()
  await phone.getByText('You have accepted this.').waitFor()
  expect(await violations(phone)).toEqual([])
  await keepShot(phone, 'guest-phone')

  for (const row of [uploaded, shared]) await row.getByText('Accepted', { exact: true }).waitFor()
  const { data } = await app.service.get(`/api/v1/tasks/${task.id}/review`)
  expect(data.items).toMatchObject([
    { creative_id: creative.id, state: 'accepted', open_comments: 2, decisions: [{ by: { name: 'Grace (guest)' } }] },
  ])
  const endOfLink = async () => (await app.make.read(`/api/v1/tasks/${task.id}/guest-links`)).items[0].revoked_at
  // The dialog has the focus, so that Escape closes it, and not the task below.
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Revoke the link for The client' }).click()
  const really = page.getByRole('button', { name: 'Really revoke' })
  await really.waitFor()
  expect(await endOfLink()).toBeNull()
  await really.click()
  await really.waitFor({ state: 'detached' })
  expect(await endOfLink()).not.toBeNull()
  await phone.reload()
  await phone.getByText(/does not hold any more/).waitFor()
})

/** Makes a task with a creative for each file, and opens a link to them, as a guest who has entered a name. */
async function comeTo(files: Record<string, string>, members: Record<string, unknown> = {}) {
  const { task, creatives } = await app.make.taskWith(Object.keys(files), { name: 'To be looked at' })
  for (const { id, name } of creatives) await app.service.patch(`/api/v1/creatives/${id}`, { file: files[name] })
  const share = async () => {
    const body = { name: 'The client', may_decide: true, ...members }
    const { data } = await app.service.post(`/api/v1/tasks/${task.id}/guest-links`, body)
    return `${app.url}/guest${new URL(data.url, app.url).hash}`
  }
  const guest = await app.open('/')
  await guest.context().clearCookies()
  await guest.goto(await share())
  await enter(guest)
  const list = guest.getByRole('list', { name: 'Creatives' })
  // A page that is loaded again before the service has let the guest in asks for the name once more.
  await list.waitFor()
  const open = (name: string) => list.getByRole('button', { name }).click()
  return { guest, open, share, creatives }
}

const pictureFile = async () => app.make.file(await picture('#24508c'), 'image/png')
const filmFile = async () => app.make.file(await filmBytes(), 'video/webm')
const listOfAll = (url: URL): boolean => url.pathname === '/api/v1/guest/creatives'

test('a read that fails once takes nothing from a guest who writes; where nothing was read, it can be tried again', async () => {
  const { guest, open } = await comeTo({ One: await pictureFile() })
  await open('One')
  const words = guest.getByRole('textbox', { name: 'Your comment' })
  await words.fill('A little warmer')
  const accept = guest.getByRole('button', { name: 'Accept', exact: true })
  await expect.poll(() => accept.isEnabled()).toBe(true)
  let asked = 0
  await intercept(guest, listOfAll, (route) => (++asked === 1 ? route.fulfill({ status: 503 }) : route.continue()))
  await accept.click()
  await guest.getByText('You have accepted this.').waitFor()
  expect(asked).toBe(2)
  expect(await words.inputValue()).toBe('A little warmer')

  await guest.unroute(listOfAll)
  await intercept(guest, listOfAll, (route) =>
    route.fulfill({ status: 403, body: 'A proxy does not let this through.' }),
  )
  await guest.reload()
  await guest.getByRole('alert').filter({ hasText: 'answered with 403' }).waitFor()
  expect(await violations(guest)).toEqual([])
  await guest.unroute(listOfAll)
  await guest.getByRole('button', { name: 'Try again' }).click()
  // The words were not sent, so they are there after the reload too.
  await expect.poll(() => words.inputValue()).toBe('A little warmer')
})

test('what a guest writes while a comment is sent stays, also after a look at another creative', async () => {
  const { guest, open, creatives } = await comeTo({ Left: await pictureFile(), Right: await pictureFile() })
  await open('Left')
  const sent: Route[] = []
  const path = `**/api/v1/guest/creatives/${creatives[0]?.id}/comments`
  await intercept(guest, path, (route) => (route.request().method() === 'POST' ? sent.push(route) : route.continue()))
  const words = guest.getByRole('textbox', { name: 'Your comment' })
  await words.fill('Warmer')
  await guest.getByRole('button', { name: 'Send', exact: true }).click()
  await expect.poll(() => sent.length).toBe(1)
  await words.fill('And darker')
  await sent[0]?.continue()
  await guest.getByRole('list', { name: 'Comments' }).getByText('Warmer').waitFor()
  expect(await words.inputValue()).toBe('And darker')
  await guest.getByRole('button', { name: 'Answer comment 1' }).click()
  await guest.getByRole('textbox', { name: 'Your answer to comment 1' }).fill('Or not')
  await guest.getByRole('button', { name: 'The next one' }).click()
  await guest.getByRole('heading', { name: 'Right, v1' }).waitFor()
  expect(await words.inputValue()).toBe('')
  await guest.getByRole('button', { name: 'The one before' }).click()
  await guest.getByRole('heading', { name: 'Left, v1' }).waitFor()
  expect(await words.inputValue()).toBe('And darker')
  await expect.poll(() => guest.getByRole('textbox', { name: 'Your answer to comment 1' }).inputValue()).toBe('Or not')
})

test('a second link that is opened in the same tab is the one that is shown', async () => {
  const { guest, open, share } = await comeTo({ Again: await pictureFile() })
  await guest.getByText('You are here as Grace.').waitFor()
  await guest.goto(await share())
  await enter(guest)
  await open('Again')
  await guest.goto(`${app.url}/guest#not-a-link`)
  await enter(guest)
  await guest.getByText(/does not hold any more/).waitFor()
  expect(await guest.getByRole('list', { name: 'Creatives' }).count()).toBe(0)
})

test('a guest whom the service does not know any more can enter again', async () => {
  const { guest } = await comeTo({ Restored: await pictureFile() })
  await guest.getByText('You are here as Grace.').waitFor()
  // As after a backup from before this guest was restored.
  await app.service.rows('delete from guests')
  await guest.reload()
  await guest.getByText(/does not hold any more/).waitFor()
  expect(await violations(guest)).toEqual([])
  await guest.getByRole('button', { name: 'Enter again' }).click()
  await enter(guest)
  await guest.getByRole('list', { name: 'Creatives' }).getByRole('button', { name: 'Restored' }).waitFor()
  await guest.reload()
  await guest.getByText('You are here as Grace.').waitFor()
})

test('a guest whose link has had too many guests already is told so', async () => {
  const { guest, share } = await comeTo({ Popular: await pictureFile() })
  const link = await share()
  await app.service.rows(`
    insert into guests (id, link_id, name, hash)
    select gen_random_uuid(), l.id, 'One of many', sha256((l.id::text || n)::bytea)
    from (select id from guest_links order by created_at desc limit 1) l, generate_series(1, 1000) n`)
  await guest.goto(link)
  await enter(guest)
  await guest.getByRole('alert').filter({ hasText: 'Too many have come by this link.' }).waitFor()
  expect(await guest.getByRole('textbox').count()).toBe(0)
})

test('a picture that a browser cannot show is saved and decided about, and keys that seek in a film do not leave it', async () => {
  const { guest, open } = await comeTo({
    Damaged: await app.make.file('no picture', 'image/heic'),
    Moving: await filmFile(),
  })
  await open('Damaged')
  await guest.getByText('Your browser cannot show this file.').waitFor()
  expect(await guest.getByRole('link', { name: 'Save the file' }).getAttribute('download')).toBe('Damaged')
  expect(await guest.getByRole('button', { name: 'Mark a place' }).count()).toBe(0)
  expect(await violations(guest)).toEqual([])
  await guest.getByRole('button', { name: 'Accept', exact: true }).click()
  await guest.getByText('You have accepted this.').waitFor()

  await guest.locator('main').press('Control+ArrowRight')
  await guest.locator('main').press('ArrowRight')
  await guest.getByRole('heading', { name: 'Moving, v1' }).waitFor()
  await guest.locator('video').focus()
  await guest.keyboard.press('ArrowLeft')
  await guest.locator('main').press('Alt+ArrowLeft')
  expect(await guest.getByRole('heading').first().textContent()).toBe('Moving, v1')
  await guest.locator('main').press('ArrowLeft')
  await guest.getByRole('heading', { name: 'Damaged, v1' }).waitFor()
})

test('a picture that fails twice on its way to a guest is not taken for one that cannot be shown', async () => {
  const { guest, open } = await comeTo({ Twice: await pictureFile() })
  let isAskedForWhole = false
  await intercept(guest, '**/api/v1/files/**', (route) => {
    const request = route.request()
    if (request.resourceType() !== 'image') isAskedForWhole ||= request.headers().range === undefined
    else if (!isAskedForWhole) return route.abort()
    return route.continue()
  })
  await open('Twice')
  const accept = guest.getByRole('button', { name: 'Accept', exact: true })
  const refused = guest.getByText('Your browser cannot show this file.')
  await expect.poll(async () => (await accept.isEnabled()) || (await refused.isVisible())).toBe(true)
  expect(await refused.count()).toBe(0)
  expect(await guest.evaluate(`document.querySelector('.guest-picture img').naturalWidth > 0`)).toBe(true)
})

test('a picture that came damaged can be tried again by a guest', async () => {
  const { guest, open } = await comeTo({ Torn: await pictureFile() })
  let isTorn = true
  await intercept(guest, '**/api/v1/files/**', (route) =>
    isTorn ? route.fulfill({ contentType: 'image/png', body: 'torn' }) : route.continue(),
  )
  await open('Torn')
  await guest.getByText('Your browser cannot show this file.').waitFor()
  expect(await violations(guest)).toEqual([])
  isTorn = false
  await guest.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => guest.evaluate(`document.querySelector('.guest-picture img')?.naturalWidth > 0`)).toBe(true)
})

test('a film that cannot be reached at first says so to a guest, and plays once it is tried again', async () => {
  const { guest, open } = await comeTo({ 'Cut off': await filmFile() })
  const { promise: again, resolve: isTriedAgain } = Promise.withResolvers<void>()
  let asked = 0
  await intercept(guest, '**/api/v1/files/**', (route) => {
    if (route.request().resourceType() !== 'media') return route.abort()
    asked += 1
    if (asked === 1) return route.abort()
    // The page repeats the request by itself. The test leaves this second request without an answer, so that only a press of the
    // button can load the film.
    return asked === 2 ? isTriedAgain() : route.continue()
  })
  await open('Cut off')
  const told = guest.getByText('The file could not be loaded.')
  await told.waitFor()
  expect(await guest.getByText('Your browser cannot show this file').count()).toBe(0)
  expect(await violations(guest)).toEqual([])
  await keepShot(guest, 'guest-not-loaded')
  await again
  await guest.getByRole('button', { name: 'Try again' }).click()
  await told.waitFor({ state: 'detached' })
  await expect.poll(() => guest.evaluate(`document.querySelector('video').readyState > 2`)).toBe(true)
})

test('after a film was tried again, the page does not load it once more by itself', async () => {
  const { guest, open } = await comeTo({ Alone: await filmFile() })
  await guest.clock.install()
  await guest.reload()
  await guest.getByRole('button', { name: 'Alone' }).waitFor()
  let isCutOff = true
  await intercept(guest, '**/api/v1/files/**', (route) => (isCutOff ? route.abort() : route.continue()))
  // Time stands still, so that the page waits with its next attempt. The browser is used again by other tests.
  onTestFinished(() => guest.clock.resume())
  await guest.clock.pauseAt(Date.now() + 1_000)
  await open('Alone')
  const told = guest.getByText('The file could not be loaded.')
  await told.waitFor()
  isCutOff = false
  await guest.getByRole('button', { name: 'Try again' }).click()
  await told.waitFor({ state: 'detached' })
  const ofFilm = (what: string) => guest.evaluate(`(() => { const film = document.querySelector('video'); ${what} })()`)
  await expect.poll(() => ofFilm('return film.readyState > 2')).toBe(true)
  await ofFilm(`film.currentTime = 0.5; film.addEventListener('emptied', () => { film.title = 'Loaded anew' })`)
  await guest.clock.runFor(31_000)
  expect(await ofFilm('return [film.title, film.currentTime]')).toEqual(['', 0.5])
})

test('a guest does not decide about a picture that could not be reached, and sees it once it is tried again', async () => {
  const { guest, open } = await comeTo({ Hidden: await pictureFile() })
  let isCutOff = true
  // The page also asks by itself, with other requests, whether the file is there. These always fail, so that only a press of the
  // button can load the picture.
  await intercept(guest, '**/api/v1/files/**', (route) =>
    isCutOff || route.request().resourceType() !== 'image' ? route.abort() : route.continue(),
  )
  await open('Hidden')
  await guest.getByText('The file could not be loaded.').waitFor()
  expect(await guest.getByText('Your browser cannot show this file').count()).toBe(0)
  const accept = guest.getByRole('button', { name: 'Accept', exact: true })
  expect(await accept.isDisabled()).toBe(true)
  expect(await guest.locator('svg.marks').count()).toBe(0)
  isCutOff = false
  await guest.getByRole('button', { name: 'Try again' }).click()
  await guest.getByRole('img', { name: 'Hidden' }).waitFor()
  await expect.poll(() => accept.isEnabled()).toBe(true)
})

test('a film stays where it is when its address is renewed, and goes on there from the new one after an error', async () => {
  const { guest, open } = await comeTo({ Renewed: await filmFile() })
  await open('Renewed')
  const ofFilm = (what: string) => guest.evaluate(`(() => { const film = document.querySelector('video'); ${what} })()`)
  await expect.poll(() => ofFilm('return film.readyState > 2')).toBe(true)
  await ofFilm('film.currentTime = 0.5')
  const first = await ofFilm('return film.src')
  onTestFinished(() => {
    app.service.clock.offset = 0
  })
  app.service.clock.offset = 16 * 60_000
  await guest.getByRole('button', { name: 'Accept', exact: true }).click()
  await guest.getByText('You have accepted this.').waitFor()
  expect(await ofFilm('return [film.src, film.currentTime]')).toEqual([first, 0.5])

  // The film is too short to be loaded in parts, so the test says for the browser that one of them did not come.
  await ofFilm(`
    film.loop = true
    film.addEventListener('emptied', () => { delete film.error })
    Object.defineProperty(film, 'error', { value: { code: 2 }, configurable: true })
    film.dispatchEvent(new Event('error'))`)
  await expect
    .poll(() => ofFilm(`return [film.src !== ${JSON.stringify(first)}, film.currentTime]`))
    .toEqual([true, 0.5])
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
