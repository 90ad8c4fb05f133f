// Facts about selecting many cards: all cards of a column, cards on pages that are not loaded, and what screen readers announce.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, startApp } from './support/app.ts'
import { cardLink, column } from './support/board.ts'
import { typeInto } from './support/fields.ts'
import { intercept } from './support/intercept.ts'
import { focused } from './support/keyboard.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const filterOf = (field: string, operator: string, value: unknown): string =>
  encodeURIComponent(JSON.stringify({ combinator: 'and', rules: [{ field, operator, value }] }))
const barOf = (page: Page) => page.getByRole('toolbar', { name: 'Selected tasks' })
const priorityOf = async (id: string): Promise<number | null> => (await app.make.read(`/api/v1/tasks/${id}`)).priority

test('all cards of a column under a filter are selected at once, also those on pages that are not loaded', async () => {
  const ids: string[] = []
  for (let at = 0; at < 170; at++) ids.push((await app.make.task({ name: `Of many ${at}`, subject: 'many' })).id)
  const other = await app.make.task({ name: 'Another', subject: 'few' })
  const page = await app.open(`/?filter=${filterOf('subject', '=', 'many')}`)
  await cardLink(page, 'Of many 169').focus()
  await page.keyboard.press('x')
  const bar = barOf(page)
  await bar.getByRole('button', { name: 'Select all 170 in Backlog' }).press('Enter')
  await bar.getByText('170 selected').waitFor()
  await bar.getByText(/^\d+ not in sight$/).waitFor()
  await page.getByRole('status').getByText('170 cards selected').waitFor({ state: 'attached' })
  await focused(page, bar.getByRole('button', { name: 'Move to' }))
  expect(await bar.getByRole('button', { name: /^Select/ }).count()).toBe(0)
  await bar.getByRole('button', { name: 'Priority' }).click()
  await page.getByRole('menuitem', { name: 'P2' }).click()
  await page.getByText('Set the priority of 170 tasks to P2').waitFor()
  expect(await Promise.all(ids.map(priorityOf))).toEqual(ids.map(() => 2))
  expect(await priorityOf(other.id)).toBe(null)
  // The filter still shows them, and the next action is for all of them.
  await bar.getByText('170 selected').waitFor()
})

test('Undo gives a card on a page that is not loaded the value back that somebody else has set since it was selected', async () => {
  const made = (at: number) => app.make.task({ name: `Unseen ${at}`, status: 'in_progress', priority: 2 })
  const { id: unseen } = await made(0)
  for (let at = 1; at < 170; at++) await made(at)
  const { id } = await made(170)
  const page = await app.open('/')
  await cardLink(page, 'Unseen 170').focus()
  await page.keyboard.press('x')
  const bar = barOf(page)
  await bar.getByRole('button', { name: 'Select all 171 in In progress' }).press('Enter')
  await bar.getByText('171 selected').waitFor()
  await app.make.patched(unseen, { priority: 5 })
  await bar.getByRole('button', { name: 'Priority' }).click()
  await page.getByRole('menuitem', { name: 'P3' }).click()
  await page.getByText('Set the priority of 171 tasks to P3').waitFor()
  expect(await priorityOf(unseen)).toBe(3)
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect.poll(() => priorityOf(unseen)).toBe(5)
  await expect.poll(() => priorityOf(id)).toBe(2)
})

test('where the service does not say how many cards a column has, selecting all of them ends the offer', async () => {
  for (let at = 0; at < 160; at++) await app.make.task({ name: `Uncounted ${at}` })
  const page = await app.open('/people')
  await intercept(page, '**/api/v1/tasks/board*', async (route) => {
    const response = await route.fetch()
    const { data, ...body } = await response.json()
    const meta = { ...data.meta, total: null }
    await route.fulfill({ response, json: { ...body, data: { ...data, meta } } })
  })
  await page.goto(`${app.url}/?q=Uncounted`)
  await cardLink(page, 'Uncounted 159').focus()
  await page.keyboard.press('x')
  const bar = barOf(page)
  await bar.getByRole('button', { name: 'Select all in Backlog' }).press('Enter')
  await bar.getByText('160 selected').waitFor()
  await bar.getByText(/^\d+ not in sight$/).waitFor()
  await expect.poll(() => bar.getByRole('button', { name: /^Select/ }).count()).toBe(0)
})

