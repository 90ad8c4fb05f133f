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

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
