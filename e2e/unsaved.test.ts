// Facts about what users have typed or changed and what is not saved yet: it stays as they typed it, and is not lost without a word.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { definitionOf } from '../server/test/support/definitions.ts'
import { makeRun, runThrough } from '../server/test/support/runs.ts'
import { type App, startApp } from './support/app.ts'
import { violations } from './support/axe.ts'
import { add, node } from './support/canvas.ts'
import { intercept } from './support/intercept.ts'
import { keepShot } from './support/shots.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
  await app.service.app.worker.start()
})
afterAll(() => app.close())

const graphOf = async (nodes: Record<string, unknown>) => {
  const { data } = await app.service.post('/api/v1/graphs', {
    name: 'Typed',
    definition: { schema: 1, nodes, edges: [] },
  })
  const read = async () => (await app.make.read(`/api/v1/graphs/${data.id}`)).definition.nodes
  return { id: data.id, read, page: await app.open(`/graphs/${data.id}`) }
}

test('where any value may stand, a text stays as it is typed, and a number may have any digits', async () => {
  const { read, page } = await graphOf({
    words: { type: 'text.template', version: 1, params: { template: '{{ offer }}' } },
  })
  await node(page, 'words').waitFor()
  await page.locator('body').press('ArrowRight')
  const offer = page.getByPlaceholder('Text, a number, or JSON')
  for (const [typed, value] of [
    ['5 reasons why', '5 reasons why'],
    ['-0.05', -0.05],
    ['1.05', 1.05],
    ['120210987654321098', '120210987654321098'],
    ['[1, 2]', [1, 2]],
  ] as const) {
    await offer.fill('')
    await offer.pressSequentially(typed)
    expect(await offer.inputValue()).toBe(typed)
    await expect.poll(async () => (await read()).words?.inputs?.offer).toEqual(value)
  }
})

test('what is not finished in a field of one node is not shown at another', async () => {
  const chat = { type: 'llm.chat', version: 1, params: {} }
  const { read, page } = await graphOf({ first: chat, second: chat })
  const form = page.getByLabel('Form of the answer')
  await node(page, 'first').click()
  await form.fill('{"type":')
  await page.getByText('This is not JSON').waitFor()
  await node(page, 'second').click()
  await page.getByRole('heading', { name: 'second' }).waitFor()
  expect(await form.inputValue()).toBe('{}')
  await form.fill('{"type":"object"}')
  await expect.poll(async () => (await read()).second.params).toEqual({ schema: { type: 'object' } })
  expect((await read()).first.params).toEqual({})
  // The field that one goes on to after a new name keeps the focus.
  await page.getByLabel('Name of the node').fill('renamed')
  await page.keyboard.press('Tab')
  const isFocused = await page.locator('.inspector-body :focus').count()
  expect(isFocused).toBe(1)
})

test('a graph whose changes cannot be saved is not left without a question, and saves once it can', async () => {
  const { read, page, id } = await graphOf({ words: { type: 'input.text', version: 1, params: { value: 'x' } } })
  await node(page, 'words').waitFor()
  // Opened from the list, so that Back leads to it.
  await page.getByRole('link', { name: 'Graphs' }).first().click()
  await page.locator(`a[href^="/graphs/${id}"]`).first().click()
  await node(page, 'words').waitFor()
  await page.context().setOffline(true)
  await add(page, 'number')
  await page.getByRole('alert').filter({ hasText: 'Not saved' }).waitFor()
  await page.getByRole('link', { name: 'Graphs' }).first().click()
  const question = page.getByRole('dialog', { name: 'Leave without your last changes?' })
  await question.getByText('The service cannot be reached').waitFor()
  expect(await violations(page)).toEqual([])
  await keepShot(page, 'leave-unsaved')
  await question.getByRole('button', { name: 'Stay here' }).click()
  await question.waitFor({ state: 'detached' })
  await page.goBack()
  await question.getByRole('button', { name: 'Stay here' }).click()
  await node(page, 'number').waitFor()
  await page.context().setOffline(false)
  await expect.poll(async () => Object.keys(await read())).toEqual(['words', 'number'])
  await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor()
  await page.getByRole('link', { name: 'Graphs' }).first().click()
  await page.getByRole('heading', { name: 'Graphs', level: 1 }).waitFor()
})

