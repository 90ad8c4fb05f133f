// Facts about changing several selected cards at once.
import type { Route } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, startApp } from './support/app.ts'
import { cardLink } from './support/board.ts'
import { intercept } from './support/intercept.ts'
import { focused } from './support/keyboard.ts'

/** What the tests use of an element of the page, whose types they do not have. */
type Measured = {
  getBoundingClientRect(): { x: number; y: number; width: number; height: number }
  ownerDocument: { elementsFromPoint(x: number, y: number): { matches(selector: string): boolean }[] }
}

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

test('a name that is typed to assign several tasks only searches, and each task gets its own assignee back by Undo', async () => {
  const person = async (name: string) => (await app.service.post('/api/v1/users', { name, role: 'reader' })).data.id
  const [anna, before] = [await person('Anna Berg'), await person('Before Her')]
  const tasks = [
    await app.make.task({ name: 'Together 1', assignee_id: before }),
    await app.make.task({ name: 'Together 2' }),
  ]
  const assignees = () =>
    Promise.all(tasks.map(async ({ id }) => (await app.make.read(`/api/v1/tasks/${id}`)).assignee_id))
  const page = await app.open('/?q=Together')
  for (const name of ['Together 1', 'Together 2']) {
    await cardLink(page, name).focus()
    await page.keyboard.press('x')
  }
  await page.getByRole('button', { name: 'Assign' }).click()
  await focused(page, page.getByLabel('Search people'))
  await page.keyboard.type('anna berg')
  await expect.poll(() => page.getByRole('option').allTextContents()).toEqual(['Anna Berg'])
  expect(await assignees()).toEqual([before, null])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByText('Assigned 2 tasks to Anna Berg').waitFor()
  expect(await assignees()).toEqual([anna, anna])
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect.poll(assignees).toEqual([before, null])
})

test('Undo leaves what somebody else has changed meanwhile, and says so', async () => {
  const tasks = [
    await app.make.task({ name: 'Meanwhile 1', priority: 4 }),
    await app.make.task({ name: 'Meanwhile 2' }),
  ]
  const [ours, theirs] = tasks.map(({ id }) => id)
  const priorities = () =>
    Promise.all(tasks.map(async ({ id }) => (await app.make.read(`/api/v1/tasks/${id}`)).priority))
  const page = await app.open('/?q=Meanwhile')
  for (const name of ['Meanwhile 1', 'Meanwhile 2']) {
    await cardLink(page, name).focus()
    await page.keyboard.press('x')
  }
  const setPriority = async (words: string) => {
    await page.getByRole('toolbar').getByRole('button', { name: 'Priority' }).click()
    await page.getByRole('menuitem', { name: words, exact: true }).click()
    await page.getByText(`Set the priority of 2 tasks to ${words}`).waitFor()
  }
  const undo = () => page.getByRole('button', { name: 'Undo', exact: true }).last().click()
  await setPriority('P1')
  await app.make.patched(theirs ?? '', { priority: 5 })
  await undo()
  await page.getByText('1 of 2 tasks is as it was; 1 stays as it is, because somebody has changed it').waitFor()
  expect(await priorities()).toEqual([4, 5])

  await setPriority('P2')
  for (const id of [ours, theirs]) await app.make.patched(id ?? '', { priority: 3 })
  await undo()
  await page.getByText('Nothing was undone: somebody has changed 2 tasks meanwhile').waitFor()
  expect(await priorities()).toEqual([3, 3])
})

test('b leads from the board to the actions for the selected cards', async () => {
  await app.make.task({ name: 'By a key' })
  const page = await app.open('/?q=By+a+key')
  await cardLink(page, 'By a key').focus()
  await page.keyboard.press('x')
  const bar = page.getByRole('toolbar', { name: 'Selected tasks' })
  await bar.waitFor()
  await page.keyboard.press('b')
  await focused(page, bar.getByRole('button', { name: 'Move to' }))
  await page.keyboard.press('Escape')
  await focused(page, cardLink(page, 'By a key'))
  expect(await bar.count()).toBe(0)
})

