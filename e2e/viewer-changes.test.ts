// Facts about the open viewer when its creative is deleted or gets another file meanwhile, while the user writes about it.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, startApp } from './support/app.ts'
import { violations } from './support/axe.ts'
import { typeInto } from './support/fields.ts'
import { focused, focusIs } from './support/keyboard.ts'
import { pictureOf } from './support/picture.ts'
import { keepShot } from './support/shots.ts'
import { isClosed, viewer } from './support/viewer.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

/** Makes a task with two creatives, and opens the first in the viewer. */
async function open(name: string, viewport = { width: 1366, height: 768 }) {
  const { task, creatives } = await app.make.taskWith([`${name} 1`, `${name} 2`], { name, status: 'tech_check' })
  const file = await pictureOf(app, '#24508c')
  for (const { id } of creatives) await app.service.patch(`/api/v1/creatives/${id}`, { file })
  const path = `/api/v1/creatives/${creatives[0]?.id}`
  await app.service.post(`${path}/review-comments`, { text: 'Warmer', version: 1 })
  const page = await app.open(`/tasks/${task.id}#creatives`, { viewport })
  await page.locator('.frame[data-live="live"]').waitFor()
  await page.getByRole('button', { name: `Open the file of ${name} 1` }).click()
  await viewer(page).getByText('1 of 2').waitFor()
  return { page, path, task }
}

const button = (page: Page, name: string) => viewer(page).getByRole('button', { name, exact: true })
const notice = (page: Page) => viewer(page).getByText('This creative was deleted.')
const unsent = (page: Page, what: string) => viewer(page).getByLabel(`${what}, not sent:`)
const comment = (page: Page) => viewer(page).getByLabel('Comment on version 1')
const why = (page: Page) => viewer(page).getByLabel('Why changes are wanted')

test('a creative that is deleted is said to be, what was typed about it can be copied, and it all comes back', async () => {
  const { page, path } = await open('Deleted')
  await typeInto(comment(page), 'A long thought')
  await button(page, 'Show').click()
  await button(page, 'Edit comment 1').click()
  await typeInto(viewer(page).getByLabel('Change comment 1'), 'Much warmer')
  await typeInto(viewer(page).getByLabel('Answer comment 1'), 'How warm?')
  await button(page, 'Want changes (w)').click()
  await typeInto(why(page), 'Too cold')
  expect((await app.service.del(path)).status).toBe(200)
  await notice(page).waitFor()
  for (const [what, text] of [
    ['Your comment', 'A long thought'],
    ['Why you want changes', 'Too cold'],
    ['Your answer to comment 1', 'How warm?'],
    ['Your change of comment 1', 'Much warmer'],
  ] as const)
    expect(await unsent(page, what).inputValue()).toBe(text)
  await focused(page, unsent(page, 'Your comment'))
  expect(await viewer(page).locator('textarea:not([readonly]), input').count()).toBe(0)
  for (const name of ['Accept (a)', 'Want changes (w)', 'Comment', 'Resolve', 'Make a new take of this'])
    expect(await button(page, name).count()).toBe(0)
  expect(await violations(page)).toEqual([])
  await keepShot(page, 'viewer-deleted')
  await button(page, 'Discard: Your answer to comment 1').click()
  await unsent(page, 'Your answer to comment 1').waitFor({ state: 'detached' })

  await page.keyboard.press('ArrowRight')
  await viewer(page).getByText('2 of 2').waitFor()
  await button(page, 'Accept (a)').waitFor()
  expect(await notice(page).count()).toBe(0)
  await page.keyboard.press('ArrowLeft')
  await notice(page).waitFor()

  await app.service.post(`${path}/restore`)
  await notice(page).waitFor({ state: 'detached' })
  expect(await comment(page).inputValue()).toBe('A long thought')
  await button(page, 'Want changes (w)').click()
  expect(await why(page).inputValue()).toBe('Too cold')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await isClosed(page)
})

test('a creative that is deleted with its task is said to be, also on a phone, and the keys of the viewer go on working', async () => {
  const { page, task } = await open('With its task', { width: 390, height: 844 })
  await page.keyboard.press('r')
  await button(page, 'Accept (a)').focus()
  await app.service.del(`/api/v1/tasks/${task.id}`)
  await notice(page).waitFor()
  expect(await violations(page)).toEqual([])
  await keepShot(page, 'viewer-deleted-phone')
  await focusIs(page, 'Picture With its task 1')
  await page.keyboard.press('ArrowRight')
  await viewer(page).getByText('2 of 2').waitFor()
  await page.keyboard.press('Escape')
  await isClosed(page)
})

test('a reason stays when a new version comes while it is written, and is sent for the version that one looks at then', async () => {
  const { page, path } = await open('Renewed')
  await page.keyboard.press('w')
  await typeInto(why(page), 'Too cold')
  await app.service.patch(path, { file: await pictureOf(app, '#8c5024') })
  const told = viewer(page).getByRole('alert').filter({ hasText: 'a new current version meanwhile, v2' })
  await told.waitFor()
  expect(await why(page).inputValue()).toBe('Too cold')
  await focusIs(page, 'Why changes are wanted')
  expect(await button(page, 'Want changes').isDisabled()).toBe(true)
  await page.keyboard.press('Control+Enter')
  expect((await app.make.read(`${path}/decisions`)).items).toEqual([])
  expect(await violations(page)).toEqual([])
  await keepShot(page, 'viewer-new-version')

  await button(page, 'Look at v2').click()
  await viewer(page).getByText('The decision will be for v2.').waitFor()
  await focusIs(page, 'Why changes are wanted')
  expect(await why(page).inputValue()).toBe('Too cold')
  await page.keyboard.press('Control+Enter')
  await viewer(page)
    .getByText(/wants changes v2: Too cold/)
    .waitFor()
  await why(page).waitFor({ state: 'detached' })
})

test('a reason also stays when one goes on to the new version by key', async () => {
  const { page, path } = await open('Renewed by key')
  await page.keyboard.press('w')
  await typeInto(why(page), 'Too dark')
  await app.service.patch(path, { file: await pictureOf(app, '#8c5024') })
  await viewer(page).getByText('a new current version meanwhile, v2').waitFor()
  await viewer(page).focus()
  await page.keyboard.press(']')
  await viewer(page).getByText('The decision will be for v2.').waitFor()
  expect(await why(page).inputValue()).toBe('Too dark')
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
