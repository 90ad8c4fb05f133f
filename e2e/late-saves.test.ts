// Facts about changes of a task that could not be sent, and whose field the user has left since: they are saved once the service can be
// reached, unless somebody else has changed the same member.
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, startApp } from './support/app.ts'
import { keepShot } from './support/shots.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const panel = (page: Page): Locator => page.getByRole('complementary', { name: 'Task' })
const field = (page: Page, label: string): Locator => panel(page).getByLabel(label, { exact: true })
const memberOf = async (id: string, member: string): Promise<unknown> =>
  (await app.make.read(`/api/v1/tasks/${id}`))[member]

/** Opens a task, goes offline, and writes a hypothesis and notes, which are not saved. */
async function writtenOffline(name: string) {
  const task = await app.make.task({ name, hypothesis: 'Before', notes: 'Before' })
  const page = await app.open(`/tasks/${task.id}`)
  await field(page, 'Hypothesis').waitFor()
  await page.context().setOffline(true)
  for (const label of ['Hypothesis', 'Notes']) {
    await field(page, label).fill('From the tunnel')
    await field(page, label).blur()
  }
  await expect.poll(() => panel(page).getByText('the service cannot be reached').count()).toBe(2)
  const saved = () => Promise.all(['hypothesis', 'notes'].map((member) => memberOf(task.id, member)))
  return { task, page, saved }
}

const both = ['From the tunnel', 'From the tunnel']

test('they are saved when another tab of the task is open by then, and when the task is closed', async () => {
  for (const leave of [
    (page: Page) => panel(page).getByRole('tab', { name: 'Activity' }).click(),
    (page: Page) => page.getByRole('button', { name: 'Close' }).first().click(),
  ]) {
    const { page, saved } = await writtenOffline('Left without a connection')
    await leave(page)
    await field(page, 'Hypothesis').waitFor({ state: 'detached' })
    expect(await saved()).toEqual(['Before', 'Before'])
    await page.context().setOffline(false)
    await expect.poll(saved).toEqual(both)
    await page.close()
  }
})

test('what somebody else has saved stays, a message says so, and its button leads to what was typed', async () => {
  const { task, page, saved } = await writtenOffline('Both at once')
  await panel(page).getByRole('tab', { name: 'Activity' }).click()
  await field(page, 'Hypothesis').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Close' }).first().click()
  await panel(page).waitFor({ state: 'detached' })
  await app.make.patched(task.id, { hypothesis: 'From the office' })
  await page.context().setOffline(false)
  await expect.poll(saved).toEqual(['From the office', 'From the tunnel'])
  const message = page.getByRole('alert').filter({ hasText: 'A change of “Both at once” is not saved.' })
  await message.waitFor()
  await keepShot(page, 'late-save-refused')
  await message.getByRole('button', { name: 'Open it' }).click()
  await panel(page).getByText('From the office').waitFor()
  expect(await field(page, 'Hypothesis').inputValue()).toBe('From the tunnel')
})

test('a field that is there again by then saves its text itself, once', async () => {
  const { task, page, saved } = await writtenOffline('There again')
  await panel(page).getByRole('tab', { name: 'Activity' }).click()
  await panel(page).getByRole('tab', { name: 'Details' }).click()
  await field(page, 'Hypothesis').waitFor()
  await page.context().setOffline(false)
  await expect.poll(saved).toEqual(both)
  const { items } = await app.make.read(`/api/v1/tasks/${task.id}/activity`)
  expect(items.filter(({ kind }: { kind: string }) => kind === 'task_changed')).toHaveLength(2)
})
