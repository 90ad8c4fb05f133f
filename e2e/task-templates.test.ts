// Facts about task templates in the browser: made from a task, used in a column and in the command palette, renamed and deleted.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, startApp } from './support/app.ts'
import { violations } from './support/axe.ts'
import { cardLink, column } from './support/board.ts'
import { focused } from './support/keyboard.ts'
import { keepShot } from './support/shots.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const angle = { key: 'V1', variation_num: 1, audience: 'Parents' }
const brief = {
  priority: 2,
  subject: 'Sleep',
  hypothesis: 'Parents buy rest.',
  variants: [{ ...angle, completed: true }],
}
const template = (name: string, members: unknown = brief) =>
  app.service.post('/api/v1/task-templates', { name, brief: members })
const taskNamed = async (name: string) => {
  const { tasks } = await app.make.read(`/api/v1/tasks/board?search=${encodeURIComponent(name)}`)
  return app.make.read(`/api/v1/tasks/${tasks[0].id}`)
}

test('the brief of a task is kept as a template, and replaced by that of another task', async () => {
  const [first, second] = [
    await app.make.task({ name: 'Hooks of May', ...brief, deadline_at: '2030-01-01T00:00:00Z' }),
    await app.make.task({ name: 'Hooks of June', subject: 'Waking up' }),
  ]
  const save = async (id: string, action: string) => {
    const page = await app.open(`/tasks/${id}`)
    await page.getByRole('button', { name: 'Menu of the task' }).click()
    await page.getByRole('menuitem', { name: 'Save as a template' }).click()
    const dialog = page.getByRole('dialog', { name: 'Save as a template' })
    await dialog.getByLabel('Name').fill('Monthly hooks')
    await dialog.getByRole('button', { name: action, exact: true }).waitFor()
    expect(await violations(page)).toEqual([])
    await keepShot(page, `template-${action}`)
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
  }
  const kept = async () => {
    const { items } = await app.make.read('/api/v1/task-templates')
    const [{ id }] = items.filter(({ name }: { name: string }) => name === 'Monthly hooks')
    return (await app.make.read(`/api/v1/task-templates/${id}`)).brief
  }
  await save(first.id, 'Save')
  const variant = { audience: 'Parents', completed: false }
  expect(await kept()).toMatchObject({ priority: 2, subject: 'Sleep', variants: [variant] })
  expect(await kept()).not.toHaveProperty('deadline_at')
  await save(second.id, 'Replace its brief')
  expect(await kept()).toMatchObject({ priority: null, subject: 'Waking up', variants: [] })
})

test('tasks are added to a column from a template, by its name or another, one after the other', async () => {
  await template('Sleepless parents')
  const page = await app.open('/')
  await page.getByRole('button', { name: 'New task in Backlog' }).click()
  const name = page.getByLabel('Name of a new task in Backlog')
  const choice = page.getByLabel('Template of the new task')
  // The choice is there only when the templates have been read. A Tab before that would leave the form.
  await choice.waitFor()
  await focused(page, name)
  await page.keyboard.press('Tab')
  await focused(page, choice)
  await choice.selectOption({ label: 'From “Sleepless parents”' })
  expect(await name.inputValue()).toBe('Sleepless parents')
  await keepShot(page, 'quick-add-template')
  // In the name field, to which Shift+Tab returns, the proposed name is selected, so typing replaces it.
  await page.keyboard.press('Shift+Tab')
  await focused(page, name)
  await page.keyboard.type('Parents, spring')
  await page.keyboard.press('Enter')
  await cardLink(column(page, 'Backlog'), 'Parents, spring').waitFor()
  await expect.poll(() => name.inputValue()).toBe('')
  await page.keyboard.type('Parents, autumn')
  await page.keyboard.press('Enter')
  await cardLink(column(page, 'Backlog'), 'Parents, autumn').waitFor()
  for (const made of ['Parents, spring', 'Parents, autumn'])
    expect(await taskNamed(made)).toMatchObject({ ...brief, status: 'backlog', variants: [angle] })
  await page.keyboard.press('Escape')
  await name.waitFor({ state: 'detached' })
})

test('the palette makes a task from a template that is searched by its name', async () => {
  await template('Night owls')
  const page = await app.open('/')
  await page.getByRole('button', { name: 'Go to or do' }).click()
  await page.keyboard.type('night ow')
  await page.getByRole('option', { name: 'New task from “Night owls”' }).click()
  const panel = page.getByRole('complementary', { name: 'Task' })
  await panel.getByLabel('Name of the task').waitFor()
  expect(await panel.getByLabel('Name of the task').inputValue()).toBe('Night owls')
  expect(await taskNamed('Night owls')).toMatchObject({ subject: 'Sleep' })
})

test('a template is renamed in its list, deleted, and brought back whole', async () => {
  await template('To be removed')
  const page = await app.open('/templates')
  const field = page.getByLabel('Name of To be removed')
  await field.fill('Renamed')
  await field.press('Enter')
  await page.getByRole('button', { name: 'Delete the template Renamed' }).click()
  await page.getByLabel('Name of Renamed').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('button', { name: 'New task from Renamed' }).click()
  await page.getByRole('complementary', { name: 'Task' }).waitFor()
  expect(await taskNamed('Renamed')).toMatchObject({ ...brief, variants: [angle] })
})

