// Facts about moving cards: by mouse, by keyboard, several at once, and if another user has moved the card before.
import { taskLimits } from '@atelier/contract/task-limits.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, startApp } from './support/app.ts'
import { card, cardLink, column, columnsRead, dragByMouse, pickUp, pickUpByMouse } from './support/board.ts'
import { intercept } from './support/intercept.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const statusOf = async (id: string): Promise<string> => (await app.make.read(`/api/v1/tasks/${id}`)).status
/** Waits until the service has stored this status of the task: the page shows a new status before it is stored. */
const expectStatus = (id: string, status: string) => expect.poll(() => statusOf(id)).toBe(status)

const messageOf = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text })

/** Reloads a page and blocks its event stream, so that it learns of no changes by other users; waits for the stream's request. */
const unheard = async (page: Page) => {
  const asked = Promise.withResolvers<void>()
  await page.route('**/api/v1/events*', (route) => {
    asked.resolve()
    return route.abort()
  })
  await page.reload()
  await asked.promise
}

/** Selects the cards with these names, by keyboard. */
const selected = async (page: Page, names: readonly string[]) => {
  for (const name of names) {
    await cardLink(page, name).focus()
    await page.keyboard.press('x')
  }
}
/** Moves the selected cards to the column with this label. */
const moveSelected = async (page: Page, label: string) => {
  await page.getByRole('toolbar', { name: 'Selected tasks' }).getByRole('button', { name: 'Move to' }).click()
  await page.getByRole('menuitem', { name: label }).click()
}

/** Waits until the focused element, such as a card's link or a menu item, has this text. */
const expectFocus = (page: Page, name: string) => expect.poll(() => page.locator(':focus').textContent()).toBe(name)

test('a card is dragged to another column with the mouse', async () => {
  const task = await app.make.task({ name: 'By mouse' })
  const page = await app.open('/')
  await dragByMouse(page, 'By mouse', 'In progress')
  await cardLink(column(page, 'In progress'), 'By mouse').waitFor()
  await expectStatus(task.id, 'in_progress')
})

test('a card is carried with the keyboard alone, aloud, and keeps the focus', async () => {
  const task = await app.make.task({ name: 'By keyboard' })
  const page = await app.open('/')
  await pickUp(page, 'By keyboard', 'Backlog')
  await page.keyboard.press('ArrowRight')
  await page.getByText('By keyboard is over Ready for production.').waitFor()
  await page.keyboard.press('Space')
  await page.getByText('By keyboard was dropped in Ready for production.').waitFor()
  await cardLink(column(page, 'Ready for production'), 'By keyboard').waitFor()
  await expectFocus(page, 'By keyboard')
  await expectStatus(task.id, 'ready_for_production')
})

test('Escape puts a card that was picked up back', async () => {
  const task = await app.make.task({ name: 'Put back' })
  const page = await app.open('/')
  await pickUp(page, 'Put back', 'Backlog')
  await page.keyboard.press('ArrowRight')
  await page.getByText('Put back is over Ready for production.').waitFor()
  await page.keyboard.press('Escape')
  await page.getByText('Put back was put back.').waitFor()
  expect(await statusOf(task.id)).toBe('backlog')
})

test('the keys of the board rest while a card is carried, and the focus stays on it', async () => {
  const carried = await app.make.task({ name: 'Carry this' })
  const neighbour = await app.make.task({ name: 'Carry past', status: 'ready_for_production' })
  await app.make.task({ name: 'Carry marked' })
  const page = await app.open('/?q=Carry')
  await cardLink(column(page, 'Ready for production'), 'Carry past').waitFor()
  await cardLink(page, 'Carry marked').focus()
  await page.keyboard.press('x')
  await pickUp(page, 'Carry this', 'Backlog')
  await page.keyboard.press('ArrowRight')
  await page.getByText('Carry this is over Ready for production.').waitFor()
  await expectFocus(page, 'Carry this')
  await page.keyboard.press('Delete')
  await page.keyboard.press('Escape')
  await page.getByText('Carry this was put back.').waitFor()
  await expectFocus(page, 'Carry this')
  await page.getByText('1 selected').waitFor()
  expect(await page.getByRole('alert').count()).toBe(0)
  for (const { id } of [carried, neighbour]) expect((await app.make.read(`/api/v1/tasks/${id}`)).deleted_at).toBeNull()
})

test('Escape puts a card that the mouse drags back, and does nothing else', async () => {
  await app.make.task({ name: 'Escape marked' })
  await app.make.task({ name: 'Escape dragged' })
  const page = await app.open('/?q=Escape')
  await cardLink(page, 'Escape marked').focus()
  await page.keyboard.press('x')
  await page.getByText('1 selected').waitFor()
  await pickUpByMouse(page, 'Escape dragged')
  await page.locator('.card-ghost').waitFor()
  await page.keyboard.press('Escape')
  await page.locator('.card-ghost').waitFor({ state: 'detached' })
  expect(await page.getByText('1 selected').count()).toBe(1)
  await expectFocus(page, 'Escape dragged')
  await page.mouse.up()
})

