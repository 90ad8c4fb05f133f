// Facts about finding one of very many runs and people.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Body } from '../server/test/support/harness.ts'
import { type App, startApp } from './support/app.ts'
import { violations } from './support/axe.ts'
import { typeInto } from './support/fields.ts'
import { focused } from './support/keyboard.ts'

let app: App
let colleague: { id: string; token: string }
beforeAll(async () => {
  app = await startApp()
  colleague = await app.service.person('writer')
})
afterAll(() => app.close())

async function graphOf(name: string): Promise<Body> {
  return (await app.service.post('/api/v1/graphs', { name })).data
}
async function runOf(graph: Body, body: object = {}, token?: string): Promise<Body> {
  const { data } = await app.service.post(`/api/v1/graphs/${graph.id}/runs`, body, token === undefined ? {} : { token })
  return data
}
const runNames = (page: Page) => page.locator('.run-list .tile-name').allInnerTexts()

test('runs are found by the name of their graph and by their owner, at the width of a phone and after coming back', async () => {
  const [serum, toothpaste] = [await graphOf('Serum hooks'), await graphOf('Toothpaste hooks')]
  for (const graph of [serum, toothpaste]) await runOf(graph)
  await runOf(toothpaste, {}, colleague.token)
  const page = await app.open('/runs', { viewport: { width: 390, height: 800 } })
  await expect.poll(async () => (await runNames(page)).length).toBe(3)
  const search = page.getByRole('textbox', { name: 'Search runs' })
  await typeInto(search, 'tooth')
  await expect.poll(() => runNames(page)).toEqual(['Toothpaste hooks', 'Toothpaste hooks'])
  const owner = page.getByRole('combobox', { name: 'Whose runs' })
  await owner.selectOption('A writer')
  await expect.poll(() => runNames(page)).toEqual(['Toothpaste hooks'])
  expect(
    await page.evaluate('document.querySelector("main").scrollWidth <= document.documentElement.clientWidth'),
  ).toBe(true)
  expect(await violations(page)).toEqual([])

  await page.locator('.run-list .tile-name').click()
  await page.waitForURL(/\/runs\//)
  await page.goBack()
  await expect.poll(() => search.inputValue()).toBe('tooth')
  expect(await owner.inputValue()).toBe(colleague.id)
  await owner.selectOption('My runs')
  await typeInto(search, 'SERUM')
  await expect.poll(() => runNames(page)).toEqual(['Serum hooks'])
})

test('the runs to compare with are told apart, and found by task, owner or the end of the id', async () => {
  const graph = await graphOf('Compared often')
  const task = await app.make.task({ name: 'Spring launch' })
  const open = await runOf(graph)
  const [forTask, other] = [await runOf(graph, { task_id: task.id }), await runOf(graph, {}, colleague.token)]
  const page = await app.open(`/runs/${open.id}`)
  await page.getByRole('button', { name: 'More about this run' }).click()
  await page.getByRole('menuitem', { name: 'Compare with another run' }).click()
  const dialog = page.getByRole('dialog', { name: 'Compare with another run' })
  const found = () => dialog.getByRole('listitem').allInnerTexts()
  await dialog.getByText('Spring launch').waitFor()
  expect((await found()).toSorted()).toEqual([
    expect.stringMatching(new RegExp(`^#${task.number} Spring launch\\n.*\\d\\d:\\d\\d .*${forTask.id.slice(-8)}`)),
    expect.stringMatching(new RegExp(`^Without a task\\n.*A writer .*${other.id.slice(-8)}`)),
  ])
  const search = dialog.getByRole('textbox', { name: 'Find a run' })
  for (const wanted of ['spring', forTask.id.slice(-8)]) {
    await typeInto(search, wanted)
    await expect.poll(found).toEqual([expect.stringContaining('Spring launch')])
  }
  await typeInto(search, 'writer')
  await expect.poll(found).toEqual([expect.stringContaining(other.id.slice(-8))])
  await dialog.getByRole('button', { name: /Without a task/ }).click()
  await page.waitForURL((address) => address.searchParams.get('with') === other.id)
})

test('a person is found by name or address among many, and gets a role by a native field', async () => {
  const named = Array.from({ length: 60 }, (_, at) => `Member ${String(at).padStart(2, '0')}`)
  for (const name of named) await app.service.post('/api/v1/users', { name, role: 'reader' })
  const page = await app.open('/people')
  const rows = page.locator('tbody tr')
  // The owner and the colleague are people too.
  await expect.poll(() => rows.count()).toBe(named.length + 2)
  await typeInto(page.getByRole('textbox', { name: 'Find a person' }), 'member 5')
  await expect.poll(() => rows.count()).toBe(10)
  const role = page.getByRole('combobox', { name: 'Role of Member 57' })
  await role.selectOption('Writer')
  await expect
    .poll(async () => (await app.service.rows("select role from users where name = 'Member 57'"))[0]?.role)
    .toBe('writer')
  await expect.poll(() => role.inputValue()).toBe('writer')
  expect(await violations(page)).toEqual([])

  const menu = page.getByRole('button', { name: 'Menu of Member 57' })
  await menu.press('Enter')
  await page.getByRole('menuitem', { name: 'Edit name and address' }).waitFor()
  await expect.poll(() => page.locator('[role=menu]:focus-within').count()).toBe(1)
  await page.keyboard.press('Escape')
  await focused(page, menu)

  await typeInto(page.getByRole('textbox', { name: 'Find a person' }), 'nobody at all')
  await page.getByText('Nobody is called so').waitFor()
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
