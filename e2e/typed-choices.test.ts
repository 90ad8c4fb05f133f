// Facts about choosing by typing: Enter takes what is marked, which is the first option that fits what is typed, and nothing else.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, startApp } from './support/app.ts'
import { cardLink } from './support/board.ts'
import { typeInto } from './support/fields.ts'
import { intercept } from './support/intercept.ts'
import { focused } from './support/keyboard.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
  for (const name of ['Alma Falk', 'Bo Falk', 'Cleo Berg']) {
    await app.service.post('/api/v1/users', { name, role: 'writer' })
  }
})
afterAll(() => app.close())

const marked = (page: Page) => page.locator('[role="option"][data-combobox-selected]')
const graphOf = async (name: string): Promise<string> => (await app.service.post('/api/v1/graphs', { name })).data.id

/** Delays the answers to all searches at this path until the returned function is called. */
async function holdSearches(page: Page, path: string): Promise<() => Promise<void>> {
  let letGo = () => {}
  const isFree = new Promise<void>((resolve) => {
    letGo = resolve
  })
  let asked = 0
  await intercept(
    page,
    (url) => url.pathname.endsWith(path) && url.searchParams.has('search'),
    async (route) => {
      asked += 1
      await isFree
      await route.continue()
    },
  )
  return async () => {
    await expect.poll(() => asked).toBeGreaterThan(0)
    letGo()
  }
}

test('while the graphs that fit are looked for, Enter takes none of the earlier ones; the first that has come is marked', async () => {
  const task = await app.make.task({ name: 'Run by keys' })
  for (const name of ['Zebra first', 'Yak second', 'Zebra third']) await graphOf(name)
  const page = await app.open(`/tasks/${task.id}#runs`)
  const field = page.getByRole('combobox', { name: 'Graph' })
  await field.click()
  await page.getByRole('option', { name: 'Zebra third' }).waitFor()
  const come = await holdSearches(page, '/api/v1/graphs')
  await typeInto(field, 'yak')
  await page.keyboard.press('Enter')
  await come()
  await expect.poll(() => marked(page).allTextContents()).toEqual([expect.stringContaining('Yak second')])
  expect(await field.inputValue()).toBe('yak')
  expect(await page.getByRole('button', { name: 'Start the run' }).isDisabled()).toBe(true)
  await page.keyboard.press('Enter')
  await expect.poll(() => field.inputValue()).toBe('Yak second')
})