test('under a filter, cards that are moved to where their column is not read stay selected, and can be moved on', async () => {
  const made = (name: string, more: object) => app.make.task({ name, subject: 'far', ...more })
  for (let at = 0; at < 70; at++) await made(`Above ${at}`, { status: 'creative_check', priority: 1 })
  const names = ['Far 1', 'Far 2', 'Far 3']
  const ids: string[] = []
  for (const name of names) ids.push((await made(name, { status: 'in_progress', priority: 5 })).id)
  const page = await app.open(`/?sort=priority&filter=${filterOf('subject', '=', 'far')}`)
  for (const name of names) await page.getByRole('checkbox', { name: `Select ${name}`, exact: true }).check()
  const bar = barOf(page)
  const moveTo = async (label: string) => {
    await bar.getByRole('button', { name: 'Move to' }).click()
    await page.getByRole('menuitem', { name: label }).click()
    await page.getByText(`Moved 3 tasks to ${label}`).waitFor()
  }
  await moveTo('Creative check')
  await bar.getByText('3 not in sight').waitFor()
  await bar.getByText('3 selected').waitFor()
  await moveTo('Done')
  await cardLink(column(page, 'Done'), 'Far 3').waitFor()
  await bar.getByText('3 not in sight').waitFor({ state: 'detached' })
  for (const id of ids) expect((await app.make.read(`/api/v1/tasks/${id}`)).status).toBe('done')
})

test('where the service cannot say whether a filter shows cards that are not in sight, they stay selected, and it is asked again', async () => {
  const made = (name: string, more: object) => app.make.task({ name, subject: 'asked', ...more })
  for (let at = 0; at < 70; at++) await made(`Before ${at}`, { status: 'tech_check', priority: 1 })
  for (const at of [1, 2]) await made(`Asked ${at}`, { priority: 5 })
  const page = await app.open(`/?sort=priority&filter=${filterOf('subject', '=', 'asked')}`)
  for (const at of [1, 2]) await page.getByRole('checkbox', { name: `Select Asked ${at}`, exact: true }).check()
  let questions = 0
  await intercept(page, /\/tasks\/board.*%22number%22/, (route) => {
    questions += 1
    return questions === 1
      ? route.fulfill({ status: 503, json: { code: 'overloaded', title: 'Busy', status: 503, detail: 'Busy.' } })
      : route.continue()
  })
  const bar = barOf(page)
  await bar.getByRole('button', { name: 'Move to' }).click()
  await page.getByRole('menuitem', { name: 'Tech check' }).click()
  await page.getByText('Moved 2 tasks to Tech check').waitFor()
  await expect.poll(() => questions).toBe(2)
  await bar.getByText('2 selected').waitFor()
  await bar.getByText('2 not in sight').waitFor()
})

test('the next action is not for selected cards that the filter hides since the action before', async () => {
  const ids: string[] = []
  for (const name of ['Hides 1', 'Hides 2', 'Hides 3'])
    ids.push((await app.make.task({ name, subject: 'hiding', priority: 5 })).id)
  const page = await app.open(`/?q=Hides&filter=${filterOf('priority', '=', 5)}`)
  const bar = barOf(page)
  for (const name of ['Hides 1', 'Hides 2']) await page.getByRole('checkbox', { name: `Select ${name}` }).check()
  await bar.getByRole('button', { name: 'Priority' }).click()
  await page.getByRole('menuitem', { name: 'P4' }).click()
  await page.getByText('Set the priority of 2 tasks to P4').waitFor()
  await bar.waitFor({ state: 'detached' })
  await page.getByRole('checkbox', { name: 'Select Hides 3' }).check()
  await bar.getByText('1 selected').waitFor()
  await bar.getByRole('button', { name: 'Priority' }).click()
  await page.getByRole('menuitem', { name: 'P3' }).click()
  await page.getByText('Set the priority of “Hides 3” to P3').waitFor()
  expect(await Promise.all(ids.map(priorityOf))).toEqual([4, 4, 3])
})