test('several cards that are carried together leave the focus on the carried one', async () => {
  const names = ['Train one', 'Train two']
  for (const name of names) await app.make.task({ name })
  const page = await app.open('/?q=Train')
  await selected(page, names)
  await pickUp(page, 'Train one', 'Backlog')
  await page.keyboard.press('ArrowRight')
  await page.getByText('Train one is over Ready for production.').waitFor()
  await page.keyboard.press('Space')
  await messageOf(page, 'Moved 2 tasks to Ready for production').waitFor()
  await cardLink(column(page, 'Ready for production'), 'Train one').waitFor()
  await expectFocus(page, 'Train one')
})

test('the menu of a card works by keyboard, and the focus goes where the card goes', async () => {
  const task = await app.make.task({ name: 'By menu' })
  const page = await app.open('/')
  await cardLink(page, 'By menu').focus()
  await page.keyboard.press('m')
  await expectFocus(page, 'Ready for production')
  await page.keyboard.press('ArrowDown')
  await expectFocus(page, 'In progress')
  await page.keyboard.press('Enter')
  await cardLink(column(page, 'In progress'), 'By menu').waitFor()
  await expectFocus(page, 'By menu')
  await expectStatus(task.id, 'in_progress')
})

test('several cards selected by keyboard move together', async () => {
  const tasks = [await app.make.task({ name: 'Pair A' }), await app.make.task({ name: 'Pair B' })]
  const page = await app.open('/?q=Pair')
  await cardLink(page, 'Pair B').focus()
  await page.keyboard.press('x')
  await page.keyboard.press('j')
  await expectFocus(page, 'Pair A')
  await page.keyboard.press('x')
  const bar = page.getByRole('toolbar', { name: 'Selected tasks' })
  await bar.getByText('2 selected').waitFor()
  await bar.getByRole('button', { name: 'Move to' }).click()
  await page.getByRole('menuitem', { name: 'Done' }).click()
  for (const task of tasks) await expectStatus(task.id, 'done')
  await cardLink(column(page, 'Done'), 'Pair A').waitFor()
  // The tasks are still selected, so the toolbar is there, and the message does not cover its button.
  await messageOf(page, 'Moved 2 tasks to Done').waitFor()
  await bar.getByRole('button', { name: 'Delete' }).click({ trial: true })
})

test('where somebody else was quicker, the card goes back with a message and stays where they put it', async () => {
  const task = await app.make.task({ name: 'Contested' })
  const page = await app.open('/')
  // This page must not learn of the other user's move, even if that move comes long before this user's move.
  await unheard(page)
  // The card must be loaded before the other user moves it: loaded later, the column would already show the move.
  const here = card(column(page, 'Backlog'), 'Contested')
  await here.waitFor()
  await app.make.patched(task.id, { status: 'done' })
  await here.hover()
  await here.getByRole('button', { name: 'Menu of Contested' }).click()
  await page.getByRole('menuitem', { name: 'In progress' }).click()
  await page.getByText('Somebody moved it to Done meanwhile').waitFor()
  await cardLink(column(page, 'Done'), 'Contested').waitFor()
  expect(await statusOf(task.id)).toBe('done')
})

test('of several cards, those that somebody else has moved stay where they were put, and the others can be undone', async () => {
  const tasks = [await app.make.task({ name: 'Bunch A' }), await app.make.task({ name: 'Bunch B' })]
  const taken = await app.make.task({ name: 'Bunch C' })
  const page = await app.open('/?q=Bunch')
  // As above, this page must not learn of the other user's move before its own.
  await unheard(page)
  await selected(page, ['Bunch A', 'Bunch B', 'Bunch C'])
  await app.make.patched(taken.id, { status: 'done' })
  await moveSelected(page, 'In progress')
  await messageOf(page, '2 of 3 moved').filter({ hasText: '“Bunch C”: Somebody moved it to Done meanwhile' }).waitFor()
  await cardLink(column(page, 'Done'), 'Bunch C').waitFor()
  for (const { id } of tasks) await expectStatus(id, 'in_progress')
  await messageOf(page, 'Moved 2 tasks to In progress').waitFor()
  await cardLink(page, 'Bunch A').focus()
  await page.keyboard.press('z')
  await page.getByText('2 tasks are back in Backlog').waitFor()
  for (const { id } of tasks) await expectStatus(id, 'backlog')
  expect(await statusOf(taken.id)).toBe('done')
})

