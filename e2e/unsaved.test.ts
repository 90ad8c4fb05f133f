// Facts about what users have typed or changed and what is not saved yet: it stays as they typed it, and is not lost without a word.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { definitionOf } from '../server/test/support/definitions.ts'
import { makeRun, runThrough, until } from '../server/test/support/runs.ts'
import { type App, startApp } from './support/app.ts'
import { violations } from './support/axe.ts'
import { add, node } from './support/canvas.ts'
import { typeInto } from './support/fields.ts'
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
    ['19.90', '19.90'],
    ['1e400', '1e400'],
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

test('the definition of a run whose changes cannot be saved is not left for the run without a question', async () => {
  const { id } = await makeRun(app.service, definitionOf({ words: { type: 'input.text', params: { value: 'x' } } }))
  const page = await app.open(`/runs/${id}`)
  await page.getByRole('button', { name: 'More about this run' }).click()
  await page.getByRole('menuitem', { name: 'Edit its definition' }).click()
  await page.getByRole('button', { name: 'Back to the run' }).waitFor()
  // Loads the scripts of the inspector, which cannot be loaded any more without a connection.
  await node(page, 'words').click()
  await page.getByLabel('Name of the node').waitFor()
  await page.context().setOffline(true)
  await add(page, 'number')
  await page.getByRole('alert').filter({ hasText: 'Not saved' }).waitFor()
  const question = page.getByRole('dialog', { name: 'Leave without your last changes?' })
  for (const leave of [
    () => page.getByRole('button', { name: 'Back to the run' }).click(),
    () => page.getByRole('link', { name: /^Run of/ }).click(),
    () => page.goBack(),
  ]) {
    await leave()
    await question.getByText('The service cannot be reached').waitFor()
    await question.getByRole('button', { name: 'Stay here' }).click()
    await question.waitFor({ state: 'detached' })
    expect(new URL(page.url()).search).toBe('?view=edit')
  }
  await node(page, 'number').waitFor()
  await page.context().setOffline(false)
  await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor()
  await page.getByRole('button', { name: 'Back to the run' }).click()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  await node(page, 'number').waitFor()
})

test('going back in the history of a graph throws away nothing that is not saved', async () => {
  const { id, read, page } = await graphOf({ words: { type: 'input.text', version: 1, params: { value: 'x' } } })
  await node(page, 'words').waitFor()
  let isRefused = false
  await intercept(page, `**/api/v1/graphs/${id}`, async (route) => {
    if (isRefused && route.request().method() === 'PATCH') await route.fulfill({ status: 500 })
    else await route.continue()
  })
  await add(page, 'number')
  await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor()
  await page.getByRole('button', { name: 'History' }).click()
  await page.locator('.timeline-head').last().click()
  const restore = page.getByRole('button', { name: 'Go back to this' })
  await restore.waitFor()
  isRefused = true
  await add(page, 'choice')
  await page.getByRole('alert').filter({ hasText: 'Not saved' }).waitFor()
  await restore.click()
  await page.getByText('Your last changes are not saved and would be lost.').waitFor()
  await node(page, 'choice').waitFor()

  // What is changed while the service goes back is in conflict with it, and is kept as well.
  isRefused = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor()
  const [restored, shown] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await intercept(page, `**/api/v1/graphs/${id}/history/*`, async (route) => {
    const response = await route.fetch()
    restored.resolve()
    await shown.promise
    await route.fulfill({ response })
  })
  await restore.click()
  await restored.promise
  await add(page, 'template')
  await page.getByRole('button', { name: 'See both versions' }).waitFor()
  shown.resolve()
  await page.getByText('without what you have changed meanwhile').waitFor()
  await node(page, 'template').waitFor()
  expect(Object.keys(await read())).toEqual(['words'])
})

