// Facts about guests in the browser: with nothing but a link, a guest decides on a phone about an uploaded picture. These tests are
// executed on both databases.
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, startApp } from './support/app.ts'
import { violations } from './support/axe.ts'
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
  const links = (await app.make.read(`/api/v1/tasks/${task.id}/guest-links`)).items
  await app.make.deleted(`/api/v1/guest-links/${links[0].id}`)
  await phone.reload()
  await phone.getByText(/does not hold any more/).waitFor()
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