test('what another saved meanwhile is not lost by leaving, unless one says so', async () => {
  const { id, page } = await graphOf({ words: { type: 'input.text', version: 1, params: { value: 'x' } } })
  await node(page, 'words').waitFor()
  await app.service.patch(`/api/v1/graphs/${id}`, { description: 'Theirs' })
  await add(page, 'number')
  await page.getByRole('button', { name: 'Keep mine as a fork' }).waitFor()
  await page.getByRole('link', { name: 'Graphs' }).first().click()
  await page.getByRole('dialog').getByText('yours is not saved').waitFor()
  expect(new URL(page.url()).pathname).toBe(`/graphs/${id}`)
  await page.getByRole('button', { name: 'Leave and lose them' }).click()
  await page.getByRole('heading', { name: 'Graphs', level: 1 }).waitFor()
})

test('a graph that is renamed and changed at once is not in conflict with itself, however slow the service is', async () => {
  const { read, page } = await graphOf({ words: { type: 'input.text', version: 1, params: { value: 'x' } } })
  await page.clock.install()
  await page.reload()
  await node(page, 'words').waitFor()
  const held = Promise.withResolvers<void>()
  await intercept(page, '**/api/v1/graphs/*', async (route) => {
    if (route.request().postData()?.includes('"name"')) await held.promise
    await route.continue()
  })
  const name = page.getByLabel('Name of the graph')
  await name.fill('Renamed')
  await name.press('Enter')
  await add(page, 'number')
  await page.getByText('Saving …').waitFor()
  await page.clock.runFor(2_000)
  held.resolve()
  await expect.poll(async () => Object.keys(await read())).toEqual(['words', 'number'])
  await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor()
})

test('a gate that asks about a text shows the new one when it is made again, and never takes what one wrote', async () => {
  const definition = definitionOf(
    { chat: { type: 'sample.chat', params: { prompt: 'a line' } }, check: { type: 'gate.edit' } },
    'chat.text > check.value',
  )
  const { id } = await makeRun(app.service, definition)
  await runThrough(app.service, id)
  const page = await app.open(`/runs/${id}`)
  const text = page.locator('.gate-edit textarea')
  await text.waitFor()
  const first = await text.inputValue()
  const reroll = () => runThrough(app.service, id, { regenerate: [{ node_id: 'chat' }] })
  await reroll()
  await expect.poll(() => text.inputValue()).not.toBe(first)
  await text.fill('What I wrote')
  await reroll()
  await page.getByText('This was made anew while you wrote.').waitFor()
  expect(await text.inputValue()).toBe('What I wrote')
  await page.getByRole('button', { name: 'Take the new one' }).click()
  expect(await text.inputValue()).not.toBe('What I wrote')
})

test('a search that is cleared at once does not come back', async () => {
  await app.make.task({ name: 'Found by nobody' })
  const page = await app.open('/')
  await page.getByText('Found by nobody').waitFor()
  const search = page.getByLabel('Search tasks by name or number')
  await search.pressSequentially('zzz')
  await search.press('Escape')
  await search.pressSequentially('nobody')
  await page.waitForURL(/q=nobody/)
  expect(await search.inputValue()).toBe('nobody')
})

test('the bar of selected cards counts and changes only those that are shown', async () => {
  const hidden = await app.make.task({ name: 'Hidden by the search', priority: 3 })
  const shown = await app.make.task({ name: 'Shown by the search', priority: 3 })
  const page = await app.open('/')
  const bar = page.getByRole('toolbar', { name: 'Selected tasks' })
  for (const name of ['Hidden by the search', 'Shown by the search'])
    await page.getByRole('checkbox', { name: new RegExp(name) }).check()
  await bar.getByText('2 selected').waitFor()
  await page.getByLabel('Search tasks by name or number').fill('Shown by')
  await bar.getByText('1 selected').waitFor()
  await bar.getByRole('button', { name: 'Priority' }).click()
  await page.getByRole('menuitem', { name: 'P1' }).click()
  const priorityOf = async ({ id }: { id: string }) => (await app.make.read(`/api/v1/tasks/${id}`)).priority
  await expect.poll(() => priorityOf(shown)).toBe(1)
  expect(await priorityOf(hidden)).toBe(3)
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