test('the graph that another saved is not shown in place of changes that were not saved', async () => {
  const { id, page } = await graphOf({ words: { type: 'input.text', version: 1, params: { value: 'x' } } })
  await page.locator('.frame[data-live="live"]').waitFor()
  await node(page, 'words').waitFor()
  await app.service.patch(`/api/v1/graphs/${id}`, { description: 'Theirs' })
  const theirs = page.getByRole('button', { name: 'Show theirs' })
  await theirs.waitFor()
  const held = Promise.withResolvers<void>()
  await intercept(page, `**/api/v1/graphs/${id}`, async (route) => {
    if (route.request().method() === 'PATCH') await held.promise
    await route.continue()
  })
  await add(page, 'number')
  await theirs.click()
  held.resolve()
  await page.getByText('Your last changes are not saved and would be lost.').waitFor()
  await page.getByRole('button', { name: 'See both versions' }).waitFor()
  await node(page, 'number').waitFor()
  expect(await theirs.count()).toBe(0)
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

test('what is entered at the questions of a run stays when one looks at something else, until it is answered', async () => {
  const { id } = await makeRun(
    app.service,
    definitionOf({
      approve: { type: 'gate.approve', inputs: { value: 'an ad' } },
      choose: { type: 'gate.choose', params: { max: 2 }, inputs: { options: ['a', 'b', 'c'] } },
      edit: { type: 'gate.edit', inputs: { value: ['one', '', 'two'] } },
    }),
  )
  await runThrough(app.service, id)
  const page = await app.open(`/runs/${id}`)
  const asked: string[] = []
  page.on('dialog', (dialog) => {
    asked.push(dialog.type())
    void dialog.accept()
  })
  const note = page.getByLabel('Note')
  const picked = page.getByRole('button', { name: /^Option \d, picked$/ })
  const text = page.locator('.gate-edit textarea')
  const next = () => page.getByRole('button', { name: 'The next question' }).click()
  await typeInto(note, 'Nice')
  await next()
  await page.getByRole('button', { name: 'Option 1', exact: true }).click()
  await page.getByRole('button', { name: 'Option 3', exact: true }).click()
  await next()
  await typeInto(text, 'What I wrote')
  await page.keyboard.press('Escape')
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  await page.getByRole('button', { name: 'Answer', exact: true }).click()
  expect(await text.inputValue()).toBe('What I wrote')
  await page.reload()
  expect(await note.inputValue()).toBe('Nice')
  await next()
  await expect.poll(() => picked.count()).toBe(2)
  await page.getByRole('button', { name: 'Choose these 2' }).click()
  // Only two questions are left, and what was entered at the answered one is not asked about any more.
  await page.getByText(/^\d of 2$/).waitFor()
  const drafts = () =>
    page.evaluate('Object.entries(sessionStorage).flatMap(([, kept]) => Object.keys(JSON.parse(kept))).length')
  await expect.poll(drafts).toBe(2)
  await note.or(text).waitFor()
  if ((await text.count()) === 0) await next()
  // By keys: a click at the place of the last one, as soon as the question comes, would be the second of a double click.
  await page.getByRole('button', { name: 'As it was' }).press('Enter')
  await page.getByRole('button', { name: 'Go on with this' }).press('Enter')
  await page.getByRole('button', { name: 'Approve' }).press('Enter')
  const { nodes } = await until(app.service, id, ({ status }) => status === 'succeeded')
  expect(nodes.choose.outputs.chosen).toEqual(['a', 'c'])
  expect(nodes.edit.outputs.value).toEqual(['one', '', 'two'])
  expect(nodes.approve.outputs.note).toBe('Nice')
  await page.getByRole('status').filter({ hasText: 'Succeeded' }).waitFor()
  await page.reload()
  await page.getByRole('status').filter({ hasText: 'Succeeded' }).waitFor()
  expect(asked).toEqual(['beforeunload'])
})

test('a date that is not whole, and JSON with a number that has too many digits, are not saved as something else', async () => {
  const deadline_at = '2026-03-04T12:30:00.000Z'
  const task = await app.make.task({ name: 'Exactly', deadline_at })
  const member = async (name: string) => (await app.make.read(`/api/v1/tasks/${task.id}`))[name]
  const page = await app.open(`/tasks/${task.id}`)
  const deadline = page.getByLabel('Deadline')
  const shown = await deadline.inputValue()
  const halfType = async () => {
    await deadline.focus()
    await page.keyboard.press('Backspace')
    await deadline.blur()
    await page.getByText('Not saved: this is not a whole date').waitFor()
  }
  await halfType()
  // Another tab removes the field, and coming back creates a new one. It shows the saved date, and leaving it saves nothing.
  await page.getByRole('tab', { name: 'Comments' }).click()
  await page.getByRole('tab', { name: 'Details' }).click()
  expect(await deadline.inputValue()).toBe(shown)
  await deadline.focus()
  await deadline.blur()
  expect(await page.getByText('not saved').count()).toBe(0)

  await halfType()
  await deadline.focus()
  await page.keyboard.type('0306')
  await deadline.blur()
  await expect.poll(() => member('deadline_at')).toBe('2026-03-06T12:30:00.000Z')
  expect(await page.getByText('Not saved').count()).toBe(0)

  await page.locator('summary').filter({ hasText: 'Launch' }).click()
  const landing = page.getByLabel('Landing')
  await typeInto(landing, '{"id": 23852150404470549}')
  await landing.blur()
  await page.getByText('23852150404470549 has too many digits').waitFor()
  expect(await member('landing')).toBeNull()
  await typeInto(landing, '23852150404470549')
  await landing.blur()
  await expect.poll(() => member('landing')).toBe('23852150404470549')
})

test('a token whose end is mistyped is not made, least of all as one without an end', async () => {
  const page = await app.open('/tokens')
  await page.getByRole('button', { name: 'New token' }).click()
  const dialog = page.getByRole('dialog', { name: 'New token' })
  const make = dialog.getByRole('button', { name: 'Make the token' })
  await typeInto(dialog.getByLabel('What it is for'), 'Ends some day')
  const ends = dialog.getByLabel('Ends')
  for (const wrong of ['20261-03-04T12:30', '2026-03-04T12:30']) {
    await ends.fill(wrong)
    // The second date is only half there: the month is removed again.
    if (wrong.startsWith('2026-')) await ends.press('Backspace')
    await make.click()
    await ends.and(page.locator(':invalid')).waitFor()
  }
  await ends.fill('2126-03-04T12:30')
  await make.click()
  await page.getByRole('dialog', { name: 'This token is shown once' }).waitFor()
  const { items } = await app.service.get('/api/v1/tokens').then(({ data }) => data)
  const made = items.filter(({ name }: { name: string }) => name === 'Ends some day')
  expect(made).toMatchObject([{ expires_at: new Date('2126-03-04T12:30').toISOString() }])
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
