// Facts about the pages with lists of records and small forms: the keyboard keeps its place in them, and long names and large fonts
// keep every button within reach.
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeRun } from '../server/test/support/runs.ts'
import { type App, startApp } from './support/app.ts'
import { typeInto } from './support/fields.ts'
import { intercept } from './support/intercept.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

/** Returns a function that tells whether an element has the focus. */
const focusOn = (place: Locator) => async () => (await place.and(place.page().locator(':focus')).count()) === 1

const template = (name: string) => app.service.post('/api/v1/task-templates', { name, brief: { subject: 'Sleep' } })

test('a button pressed by keys keeps the focus while it works and after it, and sends its form once', async () => {
  const page = await app.open('/products')
  await typeInto(page.getByLabel('New product'), 'Sent once')
  const held = Promise.withResolvers<void>()
  let sent = 0
  await intercept(page, '**/api/v1/products', async (route) => {
    if (route.request().method() === 'POST') {
      sent += 1
      await held.promise
    }
    await route.continue()
  })
  const add = page.getByRole('button', { name: 'Add' })
  await add.focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => add.getAttribute('aria-disabled')).toBe('true')
  await expect.poll(focusOn(add)).toBe(true)
  await page.keyboard.press('Enter')
  await page.keyboard.press('Space')
  held.resolve()
  await page.getByLabel('Name of Sent once').waitFor()
  // The field is empty now, so there is nothing to add.
  await expect.poll(() => page.getByLabel('New product').inputValue()).toBe('')
  expect(await add.isDisabled()).toBe(true)
  await expect.poll(focusOn(add)).toBe(true)
  expect(sent).toBe(1)
  await page.keyboard.press('Tab')
  await expect.poll(() => add.getAttribute('disabled')).toBe('')
})

test('the name of the next product is typed while the one before is being added, and stays', async () => {
  const page = await app.open('/products')
  const [isSent, maySend] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await intercept(page, '**/api/v1/products', async (route) => {
    if (route.request().method() === 'POST') {
      isSent.resolve()
      await maySend.promise
    }
    await route.continue()
  })
  await typeInto(page.getByLabel('New product'), 'First of two')
  await typeInto(page.getByLabel('Code'), 'ONE')
  await page.keyboard.press('Enter')
  await isSent.promise
  await typeInto(page.getByLabel('New product'), 'Second of two')
  maySend.resolve()
  await page.getByLabel('Name of First of two').waitFor()
  await expect.poll(() => page.getByLabel('Code').inputValue()).toBe('')
  expect(await page.getByLabel('New product').inputValue()).toBe('Second of two')
})

test('a template that is deleted by keys leaves the focus to the row in its place', async () => {
  for (const name of ['Row 1', 'Row 2', 'Row 3']) await template(name)
  const page = await app.open('/templates')
  const press = async (name: string) => {
    await page.getByRole('button', { name: `Delete the template ${name}` }).focus()
    await page.keyboard.press('Enter')
  }
  await press('Row 2')
  await expect.poll(focusOn(page.getByLabel('Name of Row 3'))).toBe(true)
  await press('Row 3')
  await expect.poll(focusOn(page.getByLabel('Name of Row 1'))).toBe(true)
  await press('Row 1')
  await expect.poll(focusOn(page.getByRole('main'))).toBe(true)
})

test('a new token is in the focus, and a token that is revoked by keys leaves it to the next', async () => {
  for (const name of ['Token 1', 'Token 2'])
    await app.service.post('/api/v1/tokens', { name, scopes: ['read'], user_id: null, expires_at: null })
  const page = await app.open('/tokens')
  await page.getByRole('button', { name: 'New token' }).click()
  await typeInto(page.getByLabel('What it is for'), 'Token 3')
  await page.keyboard.press('Enter')
  const token = page.getByLabel('Token', { exact: true })
  await expect.poll(focusOn(token)).toBe(true)
  await page.getByRole('button', { name: 'Done' }).click()
  await token.waitFor({ state: 'detached' })
  const buttons = page.getByRole('button', { name: /^Revoke/ })
  await page.getByRole('button', { name: 'Revoke Token 3' }).waitFor()
  const [first, second] = await Promise.all([0, 1].map((at) => buttons.nth(at).getAttribute('aria-label')))
  await page.getByRole('button', { name: first ?? '' }).focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await page.getByText('revoked just now').waitFor()
  await expect.poll(focusOn(page.getByRole('button', { name: second ?? '' }))).toBe(true)
})