test('what others add, rename and delete is shown in the list and in the menu of a column, without a reload', async () => {
  const page = await app.open('/templates')
  const { data } = await template('By others')
  await page.getByLabel('Name of By others').waitFor()
  await app.service.patch(`/api/v1/task-templates/${data.id}`, { name: 'By others, renamed' })
  await page.getByLabel('Name of By others, renamed').waitFor()
  const board = await app.open('/')
  await board.getByRole('button', { name: 'New task in Backlog' }).click()
  const choice = board.getByLabel('Template of the new task')
  await choice.selectOption({ label: 'From “By others, renamed”' })
  await app.service.del(`/api/v1/task-templates/${data.id}`)
  await page.getByLabel('Name of By others, renamed').waitFor({ state: 'detached' })
  await expect.poll(() => choice.locator('option:checked').textContent()).toBe('From a deleted template')
  await board.getByLabel('Name of a new task in Backlog').press('Enter')
  await board.getByText(/no template with the id/).waitFor()
  await choice.selectOption({ label: 'Without a template' })
  await board.getByLabel('Name of a new task in Backlog').press('Enter')
  await expect.poll(() => board.getByLabel('Name of a new task in Backlog').inputValue()).toBe('')
})

test('the list of templates keeps the focus when the last template is deleted, chosen or not', async () => {
  const { items } = await app.make.read('/api/v1/task-templates')
  for (const { id } of items) await app.service.del(`/api/v1/task-templates/${id}`)
  const { data } = await template('The last one')
  const page = await app.open('/')
  await page.getByRole('button', { name: 'New task in Backlog' }).click()
  const choice = page.getByLabel('Template of the new task')
  const options = () => choice.locator('option').allTextContents()
  await choice.focus()
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => choice.inputValue()).toBe(data.id)
  await app.service.del(`/api/v1/task-templates/${data.id}`)
  await expect.poll(options).toEqual(['Without a template', 'From a deleted template'])
  await page.keyboard.press('ArrowUp')
  await expect.poll(options).toEqual(['Without a template'])
  await focused(page, choice)
  const { data: another } = await template('Another last one')
  await expect.poll(options).toEqual(['Without a template', 'From “Another last one”'])
  await app.service.del(`/api/v1/task-templates/${another.id}`)
  await expect.poll(options).toEqual(['Without a template'])
  await focused(page, choice)
})

test('the name of a template has the room that the other columns leave, and on a phone nothing is off the screen', async () => {
  await template('Hooks for parents of small children in the summer sale')
  const page = await app.open('/templates')
  const name = page.getByRole('textbox', { name: /^Name of Hooks for parents/ })
  const width = async (): Promise<number> => (await name.boundingBox())?.width ?? 0
  await name.waitFor()
  await keepShot(page, 'templates-1366')
  expect(await width()).toBeGreaterThan(500)
  // The name of who made it stays on its line.
  expect((await page.getByRole('row').last().boundingBox())?.height).toBeLessThan(60)
  await page.setViewportSize({ width: 390, height: 740 })
  await keepShot(page, 'templates-390')
  await expect.poll(width).toBeLessThan(300)
  expect(await width()).toBeGreaterThan(130)
  for (const button of await page.locator('.row-actions button').all()) {
    const box = await button.boundingBox()
    expect(box && box.x + box.width).toBeLessThanOrEqual(390)
  }
})

test('after a rename the focus stays where it is, and what others renamed is shown', async () => {
  const { data: other } = await template('Another of two')
  await template('Before the rename')
  const page = await app.open('/templates')
  const field = page.getByLabel('Name of Before the rename')
  await app.service.patch(`/api/v1/task-templates/${other.id}`, { name: 'Another, by others' })
  await field.fill('After the rename')
  await field.press('Tab')
  // The page reads the list again after a rename, and so shows the other name, too.
  await page.getByRole('textbox', { name: 'Name of Another, by others' }).waitFor()
  expect(await page.getByLabel('Name of Another, by others').inputValue()).toBe('Another, by others')
  await focused(page, page.getByRole('button', { name: 'New task from After the rename' }))
})

test('a deleted template comes back as others left it, under another name if its own is taken by now', async () => {
  const { data: made } = await template('UGC, as the page shows it')
  const page = await app.open('/templates')
  // The page must not hear of the change by others before it deletes the template.
  await page.route('**/api/v1/events*', (route) => route.abort())
  await page.reload()
  const remove = page.getByRole('button', { name: 'Delete the template UGC, as the page shows it' })
  await remove.waitFor()
  await app.service.patch(`/api/v1/task-templates/${made.id}`, { name: 'UGC', brief: { ...brief, subject: 'Naps' } })
  await remove.click()
  await page.getByText('Deleted the template “UGC”').waitFor()
  await template('UGC', { subject: 'Of somebody else' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('The template is back as “UGC 2”, because another one is called “UGC” now').waitFor()
  await page.getByRole('button', { name: 'New task from UGC 2' }).click()
  await page.getByRole('complementary', { name: 'Task' }).waitFor()
  expect(await taskNamed('UGC 2')).toMatchObject({ ...brief, subject: 'Naps', variants: [angle] })
})

test('a brief that the service no longer takes says so, and keeps the name that was typed', async () => {
  const { data } = await template('Stale')
  await app.service.rows(`update task_templates set brief = '{"assignee_id": "${data.id}"}' where id = $1`, [data.id])
  const page = await app.open('/')
  await page.getByRole('button', { name: 'New task in Backlog' }).click()
  await page.getByLabel('Template of the new task').selectOption({ label: 'From “Stale”' })
  await page.getByLabel('Name of a new task in Backlog').fill('Not yet')
  await page.keyboard.press('Enter')
  await page.getByText(/no person with this id/).waitFor()
  expect(await page.getByLabel('Name of a new task in Backlog').inputValue()).toBe('Not yet')
})
