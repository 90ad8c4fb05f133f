// Facts about edits that are saved without a button: names in lists, several choices in quick succession, and the template mark of a
// graph. Also about dialogs: pressing a button twice makes one guest link, and a closed dialog gives the focus back.
import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { definitionOf } from '../server/test/support/definitions.ts'
import { type App, startApp } from './support/app.ts'
import { node } from './support/canvas.ts'
import { asksBeforeClosing } from './support/closing.ts'
import { typeInto } from './support/fields.ts'
import { intercept } from './support/intercept.ts'
import { focused } from './support/keyboard.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

/** Returns the requests of this method to `url` as they are sent. The first one waits until the test continues it. */
async function hold(page: Page, url: string, method: string): Promise<readonly Route[]> {
  const sent: Route[] = []
  await intercept(page, url, (route) => {
    const isHeld = route.request().method() === method && sent.push(route) === 1
    return isHeld ? undefined : route.continue()
  })
  return sent
}

/** Makes a product, and returns a function that reads the product's name and one that changes it. */
async function makeProduct(name: string) {
  const { id } = await app.make.product(name)
  const nameNow = async (): Promise<string> => {
    const { data } = await app.service.get('/api/v1/products?limit=100')
    return data.items.find((one: { id: string }) => one.id === id).name
  }
  return { id, nameNow, rename: (name: string) => app.service.patch(`/api/v1/products/${id}`, { name }) }
}

test('a name that a colleague gave is shown in the list, and stays when one only looks at its field', async () => {
  const product = await app.make.product('Glow')
  const page = await app.open('/products')
  const nameIn = () => page.getByRole('table').getByRole('textbox')
  await page.getByLabel('Name of Glow').focus()
  await app.service.patch(`/api/v1/products/${product.id}`, { name: 'Glow Serum' })
  await page.getByLabel('Name of Glow Serum').waitFor()
  await expect.poll(() => nameIn().inputValue()).toBe('Glow Serum')
  let written = 0
  page.on('request', (request) => {
    if (request.method() === 'PATCH') written++
  })
  await page.keyboard.press('Tab')
  // The new name is written below; a request that only the look at the field had caused would be counted as well.
  await nameIn().fill('Glow Cream')
  // Keys of an input method: Escape drops a suggestion, and Enter takes one.
  for (const key of ['Escape', 'Enter']) await nameIn().dispatchEvent('keydown', { key, isComposing: true })
  await focused(page, nameIn())
  expect(await nameIn().inputValue()).toBe('Glow Cream')
  await page.keyboard.press('Enter')
  await page.getByLabel('Name of Glow Cream').waitFor()
  expect(written).toBe(1)
})

test('a name that a colleague gave while one was typing another is replaced only if one says so', async () => {
  const { nameNow, rename } = await makeProduct('Balm')
  const page = await app.open('/products')
  await typeInto(page.getByLabel('Name of Balm'), 'Balm mine')
  await rename('Balm theirs')
  const note = page.getByRole('alert')
  await note.getByText('Balm theirs').waitFor()
  await page.keyboard.press('Enter')
  await note.getByRole('button', { name: 'Take theirs' }).click()
  await note.waitFor({ state: 'detached' })
  const field = page.getByLabel('Name of Balm theirs')
  expect([await field.inputValue(), await nameNow()]).toEqual(['Balm theirs', 'Balm theirs'])
  await typeInto(field, 'Balm mine')
  await rename('Balm again')
  await note.getByRole('button', { name: 'Use mine' }).click()
  await expect.poll(nameNow).toBe('Balm mine')
  await note.waitFor({ state: 'detached' })
})