/** Whether nothing in the page needs to be scrolled sideways to see all buttons. */
async function fits(page: Page): Promise<boolean> {
  const width = page.viewportSize()?.width ?? 0
  const boxes = await Promise.all((await page.locator('main button').all()).map((button) => button.boundingBox()))
  const isInside = boxes.every((box) => box === null || box.x + box.width <= width)
  const hasWidth = await page.evaluate('document.documentElement.scrollWidth <= innerWidth')
  const isScrolled = "[...document.querySelectorAll('main .panel')].some((one) => one.scrollWidth > one.clientWidth)"
  return isInside && hasWidth === true && (await page.evaluate(isScrolled)) === false
}

/** Lets starts of a run wait for an approval: `count` of them, the first one the oldest. */
async function ask(runId: string, count: number): Promise<void> {
  await app.service.rows(
    `insert into approvals (id, run_id, digest, body, most, currency, asked_by, asked_at)
     select gen_random_uuid(), $1, 'digest ' || n, '{}', n * 10000, 'USD', $2, now_ms() - ($3 - n) * interval '1 minute'
     from generate_series(1, $3::int) n`,
    [runId, app.service.owner.id, count],
  )
}

test('a name without blanks pushes no button of its list out of sight', async () => {
  const long = 'quiltern_summer_'.repeat(8).slice(0, 120)
  await template(long)
  const { data } = await app.service.post('/api/v1/users', { name: long, role: 'reader' })
  await app.service.post('/api/v1/budgets', { person_id: data.id, period: 'month', amount: 25_000_000 })
  const graph = await app.service.post('/api/v1/graphs', { name: long })
  const run = await app.service.post(`/api/v1/graphs/${graph.data.id}/runs`, {})
  await ask(run.data.id, 1)
  const page = await app.open('/money')
  for (const width of [1366, 390]) {
    await page.setViewportSize({ width, height: 768 })
    for (const [list, button] of [
      ['money', 'Decline'],
      ['templates', `Delete the template ${long}`],
    ] as const) {
      await page.goto(`${app.url}/${list}`)
      await page.getByRole('button', { name: button }).waitFor()
      expect(await fits(page), `${list} at ${width}`).toBe(true)
    }
  }
  await app.service.rows('delete from approvals')
})

test('all starts that wait for an approval are listed, also beyond a hundred', async () => {
  const run = await makeRun(app.service, (await app.service.post('/api/v1/graphs', { name: 'Asked' })).data.definition)
  await ask(run.id, 101)
  const page = await app.open('/money')
  await page.getByRole('cell', { name: 'up to USD 0.01', exact: true }).waitFor()
  expect(await page.getByRole('button', { name: 'Decline' }).count()).toBe(101)
  await app.service.rows('delete from approvals')
})

test('with a larger font of the browser no page is wider than the window', async () => {
  const page = await app.open('/money')
  const session = await page.context().newCDPSession(page)
  await session.send('Page.setFontSizes', { fontSizes: { standard: 24 } })
  for (const width of [1366, 1120, 640]) {
    await page.setViewportSize({ width, height: 768 })
    await page.reload()
    await page.getByRole('heading', { name: 'Money' }).waitFor()
    expect(await page.evaluate('getComputedStyle(document.documentElement).fontSize')).toBe('24px')
    expect(await fits(page), `at ${width}`).toBe(true)
  }
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
