// Facts about the keyboard where looking at something must not change it, and where only the mouse had a way.
import type { Route } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { definitionOf } from '../server/test/support/definitions.ts'
import { type App, startApp } from './support/app.ts'
import { intercept } from './support/intercept.ts'
import { focused } from './support/keyboard.ts'
import { pictureOf } from './support/picture.ts'
import { viewer } from './support/viewer.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

test('keys that walk through the roles give none of them; Enter does, or leaving the field, and Escape goes back', async () => {
  const person = (await app.service.post('/api/v1/users', { name: 'Ilse', role: 'reader' })).data
  const roleNow = async () => {
    const { items } = await app.make.read('/api/v1/users')
    return items.find(({ id }: { id: string }) => id === person.id).role
  }
  const page = await app.open('/people')
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'PATCH') sent.push(request.postData() ?? '')
  })
  const role = page.getByRole('combobox', { name: 'Role of Ilse' })
  await role.focus()
  for (const key of ['ArrowDown', 'ArrowDown', 'Escape', 'ArrowDown']) await page.keyboard.press(key)
  expect(await role.inputValue()).toBe('writer')
  expect(sent).toEqual([])
  await page.keyboard.press('Enter')
  await expect.poll(roleNow).toBe('writer')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Tab')
  await expect.poll(roleNow).toBe('reader')
  // The browser may tell of a request after the service has answered another one.
  await expect.poll(() => sent).toEqual(['{"role":"writer"}', '{"role":"reader"}'])
})

test('a role that is given before the list was read again after another change is given too', async () => {
  const person = (await app.service.post('/api/v1/users', { name: 'Oda', role: 'reader' })).data
  const page = await app.open('/people')
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'PATCH') sent.push(request.postData() ?? '')
  })
  const role = page.getByRole('combobox', { name: 'Role of Oda' })
  await role.waitFor()
  const held: Route[] = []
  let isOver = false
  await intercept(page, /\/api\/v1\/users(\?|$)/, (route) => (isOver ? route.continue() : held.push(route)))
  await role.selectOption('writer')
  // Each change may make the page read the list twice, because it is also told of the change by an event.
  await expect.poll(() => held.length).toBeGreaterThan(0)
  expect(await role.inputValue()).toBe('writer')
  await role.selectOption('reader')
  expect(await role.inputValue()).toBe('reader')
  const { length } = held
  for (const route of held) await route.continue()
  await expect.poll(() => sent).toEqual(['{"role":"writer"}', '{"role":"reader"}'])
  await expect.poll(() => held.length).toBeGreaterThan(length)
  isOver = true
  for (const route of held.slice(length)) await route.continue()
  await page.getByText('Oda is now reader').waitFor()
  const { items } = await app.make.read('/api/v1/users')
  expect(items.find(({ id }: { id: string }) => id === person.id).role).toBe('reader')
})

test('a choice of a task can be emptied by keys', async () => {
  const task = await app.make.task({ name: 'To be emptied', awareness_stage: 'problem_aware' })
  const page = await app.open(`/tasks/${task.id}`)
  const clear = page.getByRole('button', { name: 'Clear Awareness stage' })
  await clear.focus()
  await page.keyboard.press('Enter')
  const member = async () => (await app.make.read(`/api/v1/tasks/${task.id}`)).awareness_stage
  await expect.poll(member).toBe(null)
  await focused(page, page.getByRole('combobox', { name: 'Awareness stage' }))
})

test('every choice can be emptied by keys, and the focus then is in its field', async () => {
  const task = await app.make.task({ name: 'Has no variants' })
  const page = await app.open('/runs?status=failed')
  const state = page.getByRole('combobox', { name: 'State' })
  await state.waitFor()
  await page.getByRole('button', { name: 'Any state' }).focus()
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => !url.searchParams.has('status'))
  await page.getByRole('button', { name: 'Any state' }).waitFor({ state: 'detached' })
  await focused(page, state)
  await page.goto(`${app.url}/tasks/${task.id}`)
  await page.getByRole('button', { name: 'Add variant' }).click()
  const dialog = page.getByRole('dialog')
  const format = dialog.getByRole('combobox', { name: 'Ad format' })
  await focused(page, dialog.getByRole('textbox', { name: 'Key' }))
  await format.focus()
  // The library forgets which option is marked if an arrow comes in the moment in which the list opens.
  await page.getByRole('option').first().waitFor()
  await page.keyboard.press('ArrowDown')
  await page.locator('[role="option"][data-combobox-selected]').waitFor()
  await page.keyboard.press('Enter')
  await expect.poll(() => format.inputValue()).not.toBe('')
  await page.keyboard.press('Tab')
  await focused(page, dialog.getByRole('button', { name: 'Clear Ad format' }))
  await page.keyboard.press('Enter')
  await expect.poll(() => format.inputValue()).toBe('')
  await focused(page, format)
})