test('a name of which the page was not told yet is not replaced either', async () => {
  const { nameNow, rename } = await makeProduct('Soap')
  const page = await app.open('/login')
  await page.route('**/api/v1/events*', (route) => route.abort())
  await page.goto(`${app.url}/products`)
  await typeInto(page.getByLabel('Name of Soap'), 'Soap mine')
  await rename('Soap theirs')
  await page.keyboard.press('Enter')
  const note = page.getByRole('alert')
  await note.getByText('Soap theirs').waitFor()
  const field = page.getByLabel('Name of Soap theirs')
  expect([await field.inputValue(), await nameNow()]).toEqual(['Soap mine', 'Soap theirs'])
  await note.getByRole('button', { name: 'Use mine' }).click()
  await expect.poll(nameNow).toBe('Soap mine')
  await note.waitFor({ state: 'detached' })
})

test('two names that are typed one right after the other are both saved, in this order', async () => {
  const { id, nameNow } = await makeProduct('Oil')
  const page = await app.open('/products')
  const field = page.getByRole('table').getByRole('textbox', { name: /^Name of Oil/ })
  await field.waitFor()
  const sent = await hold(page, `**/api/v1/products/${id}`, 'PATCH')
  await typeInto(field, 'Oil 2')
  await page.keyboard.press('Enter')
  await expect.poll(() => sent.length).toBe(1)
  await typeInto(field, 'Oil 3')
  await page.keyboard.press('Enter')
  await sent[0]?.continue()
  await expect.poll(nameNow).toBe('Oil 3')
  await page.getByLabel('Name of Oil 3').waitFor()
  expect(await page.getByRole('alert').count()).toBe(0)
  expect(sent.length).toBe(2)
})

test('a name that cannot be saved without a connection says so, and is saved once there is one', async () => {
  const { nameNow } = await makeProduct('Mask')
  const page = await app.open('/products')
  const field = page.getByLabel('Name of Mask')
  await field.waitFor()
  await page.context().setOffline(true)
  await typeInto(field, 'Mask 2')
  await page.keyboard.press('Enter')
  await page.getByText('Not saved: the service cannot be reached.').waitFor()
  expect(await field.inputValue()).toBe('Mask 2')
  await page.context().setOffline(false)
  await expect.poll(nameNow).toBe('Mask 2')
  await page.getByLabel('Name of Mask 2').waitFor()
  await page.getByText('Not saved').waitFor({ state: 'detached' })
})

test('a name that could not be saved is kept when one leaves the page, and is saved when one is back', async () => {
  const { id, nameNow } = await makeProduct('Tonic')
  const page = await app.open('/products')
  const field = page.getByLabel('Name of Tonic')
  await field.waitFor()
  let isCutOff = true
  await intercept(page, `**/api/v1/products/${id}`, (route) => (isCutOff ? route.abort() : route.continue()))
  await typeInto(field, 'Tonic 2')
  await page.keyboard.press('Enter')
  await page.getByText('Not saved: the service cannot be reached.').waitFor()
  await page.getByRole('link', { name: 'Lookup' }).click()
  await page.getByLabel('Names or campaign ids').waitFor()
  expect(await asksBeforeClosing(page)).toBe(true)
  isCutOff = false
  await page.goBack()
  await expect.poll(nameNow).toBe('Tonic 2')
  await page.getByLabel('Name of Tonic 2').waitFor()
  await expect.poll(() => asksBeforeClosing(page)).toBe(false)
})

test('what was typed as the name of a template that is deleted meanwhile holds nobody up', async () => {
  const { data } = await app.service.post('/api/v1/task-templates', { name: 'To be renamed', brief: {} })
  const page = await app.open('/templates')
  await page.locator('.frame[data-live="live"]').waitFor()
  const field = page.getByLabel('Name of To be renamed')
  await typeInto(field, 'Renamed')
  expect(await asksBeforeClosing(page)).toBe(true)
  await app.service.del(`/api/v1/task-templates/${data.id}`)
  await field.waitFor({ state: 'detached' })
  expect(await asksBeforeClosing(page)).toBe(false)
})

