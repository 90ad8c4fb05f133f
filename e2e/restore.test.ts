// Facts about the second main job: somebody deletes the wrong task and gets it back whole.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, startApp } from './support/app.ts'
import { card, cardLink, column } from './support/board.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

/** Deletes a task by the menu of its card. */
async function deleteByMenu(page: Page, name: string): Promise<void> {
  await card(page, name).hover()
  await page.getByRole('button', { name: `Menu of ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
}

test('a task deleted by mistake is back with its creatives by one click on Undo', async () => {
  const { task } = await app.make.taskWith(['Undo_01', 'Undo_02'], { name: 'The wrong one', status: 'in_progress' })
  const page = await app.open('/')
  await deleteByMenu(page, 'The wrong one')
  await cardLink(column(page, 'Deleted'), 'The wrong one').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await cardLink(column(page, 'In progress'), 'The wrong one').waitFor()
  await page.getByText('is back in In progress').waitFor()
  const { items } = await app.make.read(`/api/v1/tasks/${task.id}/creatives`)
  expect(items.map(({ name }: { name: string }) => name)).toEqual(['Undo_01', 'Undo_02'])
})

test('where a name was taken meanwhile, the dialog says who has it, and one step renames and restores', async () => {
  const { task } = await app.make.taskWith(['Shared_01', 'Kept_01'], { name: 'Deleted for days' })
  await app.make.deleted(`/api/v1/tasks/${task.id}`)
  await app.make.taskWith(['Shared_01'], { name: 'Came later' })
  const page = await app.open('/')
  await page.getByRole('button', { name: 'Restore Deleted for days' }).click()
  const dialog = page.getByRole('dialog', { name: 'These names were taken meanwhile' })
  await dialog.getByText('Came later').waitFor()
  expect(await dialog.getByRole('group').count()).toBe(1)
  expect(await dialog.getByRole('group', { name: 'Shared_01' }).getByLabel('New name').inputValue()).toBe(
    'Shared_01_r1',
  )
  await dialog.getByRole('button', { name: 'Rename and restore' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await cardLink(column(page, 'Backlog'), 'Deleted for days').waitFor()
  const { items } = await app.make.read(`/api/v1/tasks/${task.id}/creatives`)
  expect(items.map(({ name }: { name: string }) => name)).toEqual(['Kept_01', 'Shared_01_r1'])
})

test('a new name that is taken too is told at its field, and nothing is restored yet', async () => {
  const { task } = await app.make.taskWith(['Twice_01'], { name: 'Unlucky' })
  await app.make.deleted(`/api/v1/tasks/${task.id}`)
  await app.make.taskWith(['Twice_01', 'Twice_02'], { name: 'Has both' })
  const page = await app.open(`/tasks/${task.id}`)
  await page.getByRole('complementary', { name: 'Task' }).getByRole('button', { name: 'Restore' }).click()
  const field = page.getByRole('dialog').getByLabel('New name')
  await field.fill('Twice_02')
  await page.getByRole('button', { name: 'Rename and restore' }).click()
  await page
    .getByRole('dialog')
    .getByText(/Twice_02.*(has|taken)/i)
    .first()
    .waitFor()
  expect((await app.make.read(`/api/v1/tasks/${task.id}`)).deleted_at).not.toBeNull()
  await field.fill('Twice_03')
  await page.getByRole('button', { name: 'Rename and restore' }).click()
  await cardLink(column(page, 'Backlog'), 'Unlucky').waitFor()
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
