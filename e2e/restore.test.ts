// Facts about deleting and restoring tasks: many at once, and a task with a creative whose name another creative now has.
import type { Route } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, startApp } from './support/app.ts'
import { cardLink, column, dragByMouse } from './support/board.ts'
import { typeInto } from './support/fields.ts'
import { intercept } from './support/intercept.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

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

test('many tasks are deleted at once, a few at a time, and one click brings all of them back with one message', async () => {
  const names = Array.from({ length: 14 }, (_, index) => `Crowd ${index + 1}`)
  for (const name of names) await app.make.task({ name, status: 'done' })
  const page = await app.open('/?q=Crowd')
  await cardLink(column(page, 'Done'), 'Crowd 14').focus()
  for (const _ of names) {
    await page.keyboard.press('x')
    await page.keyboard.press('j')
  }
  const bar = page.getByRole('toolbar', { name: 'Selected tasks' })
  await bar.getByText('14 selected').waitFor()
  let [running, most] = [0, 0]
  const slow = async (route: Route) => {
    if (route.request().method() === 'GET') return route.continue() // a read of changed cards, not a write
    running += 1
    most = Math.max(most, running)
    const answer = await route.fetch()
    running -= 1
    await route.fulfill({ response: answer })
  }
  await intercept(page, (url) => /\/api\/v1\/tasks\/[0-9a-f-]{36}(\/restore)?$/.test(url.pathname), slow)
  await bar.getByRole('button', { name: 'Delete' }).click()
  await page.getByText(/Deleting \d+ of 14 tasks/).waitFor()
  await page.getByText('Deleted 14 tasks').waitFor()
  await cardLink(column(page, 'Done'), 'Crowd 14').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText(/Restoring \d+ of 14 tasks/).waitFor()
  await page.getByText('14 tasks are back', { exact: true }).waitFor()
  await cardLink(column(page, 'Done'), 'Crowd 14').waitFor()
  expect((await app.make.read('/api/v1/tasks/board?status=done&search=Crowd')).tasks).toHaveLength(14)
  expect(most).toBeGreaterThan(1)
  expect(most).toBeLessThanOrEqual(6)
})

test('what somebody else has deleted is not deleted again by a drag, nor restored by its undo', async () => {
  const mine = await app.make.task({ name: 'Scrap mine' })
  const theirs = await app.make.task({ name: 'Scrap theirs' })
  // Wide enough for all columns, so that the drag need not wait for the board to scroll.
  const page = await app.open('/?q=Scrap', { viewport: { width: 2600, height: 800 } })
  for (const name of ['Scrap theirs', 'Scrap mine']) {
    await cardLink(page, name).focus()
    await page.keyboard.press('x')
  }
  const bar = page.getByRole('toolbar', { name: 'Selected tasks' })
  await bar.getByText('2 selected').waitFor()
  await app.make.deleted(`/api/v1/tasks/${theirs.id}`)
  await cardLink(column(page, 'Deleted'), 'Scrap theirs').waitFor()
  await dragByMouse(page, 'Scrap mine', 'Deleted')
  await page.getByText('Deleted “Scrap mine”').waitFor()
  await page.keyboard.press('z')
  await page.getByText('“Scrap mine” is back in Backlog').waitFor()
  const deletedAt = async (id: string) => (await app.make.read(`/api/v1/tasks/${id}`)).deleted_at
  expect(await deletedAt(mine.id)).toBeNull()
  expect(await deletedAt(theirs.id)).not.toBeNull()
})

test('a creative that was deleted on its own comes back from the activity, under another name if its own is taken', async () => {
  const { task, creatives } = await app.make.taskWith(['Alone_01', 'Alone_02'], { name: 'Lost some' })
  for (const { id } of creatives) await app.make.deleted(`/api/v1/creatives/${id}`)
  await app.make.taskWith(['Alone_01'], { name: 'Has its name' })
  const page = await app.open(`/tasks/${task.id}#activity`)
  const restore = page.getByRole('list', { name: 'Activity' }).getByRole('button', { name: 'Restore the creative' })
  await page.getByText('deleted the creative “Alone_01”').waitFor()
  await page.getByRole('button', { name: 'Restore the creative “Alone_02”' }).click()
  await page.getByText('“Alone_02” is back').waitFor()
  await expect.poll(() => restore.count()).toBe(1)
  await restore.click()
  const dialog = page.getByRole('dialog', { name: 'This name was taken meanwhile' })
  const field = dialog.getByLabel('New name')
  expect(await field.inputValue()).toBe('Alone_01_r1')
  await typeInto(field, 'Alone_02')
  await dialog.getByRole('button', { name: 'Rename and restore' }).click()
  await dialog.getByText('Alone_02 cannot come back under its name').waitFor()
  // The same name again is refused in words too.
  const refused = dialog.getByText('The name “Alone_02” belongs to another')
  await refused.waitFor()
  const answered = page.waitForResponse('**/restore')
  await dialog.getByRole('button', { name: 'Rename and restore' }).click()
  await answered
  await refused.waitFor()
  await typeInto(field, 'Alone_03')
  await dialog.getByRole('button', { name: 'Rename and restore' }).click()
  await page.getByText('“Alone_03” is back').waitFor()
  await dialog.waitFor({ state: 'detached' })
  const { items } = await app.make.read(`/api/v1/tasks/${task.id}/creatives`)
  expect(items.map(({ name }: { name: string }) => name)).toEqual(['Alone_02', 'Alone_03'])
})

