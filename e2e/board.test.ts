// Facts about the board: what its address keeps, what two people see, and adding, opening and editing tasks.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, startApp } from './support/app.ts'
import { card, cardLink, column } from './support/board.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

test('a filter is in the address and survives a reload', async () => {
  await app.make.task({ name: 'Urgent one', priority: 1 })
  await app.make.task({ name: 'Calm one', priority: 4 })
  const page = await app.open('/')
  await cardLink(page, 'Calm one').waitFor()
  await page.getByRole('button', { name: 'Filter' }).click()
  const dialog = page.getByRole('dialog', { name: 'Filter the board' })
  await dialog.getByRole('button', { name: 'Add condition' }).click()
  await dialog.getByTitle('Field', { exact: true }).selectOption({ label: 'Priority' })
  await dialog.getByTitle('Operator').selectOption({ label: 'is at most' })
  await dialog.getByTitle('Value').fill('2')
  await dialog.getByRole('button', { name: 'Show tasks' }).click()
  await cardLink(page, 'Calm one').waitFor({ state: 'detached' })
  await cardLink(page, 'Urgent one').waitFor()
  expect(new URL(page.url()).searchParams.get('filter')).toContain('"field":"priority"')
  await page.reload()
  await cardLink(page, 'Urgent one').waitFor()
  expect(await cardLink(page, 'Calm one').count()).toBe(0)
})

test('what the service refuses of a filter is told in the builder', async () => {
  const page = await app.open('/')
  await page.getByRole('button', { name: 'Filter' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Add condition' }).click()
  await dialog.getByTitle('Field', { exact: true }).selectOption({ label: 'Deadline' })
  await dialog.getByRole('button', { name: 'Show tasks' }).click()
  expect(await dialog.getByRole('alert').textContent()).toMatch(/datetime/)
})

test('a second person sees what the first one did', async () => {
  const colleague = await app.service.person('writer')
  const task = await app.make.task({ name: 'Seen by two' })
  const [first, second] = [await app.open('/'), await app.open('/', { userId: colleague.id })]
  await cardLink(column(second, 'Backlog'), 'Seen by two').waitFor()
  await card(first, 'Seen by two').hover()
  await first.getByRole('button', { name: 'Menu of Seen by two' }).click()
  await first.getByRole('menuitem', { name: 'Tech check' }).click()
  await cardLink(column(first, 'Tech check'), 'Seen by two').waitFor()
  await expect.poll(async () => (await app.make.read(`/api/v1/tasks/${task.id}`)).status).toBe('tech_check')
  await cardLink(column(second, 'Tech check'), 'Seen by two').waitFor()
})

test('a task is added by its name, opened, and edited in place', async () => {
  const page = await app.open('/')
  await page.getByRole('button', { name: 'New task in Ready for production' }).click()
  await page.getByLabel('Name of a new task in Ready for production').fill('Written by hand')
  await page.keyboard.press('Enter')
  await cardLink(column(page, 'Ready for production'), 'Written by hand').click()
  const panel = page.getByRole('complementary', { name: 'Task' })
  await panel.getByLabel('Subject').fill('Summer')
  await panel.getByLabel('Topic', { exact: true }).click()
  await panel.getByLabel('Name of the task').fill('Written twice')
  await page.keyboard.press('Enter')
  await cardLink(column(page, 'Ready for production'), 'Written twice').waitFor()
  const id = new URL(page.url()).pathname.split('/').at(-1)
  expect(await app.make.read(`/api/v1/tasks/${id}`)).toMatchObject({ name: 'Written twice', subject: 'Summer' })
})

test('a change somebody else made to the same field is not undone', async () => {
  const task = await app.make.task({ name: 'Two writers', subject: 'first' })
  const page = await app.open(`/tasks/${task.id}`)
  const panel = page.getByRole('complementary', { name: 'Task' })
  await panel.getByLabel('Subject').waitFor()
  await app.make.patched(task.id, { subject: 'theirs', topic: 'theirs' })
  await panel.getByLabel('Audience').fill('mine')
  await panel.getByLabel('Audience').press('Enter')
  await expect.poll(async () => (await app.make.read(`/api/v1/tasks/${task.id}`)).audience).toBe('mine')
  const topic = panel.getByLabel('Topic', { exact: true })
  await topic.fill('mine')
  await app.make.patched(task.id, { topic: 'theirs again', subject: 'seen' })
  // What they changed shows, but not over what is being typed.
  await expect.poll(() => panel.getByLabel('Subject').inputValue()).toBe('seen')
  expect(await topic.inputValue()).toBe('mine')
  await topic.press('Enter')
  await panel.getByText('Somebody changed this meanwhile').waitFor()
  await expect.poll(() => topic.inputValue()).toBe('theirs again')
  expect((await app.make.read(`/api/v1/tasks/${task.id}`)).topic).toBe('theirs again')
})

test('a picture put on a task becomes a creative with the next canonical name, and is shown', async () => {
  const task = await app.make.task({ name: 'With a picture', subject: 'Glow' })
  const page = await app.open(`/tasks/${task.id}`)
  await page.getByRole('tab', { name: 'Creatives' }).click()
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Add files' }).click()
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9" fill="teal"/></svg>'
  await (await chooser).setFiles({ name: 'a.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(svg) })
  const list = page.getByRole('list', { name: 'Creatives' })
  await list.getByText('Done', { exact: true }).waitFor()
  const { items } = await app.make.read(`/api/v1/tasks/${task.id}/creatives`)
  expect(items).toHaveLength(1)
  await list.getByRole('link', { name: `Open the file of ${items[0].name}` }).waitFor()
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
