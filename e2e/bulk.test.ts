// Facts about changing several selected cards at once.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, startApp } from './support/app.ts'
import { cardLink } from './support/board.ts'
import { focused } from './support/keyboard.ts'

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

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