test('a screen reader is told of a selection by keys and of an added task, and of nothing else at the same time', async () => {
  for (const name of ['Spoken 1', 'Spoken 2', 'Spoken 3']) await app.make.task({ name })
  const page = await app.open('/?q=Spoken')
  const told = page.locator('.board-main p').and(page.getByRole('status'))
  await told.filter({ hasText: '3 tasks match' }).waitFor({ state: 'attached' })
  await cardLink(page, 'Spoken 3').focus()
  await page.keyboard.press('x')
  await told.filter({ hasText: /^1 card selected$/ }).waitFor({ state: 'attached' })
  for (const key of ['j', 'j', 'Shift+X']) await page.keyboard.press(key)
  await told.filter({ hasText: /^3 cards selected$/ }).waitFor({ state: 'attached' })
  await page.keyboard.press('x')
  await told.filter({ hasText: /^2 cards selected$/ }).waitFor({ state: 'attached' })
  await page.keyboard.press('Escape')
  await told.filter({ hasText: /^No card selected$/ }).waitFor({ state: 'attached' })
  await page.keyboard.press('n')
  await page.keyboard.type('Spoken 4')
  await page.keyboard.press('Enter')
  await told.filter({ hasText: /^“Spoken 4” is added$/ }).waitFor({ state: 'attached' })
  // That one more task matches now is not spoken over it.
  await cardLink(page, 'Spoken 4').waitFor()
  expect(await told.textContent()).toBe('“Spoken 4” is added')
  await typeInto(page.getByLabel('Search tasks by name or number'), 'Spoken 1')
  await told.filter({ hasText: '1 task matches' }).waitFor({ state: 'attached' })
})

test('Tab in the search for people goes on from the button that opened it', async () => {
  await app.make.task({ name: 'Tabbed' })
  const page = await app.open('/?q=Tabbed')
  await cardLink(page, 'Tabbed').focus()
  await page.keyboard.press('x')
  const bar = barOf(page)
  for (const [key, next] of [
    ['Tab', 'Priority'],
    ['Shift+Tab', 'Move to'],
  ] as const) {
    await bar.getByRole('button', { name: 'Assign' }).press('Enter')
    const search = page.getByLabel('Search people')
    await focused(page, search)
    await page.keyboard.press(key)
    await focused(page, bar.getByRole('button', { name: next }))
    await expect.poll(() => search.isVisible()).toBe(false)
  }
})

test('after cards above it are deleted, the focused card of a scrolled column is wholly in sight', async () => {
  for (let at = 0; at < 30; at++) await app.make.task({ name: `Scrolled ${String(at).padStart(2, '0')}` })
  const page = await app.open('/?q=Scrolled&sort=-number')
  const names = Array.from({ length: 30 }, (_, at) => `Scrolled ${String(29 - at).padStart(2, '0')}`)
  await cardLink(page, names[0] ?? '').waitFor()
  // Where the board is scrolled to the end, the last card is at the foot and cards above it are half hidden.
  await cardLink(page, names[0] ?? '').focus()
  for (let at = 0; at < 20; at++) await page.keyboard.press('j')
  await focused(page, cardLink(page, names[20] ?? ''))
  const hidden = (name: string): Promise<number> =>
    cardLink(page, name).evaluate(
      (link: { closest(selector: string): { getBoundingClientRect(): { top: number } } }) =>
        link.closest('.column-cards').getBoundingClientRect().top - link.closest('.card').getBoundingClientRect().top,
    )
  /** The first card of which the upper edge is hidden, but not the name. */
  const first = await page.evaluate<string>(`(() => {
    const list = document.querySelector('.column[data-column="backlog"] .column-cards')
    list.scrollTop -= 10
    const top = list.getBoundingClientRect().top
    const card = [...list.querySelectorAll('.card')].find((one) => one.getBoundingClientRect().bottom > top)
    list.scrollTop += card.getBoundingClientRect().top - top + 12
    return card.querySelector('.card-name').textContent
  })()`)
  const at = names.indexOf(first)
  await page.getByRole('checkbox', { name: `Select ${first}`, exact: true }).check()
  expect(await hidden(first)).toBeGreaterThan(0)
  await barOf(page).getByRole('button', { name: 'Delete' }).press('Enter')
  await cardLink(column(page, 'Deleted'), first).waitFor()
  await focused(page, cardLink(column(page, 'Backlog'), names[at + 1] ?? ''))
  await expect.poll(() => hidden(names[at + 1] ?? '')).toBeLessThanOrEqual(0)
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