test('boxes that are ticked one after the other are all ticked, however slow the service is', async () => {
  const page = await app.open('/notices/settings')
  const kinds = ['Mail', 'Chat'].map((where) => page.getByRole('checkbox', { name: `A deadline has passed: ${where}` }))
  const boxes = [...kinds, page.getByRole('checkbox', { name: 'Somebody mentioned me: Chat' })]
  for (const box of boxes) await box.waitFor({ state: 'attached' })
  const before = await Promise.all(boxes.map((box) => box.isChecked()))
  const sent = await hold(page, '**/api/v1/notices/settings', 'PATCH')
  for (const box of boxes) await box.click()
  const states = () => Promise.all(boxes.map((box) => box.isChecked()))
  const wanted = before.map((one) => !one)
  expect(await states()).toEqual(wanted)
  await expect.poll(() => sent.length).toBe(1)
  await sent[0]?.continue()
  await expect.poll(() => sent.length).toBe(3)
  const saved = async () => {
    const { mail_kinds, chat_kinds } = (await app.service.get('/api/v1/notices/settings')).data
    return [mail_kinds, chat_kinds]
      .map((kinds) => kinds.includes('deadline_passed'))
      .concat(chat_kinds.includes('mentioned'))
  }
  await expect.poll(saved).toEqual(wanted)
  expect(await states()).toEqual(wanted)
})

test('two reviewers who are chosen one right after the other are both asked', async () => {
  const people = [await app.service.person('writer'), await app.service.person('writer')]
  const named = ['Ann', 'Bob'].map((name, at) => app.service.patch(`/api/v1/users/${people[at]?.id}`, { name }))
  await Promise.all(named)
  const task = await app.make.task({ name: 'Asks two' })
  const page = await app.open(`/tasks/${task.id}#creatives`)
  const field = page.getByRole('combobox', { name: 'Reviewers' })
  await field.click()
  const sent = await hold(page, '**/api/v1/tasks/*/reviewers', 'PATCH')
  await page.getByRole('option', { name: 'Ann' }).click()
  await page.getByRole('option', { name: 'Bob' }).click()
  await expect.poll(() => sent.length).toBeGreaterThan(0)
  await sent[0]?.continue()
  const asked = async () => (await app.make.read(`/api/v1/tasks/${task.id}/reviewers`)).reviewers
  await expect.poll(asked).toEqual(people.map(({ id }) => id))
})

test('a link for guests is made once, a click beside it does not lose it, and the focus goes back', async () => {
  const task = await app.make.task({ name: 'For guests' })
  const page = await app.open(`/tasks/${task.id}#creatives`)
  const button = page.getByRole('button', { name: 'Share with guests' })
  await button.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Share with guests' })
  const name = dialog.getByLabel('For whom')
  await name.fill('The client')
  const sent = await hold(page, '**/api/v1/tasks/*/guest-links', 'POST')
  await name.press('Enter')
  await name.press('Enter')
  await page.mouse.click(5, 5)
  await expect.poll(() => sent.length).toBe(1)
  await sent[0]?.continue()
  const link = dialog.getByLabel('The link, shown this once')
  await link.waitFor()
  await page.mouse.click(5, 5)
  await link.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await focused(page, button)
  expect((await app.make.read(`/api/v1/tasks/${task.id}/guest-links`)).items).toHaveLength(1)
})

