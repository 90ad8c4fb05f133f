// Facts about small screens and fingers: nothing that somebody needs is out of reach, whatever names others have given.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { definitionOf } from '../server/test/support/definitions.ts'
import { makeRun, runThrough } from '../server/test/support/runs.ts'
import { type App, startApp } from './support/app.ts'
import { typeInto } from './support/fields.ts'
import { enter, openAsGuest } from './support/guest.ts'
import { intercept } from './support/intercept.ts'
import { pictureOf } from './support/picture.ts'
import { keepShot } from './support/shots.ts'
import { phone } from './support/touch.ts'
import { viewer } from './support/viewer.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
  await app.service.app.worker.start()
})
afterAll(() => app.close())

const longName = 'quiltern_summer_sale_'.repeat(10).slice(0, 186)
const guestName = 'W'.repeat(100)
/** How far what this selector finds reaches beyond its right edge. */
const overflow = (page: Page, selector: string): Promise<number> =>
  page.evaluate(`(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('${selector}'))`)

/** Makes a task with a creative that has a picture and a long name, and a link for guests whose name is long too. */
async function forGuests(part: string) {
  const task = await app.make.task({ name: 'For guests', status: 'tech_check' })
  const creative = await app.make.creative(task.id, { name: part + longName, file: await pictureOf(app, '#24508c') })
  const link = { name: 'W'.repeat(90), may_decide: true }
  const { data } = await app.service.post(`/api/v1/tasks/${task.id}/guest-links`, link)
  return { task, creative, hash: new URL(data.url, app.url).hash }
}

async function comeAsGuest(hash: string): Promise<Page> {
  const guest = await openAsGuest(app, hash, phone)
  await enter(guest, guestName)
  return guest
}

test('a guest on a phone decides and comments about a creative with a long name, also with the keyboard open', async () => {
  const { creative, hash } = await forGuests('one_')
  const guest = await comeAsGuest(hash)
  await guest.getByText(`You are here as ${guestName}.`).waitFor()
  expect(await overflow(guest, 'html')).toBe(0)
  await guest.getByRole('button', { name: creative.name }).click()
  const bar = guest.locator('.guest-bar')
  await bar.waitFor()
  expect((await bar.boundingBox())?.height).toBeLessThan(140)
  await guest
    .locator('main > p')
    .filter({ hasText: `${creative.name}, v1` })
    .waitFor()
  await keepShot(guest, 'guest-long-name')
  await guest.setViewportSize({ width: 390, height: 422 })
  await guest.getByRole('button', { name: 'Accept', exact: true }).click()
  await guest.getByText('You have accepted this.').waitFor()
  await typeInto(guest.getByRole('textbox', { name: 'Your comment' }), 'Warmer')
  await guest.getByRole('button', { name: 'Send', exact: true }).click()
  await guest.getByRole('list', { name: 'Comments' }).getByText(guestName).waitFor()
  await keepShot(guest, 'guest-long-name-keyboard')
  expect(await overflow(guest, 'html')).toBe(0)
})

test('the long names of a link and of its guests leave the creatives and their comments in sight', async () => {
  const { task, creative, hash } = await forGuests('two_')
  const guest = await comeAsGuest(hash)
  await guest.getByRole('button', { name: creative.name }).click()
  await guest.getByRole('button', { name: 'Accept', exact: true }).click()
  await guest.getByText('You have accepted this.').waitFor()
  await typeInto(guest.getByRole('textbox', { name: 'Your comment' }), 'Warmer')
  await guest.getByRole('button', { name: 'Send', exact: true }).click()
  await guest.getByRole('status').filter({ hasText: 'Sent.' }).waitFor()

  const page = await app.open(`/tasks/${task.id}#creatives`, phone)
  await page.getByRole('button', { name: /^Revoke the link/ }).waitFor()
  expect(await overflow(page, '.task-panel [role="tabpanel"]')).toBe(0)
  await keepShot(page, 'long-guest-link')
  const menu = await page.getByRole('button', { name: `Menu of ${creative.name}` }).boundingBox()
  expect(menu ? menu.x + menu.width : null).toBeLessThanOrEqual(390)
  await page.getByRole('button', { name: `Open the file of ${creative.name}` }).click()
  await viewer(page).getByRole('button', { name: 'Review it (r)' }).click()
  await viewer(page).getByText(`${guestName} (guest) accepted v1`).waitFor()
  await viewer(page).locator('.review-text').filter({ hasText: 'Warmer' }).waitFor()
  expect(await overflow(page, '.viewer-side')).toBe(0)
})

test('the part of a task that is open is in sight among the names of its parts, whatever comes beside them', async () => {
  const task = await app.make.task({ name: 'With a run that asks' })
  const nodes = {
    words: { type: 'input.text', params: { value: 'x' } },
    ask: { type: 'gate.approve', params: { title: 'Good?' } },
  }
  const run = await makeRun(app.service, definitionOf(nodes, 'words.text > ask.value'), { pinned_task_id: task.id })
  await runThrough(app.service, run.id)
  const page = await app.open(`/tasks/${task.id}#activity`, phone)
  await page.getByRole('tab', { name: 'Runs' }).getByText('Needs an answer').waitFor()
  const row = page.getByRole('tablist')
  for (const name of ['Activity', 'Details']) {
    const tab = row.getByRole('tab', { name })
    if (name === 'Details') await tab.press('Enter')
    await expect
      .poll(async () => {
        const box = await tab.boundingBox()
        return box ? box.x >= 0 && box.x + box.width <= 390 : null
      })
      .toBe(true)
  }
})