test('a dialog for a new name that is left with its task does not come back with the task', async () => {
  const { task, creatives } = await app.make.taskWith(['Left_01'], { name: 'Left behind' })
  await app.make.deleted(`/api/v1/creatives/${creatives[0]?.id}`)
  await app.make.taskWith(['Left_01'], { name: 'Took the name' })
  const page = await app.open('/?q=Left+behind')
  await cardLink(page, 'Left behind').click()
  await page.getByRole('tab', { name: 'Activity' }).click()
  const restore = page.getByRole('button', { name: 'Restore the creative “Left_01”' })
  await restore.click()
  const dialog = page.getByRole('dialog', { name: 'This name was taken meanwhile' })
  await dialog.waitFor()
  await page.goBack()
  await page.getByRole('complementary', { name: 'Task' }).waitFor({ state: 'detached' })
  await page.goForward()
  await page.getByRole('tab', { name: 'Activity' }).click()
  await restore.waitFor()
  expect(await dialog.count()).toBe(0)
  expect((await app.make.read(`/api/v1/tasks/${task.id}/creatives`)).items).toEqual([])
})

test('cards stay deleted while others are being deleted, and one is restored once its own deletion has ended', async () => {
  for (const name of ['Slow 1', 'Slow 2']) await app.make.task({ name })
  const page = await app.open('/?q=Slow')
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  let asked = 0
  await intercept(page, '**/api/v1/tasks/*', async (route) => {
    if (route.request().method() === 'DELETE' && ++asked === 2) await released
    await route.continue()
  })
  for (const name of ['Slow 1', 'Slow 2']) {
    await cardLink(column(page, 'Backlog'), name).focus()
    await page.keyboard.press('Delete')
    await cardLink(column(page, 'Deleted'), name).waitFor()
  }
  await page.getByText('Deleted “Slow 1”').waitFor()
  await page.getByRole('button', { name: 'Restore Slow 2' }).click()
  await page.getByRole('button', { name: 'Restore Slow 1' }).click()
  await page.getByText('“Slow 1” is back in Backlog').waitFor()
  expect(await cardLink(column(page, 'Backlog'), 'Slow 2').count()).toBe(0)
  release()
  await page.getByText('“Slow 2” is back in Backlog').waitFor()
  for (const name of ['Slow 1', 'Slow 2']) await cardLink(column(page, 'Backlog'), name).waitFor()
})

test('the message of a deletion offers Undo only for what is still deleted, and goes once all is back', async () => {
  for (const name of ['Both 1', 'Both 2']) await app.make.task({ name })
  const page = await app.open('/?q=Both')
  for (const name of ['Both 1', 'Both 2']) {
    await cardLink(page, name).focus()
    await page.keyboard.press('x')
  }
  await page.keyboard.press('Delete')
  const told = page.getByRole('alert').filter({ hasText: 'Deleted 2 tasks' })
  await told.waitFor()
  await page.getByRole('button', { name: 'Restore Both 1' }).click()
  await page.getByText('“Both 1” is back in Backlog').waitFor()
  await told.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('“Both 2” is back in Backlog').waitFor()

  await cardLink(column(page, 'Backlog'), 'Both 1').focus()
  await page.keyboard.press('Delete')
  await page.getByText('Deleted “Both 1”').waitFor()
  await page.getByRole('button', { name: 'Restore Both 1' }).click()
  await page.getByText('Deleted “Both 1”').waitFor({ state: 'detached' })
  await cardLink(column(page, 'Backlog'), 'Both 1').waitFor()
  expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0)
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