test('in a choice one can search, Enter takes the first that fits what was typed, and never submits the form', async () => {
  const task = await app.make.task({ name: 'Typed choices' })
  const page = await app.open(`/tasks/${task.id}`)
  await page.getByRole('button', { name: 'Add variant' }).click()
  const dialog = page.getByRole('dialog')
  const hook = dialog.getByRole('combobox', { name: 'Hook type' })
  await focused(page, dialog.getByRole('textbox', { name: 'Key' }))
  await hook.focus()
  await page.keyboard.type('such a thing there is not')
  await page.keyboard.press('Enter')
  await hook.fill('')
  await page.keyboard.type('quest')
  await page.locator('[role="option"][data-combobox-selected]').waitFor()
  await page.keyboard.press('Enter')
  await expect.poll(() => hook.inputValue()).toBe('Question')
  expect((await app.make.read(`/api/v1/tasks/${task.id}`)).variants).toEqual([])
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  expect((await app.make.read(`/api/v1/tasks/${task.id}`)).variants).toMatchObject([{ hook_type: 'question' }])
})

test('the list of nodes to add closes when Tab leaves it, and opens again with the focus in its search', async () => {
  const definition = definitionOf({ words: { type: 'input.text', params: { value: 'x' } } })
  const { data } = await app.service.post('/api/v1/graphs', { name: 'Added by keys', definition })
  const page = await app.open(`/graphs/${data.id}`)
  await page.locator('.react-flow__node').first().click()
  const search = page.getByRole('dialog').getByRole('textbox')
  for (let turn = 0; turn < 2; turn++) {
    await page.keyboard.press('a')
    await focused(page, search)
    await page.keyboard.type('zzz')
    await page.getByText('Nothing that fits is called so.').waitFor()
    await page.keyboard.press('Tab')
    await expect.poll(() => search.count()).toBe(0)
    await page.locator('.react-flow__node').first().click()
  }
})

test('a look at a colour of a node changes nothing', async () => {
  const definition = definitionOf({ ad: { type: 'layout.render', params: {} } })
  const { data } = await app.service.post('/api/v1/graphs', { name: 'Looked at', definition })
  const page = await app.open(`/graphs/${data.id}`)
  await page.locator('.react-flow__node').first().click()
  const colour = page.getByLabel('Brand colour', { exact: true })
  await colour.focus()
  await page.keyboard.press('Tab')
  expect(await page.getByRole('button', { name: /^Undo/ }).isDisabled()).toBe(true)
  await colour.fill('#aabbcc')
  await colour.press('Tab')
  const params = async () => (await app.make.read(`/api/v1/graphs/${data.id}`)).definition.nodes.ad.params
  await expect.poll(params).toMatchObject({ primary: '#aabbcc' })
})

test('an arrow on the list of whom to address in the viewer opens it, and addresses nobody', async () => {
  for (const name of ['Ada Berg', 'Bo Lind']) await app.service.post('/api/v1/users', { name, role: 'writer' })
  const task = await app.make.task({ name: 'Addressed by keys', status: 'tech_check' })
  await app.make.creative(task.id, { name: 'By keys 1', file: await pictureOf(app, '#245080') })
  const page = await app.open(`/tasks/${task.id}#creatives`)
  await page.getByRole('button', { name: 'Open the file of By keys 1' }).click()
  const list = viewer(page).getByLabel('Address somebody')
  await list.focus()
  await page.keyboard.press('ArrowDown')
  expect(await viewer(page).getByLabel('Comment on version 1').inputValue()).toBe('')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect.poll(() => viewer(page).getByLabel('Comment on version 1').inputValue()).toMatch(/^@\w+ \w+ $/)
})