test('a comment is deleted once, by a second press and not by a key held down, and says that it is being deleted', async () => {
  const task = await app.make.task({ name: 'Said too much' })
  await app.make.comment(task.id, 'Never mind.')
  const page = await app.open(`/tasks/${task.id}#comments`)
  const said = page.getByRole('list', { name: 'Comments' }).getByText('Never mind.')
  const menu = page.getByRole('button', { name: /^Menu of the comment of/ })
  await menu.click()
  await page.getByRole('menuitem', { name: 'Delete' }).dblclick()
  const sure = page.getByRole('menuitem', { name: 'Really delete' })
  await sure.waitFor()
  await page.keyboard.press('Escape')
  await sure.waitFor({ state: 'detached' })
  await menu.click()
  await page.getByRole('menuitem', { name: 'Delete', exact: true }).focus()
  const sent = await hold(page, '**/api/v1/comments/*', 'DELETE')
  // Each `down` after the first one is a repetition of the key, as when it is held.
  for (const _ of [1, 2, 3, 4]) await page.keyboard.down('Enter')
  await page.keyboard.up('Enter')
  await sure.waitFor()
  expect(sent).toHaveLength(0)
  await sure.click()
  const deleting = page.getByRole('menuitem', { name: 'Deleting…' })
  for (const _ of [1, 2, 3]) await deleting.press('Enter')
  await deleting.waitFor()
  expect((await app.make.read(`/api/v1/tasks/${task.id}/comments`)).items).toHaveLength(1)
  expect(sent).toHaveLength(1)
  await sent[0]?.continue()
  await said.waitFor({ state: 'detached' })
})

test('a graph that was made a template says so, and stops being one by the same menu', async () => {
  const definition = definitionOf({ ok: { type: 'gate.approve', inputs: { value: 'this' } } })
  const { data } = await app.service.post('/api/v1/graphs', { name: 'For all', definition })
  const page = await app.open(`/graphs/${data.id}`)
  const act = async (entry: string) => {
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: entry }).click()
  }
  const mark = page.getByText('Template', { exact: true })
  await act('Make it a template')
  await mark.waitFor()
  await act('No template any more')
  await mark.waitFor({ state: 'detached' })
  expect((await app.make.read(`/api/v1/graphs/${data.id}`)).template).toBe(false)
})

/** What the browser reports of a key that an input method uses; Safari reports only this code when Enter ends a composition. */
const ofInputMethod = { isComposing: false, keyCode: 229 }

test('keys of an input method neither close nor send what is typed in a new task, and do not leave the text of a note', async () => {
  const page = await app.open('/')
  await page.getByRole('button', { name: 'New task in Backlog' }).click()
  const name = page.getByLabel('Name of a new task in Backlog')
  await typeInto(name, 'Nihongo')
  await name.dispatchEvent('keydown', { key: 'Escape', isComposing: true })
  await name.dispatchEvent('keydown', { key: 'Enter', shiftKey: true, ...ofInputMethod })
  await focused(page, name)
  expect(await name.inputValue()).toBe('Nihongo')
  await page.keyboard.press('Shift+Enter')
  await page.getByRole('heading', { name: 'Nihongo' }).waitFor()

  const definition = definitionOf({ ok: { type: 'gate.approve', inputs: { value: 'this' } } })
  const { data } = await app.service.post('/api/v1/graphs', { name: 'Noted', definition })
  await page.goto(`${app.url}/graphs/${data.id}`)
  await node(page, 'ok').waitFor()
  await page.keyboard.press('n')
  const text = page.getByLabel('Text', { exact: true })
  await focused(page, text)
  await text.dispatchEvent('keydown', { key: 'Escape', isComposing: true })
  await focused(page, text)
  await page.keyboard.press('Escape')
  await text.and(page.locator(':focus')).waitFor({ state: 'detached' })
})

test('in the command palette a key that is held, modified or of an input method performs and selects nothing', async () => {
  const page = await app.open('/')
  await page.getByRole('button', { name: 'Go to or do' }).click()
  const field = page.getByRole('combobox')
  const chosen = () => page.locator('[role="option"][aria-selected="true"]').textContent()
  await page.getByRole('option').nth(1).waitFor()
  const first = await chosen()
  for (const key of ['Shift+ArrowDown', 'Alt+ArrowDown', 'Control+Enter']) await page.keyboard.press(key)
  for (const event of [
    { key: 'Enter', ...ofInputMethod },
    { key: 'Enter', repeat: true },
  ])
    await field.dispatchEvent('keydown', event)
  await focused(page, field)
  expect(await chosen()).toBe(first)
  await page.keyboard.press('ArrowDown')
  await expect.poll(chosen).not.toBe(first)
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
