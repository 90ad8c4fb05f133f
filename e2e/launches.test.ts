// Facts about recording and correcting launches in the app, and about what a user reads if a launch was not recorded as intended.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, startApp } from './support/app.ts'
import { violations } from './support/axe.ts'
import { typeInto } from './support/fields.ts'
import { intercept } from './support/intercept.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const campaign = '23852150404470777'
const launchesOf = async (id: string) => (await app.make.read(`/api/v1/tasks/${id}/launches`)).items

/** Opens the dialog that records a launch of a creative, and types the campaign id. */
async function record(page: Page, creative: string) {
  await page.getByRole('button', { name: `Menu of ${creative}` }).click()
  await page.getByRole('menuitem', { name: 'Record a launch' }).click()
  const dialog = page.getByRole('dialog', { name: 'The creative went live' })
  await typeInto(dialog.getByLabel('Campaign id'), campaign)
  return { dialog, send: () => dialog.getByRole('button', { name: 'Record the launch' }).click() }
}

test('a launch is taken back by two presses, and who records it again with its date is told that nothing is recorded', async () => {
  const { task } = await app.make.taskWith(['Taken_back'], { name: 'Never live' })
  const page = await app.open(`/tasks/${task.id}#creatives`)
  const first = await record(page, 'Taken_back')
  await first.dialog.getByLabel('Live since').fill('2026-10-01T08:00')
  await first.send()
  await first.dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Menu of the task' }).click()
  await page.getByRole('menuitem', { name: 'Launches, and corrections' }).click()
  const launches = page.getByRole('dialog', { name: 'Launches' })
  await launches.getByRole('button', { name: 'Correct', exact: true }).click()
  await launches.getByRole('button', { name: 'It never went live' }).click()
  const sure = launches.getByRole('button', { name: 'Really take it back' })
  await sure.waitFor()
  expect(await launchesOf(task.id)).toMatchObject([{ voided: null }])
  expect(await violations(page)).toEqual([])
  await sure.click()
  await launches.getByText('took it back').waitFor()
  await page.keyboard.press('Escape')
  await launches.waitFor({ state: 'detached' })

  const again = await record(page, 'Taken_back')
  await again.dialog.getByLabel('Live since').fill('2026-10-01T08:00')
  await again.send()
  await again.dialog.getByText('Not recorded: this launch was taken back').waitFor()
  expect(await violations(page)).toEqual([])
  await again.dialog.getByLabel('Live since').fill('2026-10-02T08:00')
  await again.send()
  await again.dialog.waitFor({ state: 'detached' })
  expect(await launchesOf(task.id)).toHaveLength(2)
})

test('a launch that went to another creative, which got the name meanwhile, is told so and found from there', async () => {
  const { task, creatives } = await app.make.taskWith(['Swapped'], { name: 'Lost its name' })
  const other = await app.make.taskWith(['Free'], { name: 'Got the name' })
  const page = await app.open(`/tasks/${task.id}#creatives`)
  const { send } = await record(page, 'Swapped')
  await intercept(page, '**/creatives/launches', async (route) => {
    await app.service.patch(`/api/v1/creatives/${creatives[0]?.id}`, { name: 'Renamed' })
    await app.service.patch(`/api/v1/creatives/${other.creatives[0]?.id}`, { name: 'Swapped' })
    await route.continue()
  })
  await send()
  const told = page.getByRole('alert').filter({ hasText: 'is the name of another creative by now' })
  await told.getByRole('button', { name: 'Its launches' }).click()
  await page.waitForURL(`**/tasks/${other.task.id}`)
  const launches = page.getByRole('dialog', { name: 'Launches' })
  await launches.getByText(campaign).waitFor()
  await launches.getByRole('button', { name: 'Correct', exact: true }).waitFor()
  expect(await launchesOf(task.id)).toEqual([])
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