test('the first task that fits is marked too once it has come', async () => {
  for (const name of ['Zinc', 'Yew', 'Xylem']) await app.make.task({ name })
  const page = await app.open('/runs')
  const field = page.getByRole('combobox', { name: 'Task' })
  await field.click()
  await page.getByRole('option', { name: 'Zinc' }).waitFor()
  const come = await holdSearches(page, '/board')
  await page.keyboard.type('yew')
  await page.keyboard.press('Enter')
  await come()
  await expect.poll(() => marked(page).allTextContents()).toEqual([expect.stringContaining('Yew')])
  expect(await field.inputValue()).toBe('yew')
  await page.keyboard.press('Enter')
  await expect.poll(() => field.inputValue()).toMatch(/^#\d+ Yew$/)
})

test('after a choice of several, one more Enter chooses nothing that was not typed', async () => {
  const task = await app.make.task({ name: 'Reviewed by one' })
  const page = await app.open(`/tasks/${task.id}#creatives`)
  const field = page.getByRole('combobox', { name: 'Reviewers' })
  await field.click()
  await page.keyboard.type('falk')
  await expect.poll(() => marked(page).allTextContents()).toEqual([expect.stringContaining('Alma Falk')])
  await page.keyboard.press('Enter')
  await expect.poll(() => field.inputValue()).toBe('')
  expect(await marked(page).count()).toBe(0)
  await page.keyboard.press('Enter')
  await page.keyboard.type('b')
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Enter')
  await page.keyboard.type('cleo')
  await page.keyboard.press('Enter')
  const reviewers = async () => (await app.make.read(`/api/v1/tasks/${task.id}/reviewers`)).reviewers
  const people = await app.service.rows("select id from users where name in ('Alma Falk', 'Cleo Berg') order by name")
  await expect.poll(reviewers).toEqual(people.map(({ id }) => id))
})

test('Enter in a field that was only emptied does not choose the first of all options', async () => {
  const task = await app.make.task({ name: 'Emptied', hook_type: 'statistic', topic: 'Before' })
  const page = await app.open(`/tasks/${task.id}`)
  const hook = page.getByRole('combobox', { name: 'Hook type' })
  await hook.focus()
  await hook.selectText()
  await page.keyboard.press('Delete')
  expect(await marked(page).count()).toBe(0)
  await page.keyboard.press('Enter')
  await typeInto(page.getByLabel('Topic', { exact: true }), 'After')
  await page.keyboard.press('Enter')
  const saved = () => app.make.read(`/api/v1/tasks/${task.id}`)
  await expect.poll(async () => (await saved()).topic).toBe('After')
  expect((await saved()).hook_type).toBe('statistic')
  expect(await hook.inputValue()).toBe('Statistic')
})

test('Tab through a chosen graph leaves it, and so does Enter in the list that Tab opens', async () => {
  await app.service.post('/api/v1/automations', {
    name: 'Kept graph',
    on_status: 'in_progress',
    graph_id: await graphOf('Chosen before'),
  })
  const page = await app.open('/automations')
  await page.getByRole('button', { name: 'Menu of Kept graph' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Edit' }).press('Enter')
  const field = page.getByRole('combobox', { name: 'run the graph' })
  await expect.poll(() => field.inputValue()).toBe('Chosen before')
  await field.focus()
  await page.getByRole('option', { name: 'Chosen before' }).waitFor()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Shift+Tab')
  await focused(page, field)
  await page.keyboard.press('Tab')
  expect(await field.inputValue()).toBe('Chosen before')
  expect(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(false)
})

test('the Enter that takes a suggestion of an input method chooses nothing, and is left to it', async () => {
  const task = await app.make.task({ name: 'Composed' })
  const page = await app.open(`/tasks/${task.id}`)
  await page.getByRole('button', { name: 'Add variant' }).click()
  const hook = page.getByRole('dialog').getByRole('combobox', { name: 'Hook type' })
  await hook.focus()
  await page.keyboard.type('quest')
  await marked(page).waitFor()
  await page.evaluate(`addEventListener('keydown', ({ defaultPrevented }) => (window.isTaken = defaultPrevented))`)
  for (const composed of [{ isComposing: true }, { isComposing: false, keyCode: 229 }]) {
    await hook.dispatchEvent('keydown', { key: 'Enter', code: 'Enter', bubbles: true, cancelable: true, ...composed })
    expect(await page.evaluate('window.isTaken')).toBe(false)
  }
  expect(await hook.inputValue()).toBe('quest')
})

test('whom selected tasks are assigned to is chosen by typing and Enter', async () => {
  const task = await app.make.task({ name: 'Assigned by typing' })
  const page = await app.open('/?q=Assigned+by+typing')
  await cardLink(page, 'Assigned by typing').focus()
  await page.keyboard.press('x')
  await page.getByRole('button', { name: 'Assign', exact: true }).click()
  await focused(page, page.getByLabel('Search people'))
  await page.keyboard.press('Enter')
  await page.keyboard.type('falk')
  await expect.poll(() => marked(page).allTextContents()).toEqual(['Alma Falk'])
  await page.keyboard.press('Enter')
  await page.getByText('to Alma Falk').waitFor()
  const [alma] = await app.service.rows("select id from users where name = 'Alma Falk'")
  expect((await app.make.read(`/api/v1/tasks/${task.id}`)).assignee_id).toBe(alma?.id)
})

test('a space after a name that was typed leaves the person marked to whom tasks are assigned', async () => {
  const task = await app.make.task({ name: 'Marked with a space' })
  const page = await app.open('/?q=Marked+with+a+space')
  await cardLink(page, 'Marked with a space').focus()
  await page.keyboard.press('x')
  await page.getByRole('button', { name: 'Assign', exact: true }).click()
  await focused(page, page.getByLabel('Search people'))
  await page.keyboard.type('bo f')
  await expect.poll(() => marked(page).allTextContents()).toEqual(['Bo Falk'])
  await page.keyboard.press('Space')
  expect(await page.getByLabel('Search people').inputValue()).toBe('bo f ')
  expect(await marked(page).allTextContents()).toEqual(['Bo Falk'])
  await page.keyboard.press('Enter')
  await page.getByText('to Bo Falk').waitFor()
  const [bo] = await app.service.rows("select id from users where name = 'Bo Falk'")
  expect((await app.make.read(`/api/v1/tasks/${task.id}`)).assignee_id).toBe(bo?.id)
})

test('a chosen task or graph is not offered where nothing fits what is typed, and is kept', async () => {
  const task = await app.make.task({ name: 'Chosen task' })
  await graphOf('Chosen graph')
  for (const [path, name, typed, chosen] of [
    ['/runs', 'Task', 'chosen task', /^#\d+ Chosen task$/],
    [`/tasks/${task.id}#runs`, 'Graph', 'chosen graph', /^Chosen graph$/],
  ] as const) {
    const page = await app.open(path)
    const field = page.getByRole('combobox', { name })
    await field.click()
    await page.keyboard.type(typed)
    await expect.poll(() => marked(page).count()).toBe(1)
    await page.keyboard.press('Enter')
    await expect.poll(() => field.inputValue()).toMatch(chosen)
    await typeInto(field, 'no such name')
    await page.getByText(/No (task|graph) is called so/).waitFor()
    expect(await page.locator('[role="option"]:visible').count()).toBe(0)
    await page.keyboard.press('Enter')
    expect(await field.inputValue()).toBe('no such name')
    await page.keyboard.press('Tab')
    await expect.poll(() => field.inputValue()).toMatch(chosen)
  }
})

test('typing the name of somebody who is picked and Enter does not take them off; the first who is not picked is marked', async () => {
  const task = await app.make.task({ name: 'Reviewed by two' })
  const page = await app.open(`/tasks/${task.id}#creatives`)
  const field = page.getByRole('combobox', { name: 'Reviewers' })
  const typed = async (words: string, fits: string[]) => {
    await page.keyboard.type(words)
    await expect.poll(() => page.getByRole('option').count()).toBeGreaterThan(0)
    await expect.poll(() => marked(page).allTextContents()).toEqual(fits.map((name) => expect.stringContaining(name)))
    await page.keyboard.press('Enter')
  }
  await field.click()
  await typed('falk', ['Alma Falk'])
  await expect.poll(() => field.inputValue()).toBe('')
  await typed('falk', ['Bo Falk'])
  await expect.poll(() => field.inputValue()).toBe('')
  await typed('falk', [])
  expect(await field.inputValue()).toBe('falk')
  const people = await app.service.rows("select id from users where name like '% Falk' order by name")
  const reviewers = async () => (await app.make.read(`/api/v1/tasks/${task.id}/reviewers`)).reviewers
  await expect.poll(reviewers).toEqual(people.map(({ id }) => id))
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