test('with several selected cards the palette is about all of them, and about another card that has the focus', async () => {
  const tasks = [await app.make.task({ name: 'Palette 1' }), await app.make.task({ name: 'Palette 2' })]
  const other = await app.make.task({ name: 'Palette 3' })
  const read = async (member: string) =>
    Promise.all(tasks.map(async ({ id }) => (await app.make.read(`/api/v1/tasks/${id}`))[member]))
  const page = await app.open('/?q=Palette')
  for (const name of ['Palette 1', 'Palette 2']) {
    await cardLink(page, name).focus()
    await page.keyboard.press('x')
  }
  await page.getByText('2 selected').waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('group', { name: '2 cards, selected' }).waitFor()
  expect(await page.getByRole('option', { name: /“Palette/ }).count()).toBe(0)
  await page.keyboard.type('priority')
  await page.getByRole('option', { name: 'Set the priority of 2 cards …' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('option', { name: 'P1' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByText('Set the priority of 2 tasks to P1').waitFor()
  expect(await read('priority')).toEqual([1, 1])

  await cardLink(page, 'Palette 3').focus()
  await page.keyboard.press('Control+k')
  await page.getByRole('option', { name: 'Move “Palette 3” to …' }).waitFor()
  await page.keyboard.type('move 2 cards')
  await page.getByRole('option', { name: 'Move 2 cards to …' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('combobox', { name: 'To which column?' }).waitFor()
  await page.keyboard.type('tech check')
  await page.getByRole('option', { name: 'Tech check' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByText('Moved 2 tasks to Tech check').waitFor()
  expect(await read('status')).toEqual(['tech_check', 'tech_check'])

  await cardLink(page, 'Palette 1').focus()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('delete')
  await page.getByRole('option', { name: 'Delete 2 cards' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByText('Deleted 2 tasks').waitFor()
  // No other card is left in their column: its button has the focus.
  await focused(page, page.getByRole('button', { name: 'New task in Tech check' }))
  expect((await app.make.read(`/api/v1/tasks/${other.id}`)).deleted_at).toBeNull()
})

test('a double click on Delete does not open the card that is behind the bar', async () => {
  const { statuses } = await app.make.read('/api/v1/tasks/schema')
  for (const { value: status } of statuses.slice(0, 5))
    for (let made = 1; made <= 9; made += 1) await app.make.task({ name: `Behind ${status} ${made}`, status })
  // In a window of this width, the button is above the middle of a column.
  const page = await app.open('/?q=Behind', { viewport: { width: 1086, height: 768 } })
  const [first] = statuses
  await cardLink(page, `Behind ${first.value} 9`).focus()
  await page.keyboard.press('x')
  const remove = page.getByRole('toolbar').getByRole('button', { name: 'Delete' })
  const isOverCard = (): Promise<boolean> =>
    remove.evaluate((button: Measured) => {
      const { x, y, width, height } = button.getBoundingClientRect()
      const there = button.ownerDocument.elementsFromPoint(x + width / 2, y + height / 2)
      return there.some((element) => element.matches('.card'))
    })
  await expect.poll(isOverCard).toBe(true)
  await remove.dblclick()
  await page.getByText('Deleted “Behind').waitFor()
  expect(new URL(page.url()).pathname).toBe('/')
  expect(await page.locator('.task-panel').count()).toBe(0)
  // The next click is one of its own.
  await cardLink(page, `Behind ${first.value} 8`).click()
  await page.locator('.task-panel').waitFor()
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})

test('cards that are moved to where their column is not read stay selected, and the next action is for all of them', async () => {
  // The column that they are moved to has more than a page of cards that come before them.
  for (let at = 0; at < 70; at++) await app.make.task({ name: `Before ${at}`, status: 'creative_check', priority: 1 })
  const names = Array.from({ length: 12 }, (_, at) => `Moved far down ${at}`)
  const tasks = []
  for (const name of names) tasks.push(await app.make.task({ name, status: 'in_progress', priority: 5 }))
  const page = await app.open('/?sort=priority')
  for (const name of names) await page.getByRole('checkbox', { name: `Select ${name}`, exact: true }).check()
  const bar = page.getByRole('toolbar', { name: 'Selected tasks' })
  await bar.getByText('12 selected').waitFor()
  await bar.getByRole('button', { name: 'Move to' }).click()
  await page.getByRole('menuitem', { name: 'Creative check' }).click()
  await page.getByText('Moved 12 tasks to Creative check').waitFor()
  await cardLink(page, 'Moved far down 0').waitFor({ state: 'detached' })
  await bar.getByText('12 selected').waitFor()
  await bar.getByRole('button', { name: 'Priority' }).click()
  await page.getByRole('menuitem', { name: 'P4' }).click()
  await page.getByText('Set the priority of 12 tasks to P4').waitFor()
  for (const { id } of tasks)
    expect(await app.make.read(`/api/v1/tasks/${id}`)).toMatchObject({ status: 'creative_check', priority: 4 })
})

test('the browser asks before it reloads a page on which cards are still being moved', async () => {
  const names = ['Being moved 1', 'Being moved 2']
  for (const name of names) await app.make.task({ name })
  const page = await app.open('/?q=Being%20moved')
  const asked: string[] = []
  page.on('dialog', (dialog) => {
    asked.push(dialog.type())
    void dialog.dismiss()
  })
  for (const name of names) await page.getByRole('checkbox', { name: `Select ${name}` }).check()
  const held: Route[] = []
  await intercept(page, '**/api/v1/tasks/*', (route) =>
    route.request().method() === 'PATCH' ? held.push(route) : route.continue(),
  )
  await page.getByRole('toolbar').getByRole('button', { name: 'Move to' }).click()
  await page.getByRole('menuitem', { name: 'Tech check' }).click()
  await expect.poll(() => held.length).toBe(2)
  const reload = () => page.evaluate('location.reload()').catch(() => undefined)
  await reload()
  await expect.poll(() => asked).toEqual(['beforeunload'])
  for (const route of held) await route.continue()
  await page.getByText('Moved 2 tasks to Tech check').waitFor()
})

test('Shift with a click, or with X, does with all cards from the last one to this what it does with this one', async () => {
  const names = Array.from({ length: 6 }, (_, at) => `In a range ${at}`)
  for (const [at, name] of names.entries()) await app.make.task({ name, priority: (at % 5) + 1, status: 'done' })
  const page = await app.open('/?q=In%20a%20range&sort=number')
  const box = (at: number) => page.getByRole('checkbox', { name: `Select In a range ${at}` })
  const selected = async () => {
    const states = await Promise.all(names.map((_, at) => box(at).isChecked()))
    return states.flatMap((isChecked, at) => (isChecked ? [at] : []))
  }
  await box(1).click()
  await box(4).click({ modifiers: ['Shift'] })
  await expect.poll(selected).toEqual([1, 2, 3, 4])
  await page.getByRole('toolbar').getByText('4 selected').waitFor()
  await box(3).click()
  await box(2).click({ modifiers: ['Shift'] })
  await expect.poll(selected).toEqual([1, 4])

  await page.keyboard.press('Escape')
  await expect.poll(selected).toEqual([])
  await cardLink(page, 'In a range 5').focus()
  await page.keyboard.press('x')
  for (const key of ['k', 'k', 'k']) await page.keyboard.press(key)
  await page.keyboard.press('Shift+X')
  await expect.poll(selected).toEqual([2, 3, 4, 5])
})