test('a message about a comment that was not sent covers nothing of the panel with the button that sends it again', async () => {
  const task = await app.make.task({ name: 'Not sent', status: 'tech_check' })
  const creative = await app.make.creative(task.id, { name: 'Not sent 1', file: await pictureOf(app, '#24508c') })
  const page = await app.open(`/tasks/${task.id}#creatives`, phone)
  await page.getByRole('button', { name: 'Open the file of Not sent 1' }).click()
  await viewer(page).getByRole('button', { name: 'Review it (r)' }).click()
  await viewer(page).getByText('Nothing has been said of it yet.').waitFor()
  let refusals = 0
  await intercept(page, `**/api/v1/creatives/${creative.id}/review-comments`, (route) =>
    route.request().method() === 'POST' && ++refusals === 1 ? route.abort() : route.continue(),
  )
  await typeInto(viewer(page).getByLabel('Comment on version 1'), 'Warmer')
  await viewer(page).getByRole('button', { name: 'Comment', exact: true }).click()
  const message = page.getByRole('alert').filter({ hasText: 'Not sent' })
  await message.waitFor()
  await keepShot(page, 'message-in-viewer')
  const side = await page.locator('.viewer-side').boundingBox()
  // It slides in, from where it is not seen to its place.
  await expect.poll(() => message.evaluate((one: { getAnimations(): unknown[] }) => one.getAnimations().length)).toBe(0)
  const box = await message.boundingBox()
  expect(box ? box.y + box.height : null).toBeLessThanOrEqual(side?.y ?? 0)
})

/** The buttons and ticks in sight that are less than 28 pixels wide or high. */
const tooSmall = (page: Page, place: string): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('${place} :is(button, input[type=checkbox])')].flatMap((one) => {
    const { width, height } = one.getBoundingClientRect()
    const isShown = one.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && width > 1
    const name = one.getAttribute('aria-label') ?? one.textContent
    return isShown && Math.min(width, height) < 27.9 ? [name + ' ' + width + '×' + height] : []
  })`)

test('what a finger presses on a task and among notices is no smaller than 28 pixels', async () => {
  const { task } = await app.make.taskWith(['Small_01'], {
    name: 'By finger',
    assignee_id: app.service.owner.id,
    variants: [{ key: 'a', variation_num: 1 }],
  })
  const gone = await app.make.creative(task.id, { name: 'Small_02' })
  await app.make.deleted(`/api/v1/creatives/${gone.id}`)
  await app.make.comment(task.id)
  const page = await app.open(`/tasks/${task.id}`, phone)
  await page.getByLabel('Hypothesis', { exact: true }).waitFor()
  expect(await page.getByRole('button', { name: 'Clear Assignee' }).count()).toBe(1)
  await page.getByRole('checkbox', { name: 'Variant a is done' }).waitFor()
  expect(await tooSmall(page, '.task-panel')).toEqual([])
  for (const name of ['Creatives', 'Comments', 'Activity']) {
    await page.getByRole('tab', { name }).click()
    await page.getByRole('list', { name }).getByRole('listitem').first().waitFor()
    expect(await tooSmall(page, '.task-panel')).toEqual([])
    await keepShot(page, `finger-${name}`)
  }
  await page.goto(`${app.url}/notices/settings`)
  await page.getByRole('table', { name: 'What reaches you where' }).waitFor()
  expect(await tooSmall(page, '.notice-settings')).toEqual([])
  await keepShot(page, 'finger-notices')
})

/** How far the right edge of what this selector finds is from the right edge of what the other one finds. */
const fromRight = (page: Page, selector: string, outer: string): Promise<number> =>
  page.evaluate(`(() => {
    const right = (one) => document.querySelector(one).getBoundingClientRect().right
    return right('${outer}') - right('${selector}')
  })()`)

test('the menu of a card stays on the card, however many marks it has, for a finger and for a mouse', async () => {
  const { id } = await app.make.task({ name: 'Marked', status: 'in_progress', priority: 2 })
  await app.service.rows(
    `update tasks set automation_state = 'awaiting_input', test_status = 'in_test' where id = $1`,
    [id],
  )
  for (const how of [{ hasTouch: true, isMobile: true }, {}]) {
    const page = await app.open('/', { viewport: { width: 1366, height: 768 }, ...how })
    await page.getByRole('button', { name: 'Needs an answer' }).waitFor()
    expect(await fromRight(page, `[data-card="${id}"] .card-menu`, `[data-card="${id}"]`)).toBeGreaterThan(0)
    expect(await overflow(page, `.column-cards:has([data-card="${id}"])`)).toBe(0)
    await keepShot(page, `marked-card-${how.hasTouch ? 'finger' : 'mouse'}`)
  }
})

test('the button that closes the viewer is in its upper right corner on a phone, and the others take one line', async () => {
  const task = await app.make.task({ name: 'In corners' })
  for (const name of ['In corners 1', `In corners ${longName}`])
    await app.make.creative(task.id, { name, file: await pictureOf(app, '#24508c') })
  const page = await app.open(`/tasks/${task.id}#creatives`, phone)
  await page.getByRole('button', { name: `Open the file of In corners ${longName}` }).click()
  await viewer(page).getByRole('button', { name: 'Larger (+)' }).waitFor()
  const close = await viewer(page).getByRole('button', { name: 'Close (Esc)' }).boundingBox()
  expect(close ? 390 - close.x - close.width : null).toBeLessThanOrEqual(12)
  expect(close?.y).toBeLessThan(12)
  const tools = await viewer(page).locator('.viewer-tools').boundingBox()
  expect(tools?.height).toBeLessThan(40)
  await keepShot(page, 'viewer-bar-on-phone')
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
