// Facts about comments that are half written when they cannot be sent any more: the task is deleted, or the writer may only read;
// and about those of guests that an earlier version kept.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, startApp } from './support/app.ts'
import { violations } from './support/axe.ts'
import { enter, openAsGuest } from './support/guest.ts'
import { pictureOf } from './support/picture.ts'
import { keepShot } from './support/shots.ts'
import { viewer } from './support/viewer.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const field = (page: Page) => page.getByRole('textbox', { name: 'Write a comment' })
const unsent = (page: Page) => page.getByRole('textbox', { name: 'Your comment, not sent' })

test('a comment stays in sight when the task is deleted, and is back in its field with the task', async () => {
  const task = await app.make.task({ name: 'Deleted under a comment' })
  const page = await app.open(`/tasks/${task.id}#comments`)
  await field(page).fill('Half a thought')
  await app.make.deleted(`/api/v1/tasks/${task.id}`)
  await unsent(page).waitFor()
  expect([await unsent(page).inputValue(), await unsent(page).isEditable()]).toEqual(['Half a thought', false])
  expect(await violations(page)).toEqual([])
  await keepShot(page, 'unsent-comment')
  await app.service.post(`/api/v1/tasks/${task.id}/restore`)
  await field(page).waitFor()
  expect(await field(page).inputValue()).toBe('Half a thought')
  expect(await unsent(page).count()).toBe(0)
})

test('who may only read any more sees the comment, and can discard it', async () => {
  const { id } = await app.service.person('writer')
  const task = await app.make.task({ name: 'Roles under a comment' })
  const page = await app.open(`/tasks/${task.id}#comments`, { userId: id })
  await field(page).fill('Half a thought')
  await app.service.patch(`/api/v1/users/${id}`, { role: 'reader' })
  await unsent(page).waitFor()
  expect(await unsent(page).inputValue()).toBe('Half a thought')
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect.poll(() => unsent(page).count()).toBe(0)
  await app.service.patch(`/api/v1/users/${id}`, { role: 'writer' })
  await field(page).waitFor()
  expect(await field(page).inputValue()).toBe('')
})

test('a comment in the viewer stays in sight when the writer may only read, and is back in its field with the role', async () => {
  const { id } = await app.service.person('writer')
  const task = await app.make.task({ name: 'Roles in the viewer', status: 'tech_check' })
  await app.make.creative(task.id, { name: 'Roles 1', file: await pictureOf(app, '#8c5024') })
  const page = await app.open(`/tasks/${task.id}#creatives`, { userId: id })
  await page.getByRole('button', { name: 'Open the file of Roles 1' }).click()
  const composer = viewer(page).getByLabel('Comment on version 1')
  await composer.fill('Warmer')
  await app.service.patch(`/api/v1/users/${id}`, { role: 'reader' })
  const kept = viewer(page).getByLabel('Your comment, not sent, since you may only read now:')
  await kept.waitFor()
  expect(await kept.inputValue()).toBe('Warmer')
  await app.service.patch(`/api/v1/users/${id}`, { role: 'writer' })
  await composer.waitFor()
  expect(await composer.inputValue()).toBe('Warmer')
  expect(await kept.count()).toBe(0)
})

/** Keeps texts in the tab as version 0.3.0 did, and loads the page again. */
async function keepAsBefore(guest: Page, texts: Record<string, string>): Promise<void> {
  const drafts = Object.fromEntries(
    Object.entries(texts).map(([key, typed]) => [key, { typed, base: '', left: false }]),
  )
  await guest.evaluate((kept) => sessionStorage.setItem('atelier.drafts guest', kept), JSON.stringify(drafts))
  await guest.reload()
}

const keysOf = (guest: Page) =>
  guest.evaluate(() => Object.keys(JSON.parse(sessionStorage.getItem('atelier.drafts guest') ?? '{}')))

test('a guest finds what version 0.3.0 kept, unless somebody has entered by another link too', async () => {
  const { task, creatives } = await app.make.taskWith(['Drafted'], { name: 'Upgraded under a guest' })
  const [{ id }] = creatives
  await app.service.patch(`/api/v1/creatives/${id}`, { file: await pictureOf(app, '#24508c') })
  const link = async () => (await app.service.post(`/api/v1/tasks/${task.id}/guest-links`, { name: 'A client' })).data
  const first = await link()
  const guest = await openAsGuest(app, first.url)
  await enter(guest)
  const tile = guest.getByRole('button', { name: 'Drafted' })
  await tile.waitFor()
  await keepAsBefore(guest, { [`${id} guest comment`]: 'Half a thought' })
  await tile.click()
  const field = guest.getByRole('textbox', { name: 'Your comment' })
  await expect.poll(() => field.inputValue()).toBe('Half a thought')
  expect(await keysOf(guest)).toEqual([expect.stringMatching(/^guest atg_/)])

  const second = await link()
  await guest.goto(`${app.url}/guest${new URL(second.url, app.url).hash}`)
  await enter(guest, 'Ada')
  await tile.waitFor()
  await keepAsBefore(guest, { [`${id} guest comment`]: 'Whose?' })
  await tile.click()
  await field.waitFor()
  expect(await field.inputValue()).toBe('')
  expect(await keysOf(guest)).toEqual([])
})