test('more cards than one request may change are changed and moved together', async () => {
  const count = taskLimits.bulk + 1
  for (let number = 1; number <= count; number += 1) await app.make.task({ name: `Host ${number}` })
  const page = await app.open('/?q=Host')
  await cardLink(page, `Host ${count}`).focus()
  for (let number = count; number > 0; number -= 1) {
    await expectFocus(page, `Host ${number}`)
    await page.keyboard.press('x')
    // The column's next page is read at this moment. It has to be loaded before the focus can move on to its first card.
    if (number === count - 30) await page.locator(`[aria-setsize="${count}"]`).first().waitFor()
    await page.keyboard.press('j')
  }
  const totalOf = async (query: string): Promise<number> =>
    (await app.make.read(`/api/v1/tasks/board?search=Host&limit=1&${query}`)).meta.total
  const bar = page.getByRole('toolbar', { name: 'Selected tasks' })
  await bar.getByText(`${count} selected`).waitFor()
  await bar.getByRole('button', { name: 'Priority' }).click()
  await page.getByRole('menuitem', { name: 'P1' }).click()
  const urgent = { combinator: 'and', rules: [{ field: 'priority', operator: '=', value: 1 }] }
  await expect.poll(() => totalOf(`query=${encodeURIComponent(JSON.stringify(urgent))}`)).toBe(count)
  await moveSelected(page, 'Done')
  await page.getByText(new RegExp(`Moving \\d+ of ${count} tasks`)).waitFor()
  await messageOf(page, `Moved ${count} tasks to Done`).waitFor()
  expect(await totalOf('status=done')).toBe(count)
})

test('a card that is moved again before its move is written ends where it was put last', async () => {
  const task = await app.make.task({ name: 'Twice' })
  const page = await app.open('/')
  const inMyHand = Promise.withResolvers<void>()
  let writes = 0
  await intercept(page, `**/api/v1/tasks/${task.id}`, async (route) => {
    if (route.request().method() === 'PATCH' && ++writes === 1) await inMyHand.promise
    await route.fallback()
  })
  await columnsRead(page, 'In progress', 'Done')
  for (const to of ['In progress', 'Done']) {
    await cardLink(page, 'Twice').focus()
    await page.keyboard.press('m')
    await page.getByRole('menuitem', { name: to }).click()
    await cardLink(column(page, to), 'Twice').waitFor()
    await expect.poll(() => writes).toBe(1)
  }
  inMyHand.resolve()
  await messageOf(page, 'Moved “Twice” to Done').waitFor()
  await expectStatus(task.id, 'done')
  await cardLink(column(page, 'Done'), 'Twice').waitFor()
  expect(await page.getByText('Not moved').count()).toBe(0)
})

test('a move can be undone: by the button of its message, and by a key', async () => {
  const task = await app.make.task({ name: 'Undone' })
  const page = await app.open('/')
  const move = async (to: string) => {
    await cardLink(page, 'Undone').focus()
    await page.keyboard.press('m')
    await page.getByRole('menuitem', { name: to }).click()
  }
  await move('In progress')
  await expectStatus(task.id, 'in_progress')
  await messageOf(page, 'Moved “Undone” to In progress').getByRole('button', { name: 'Undo' }).click()
  await page.getByText('“Undone” is back in Backlog').waitFor()
  await expectStatus(task.id, 'backlog')
  await move('Done')
  await messageOf(page, 'Moved “Undone” to Done').waitFor()
  await cardLink(column(page, 'Done'), 'Undone').focus()
  await page.keyboard.press('z')
  await cardLink(column(page, 'Backlog'), 'Undone').waitFor()
  await expectStatus(task.id, 'backlog')
  // The message with the button Undo disappears after the undo, so that the move cannot be undone twice.
  await page.getByRole('button', { name: 'Undo', exact: true }).waitFor({ state: 'detached' })
})

test('a move from the open task can be undone too', async () => {
  const task = await app.make.task({ name: 'From inside' })
  const page = await app.open(`/tasks/${task.id}`)
  await page.getByRole('combobox', { name: 'Column' }).click()
  await page.getByRole('option', { name: 'In progress' }).click()
  await messageOf(page, 'Moved “From inside” to In progress').getByRole('button', { name: 'Undo' }).click()
  await cardLink(column(page, 'Backlog'), 'From inside').waitFor()
  await expectStatus(task.id, 'backlog')
})

test('an undo of several puts each back where it stood, but for what somebody else has moved since', async () => {
  const first = await app.make.task({ name: 'Trio one' })
  const second = await app.make.task({ name: 'Trio two', status: 'in_progress' })
  const third = await app.make.task({ name: 'Trio three' })
  const page = await app.open('/?q=Trio')
  await selected(page, ['Trio one', 'Trio two', 'Trio three'])
  await moveSelected(page, 'Creative check')
  const message = messageOf(page, 'Moved 3 tasks to Creative check')
  await message.waitFor()
  await app.make.patched(third.id, { status: 'done' })
  await message.getByRole('button', { name: 'Undo' }).click()
  await expectStatus(first.id, 'backlog')
  await expectStatus(second.id, 'in_progress')
  await messageOf(page, '1 of 2 moved back to Backlog')
    .filter({ hasText: 'Somebody moved it to Done meanwhile' })
    .waitFor()
  expect(await statusOf(third.id)).toBe('done')
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
