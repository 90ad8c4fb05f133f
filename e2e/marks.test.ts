// Facts about marks of creatives in the web app: a user confirms and withdraws them by keyboard, and a task whose creative lacks a
// label that the market demands cannot be done.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, startApp } from './support/app.ts'
import { violations } from './support/axe.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const said = 'http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia'

/** Makes a task for a market in the EU, with a creative whose file says that a model generated it, and opens the task. */
async function openCard(name: string, at = '#creatives', userId?: string) {
  const task = await app.make.task({ name, geo: 'DE' })
  const creative = await app.make.creative(task.id, { name, file: await app.make.file(`${name} ${said}`) })
  const page = await app.open(`/tasks/${task.id}${at}`, userId === undefined ? {} : { userId })
  return { task, creative, page }
}
const chips = (page: Page, name: string) => page.getByRole('button', { name: `Marks of ${name}` })
const marksOf = (id: string) => app.make.read(`/api/v1/creatives/${id}/marks`)
const statusOf = async (id: string) => (await app.make.read(`/api/v1/tasks/${id}`)).status
const toDone = async (page: Page): Promise<void> => {
  await page.getByRole('combobox', { name: 'Column' }).click()
  await page.getByRole('option', { name: 'Done' }).click()
}

test('what a creative shows is confirmed by keyboard, and taken back by the message', async () => {
  const { creative, page } = await openCard('Confirmed_01')
  await page.getByText('Label missing').waitFor()
  await chips(page, 'Confirmed_01').focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Marks and label' })
  await dialog.getByText('Not signed').waitFor()
  expect(await violations(page)).toEqual([])
  const question = dialog.getByRole('radiogroup', { name: 'Would what it shows pass for real, and is not?' })
  await question.getByRole('radio', { name: 'Not asked' }).focus()
  await page.keyboard.press('ArrowLeft')
  await expect.poll(async () => (await marksOf(creative.id)).deepfake.value).toBe(false)
  await dialog.getByText('No market of this task demands a label').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(async () => (await marksOf(creative.id)).deepfake.value).toBeNull()
  await dialog.getByText('Missing', { exact: true }).waitFor()
})

test('a task without its label stays, the dialog says why, and an admin lets it pass with a reason', async () => {
  const { task, page } = await openCard('Passed_01')
  await toDone(page)
  const dialog = page.getByRole('dialog', { name: 'A label is missing' })
  await dialog.getByText('needs the label “AI-generated” (European Union)').waitFor()
  expect(await violations(page)).toEqual([])
  expect(await statusOf(task.id)).toBe('backlog')
  await dialog.getByLabel('Let pass, because').fill('It stands in the caption.')
  await page.keyboard.press('Tab')
  await dialog.getByRole('button', { name: 'Let pass and move to Done' }).click()
  await expect.poll(() => statusOf(task.id)).toBe('done')
  await page.getByText('Label waived').waitFor()
  expect(app.problems).toEqual([])
})

test('who is no admin is led to the creatives', async () => {
  const writer = await app.service.person('writer')
  const { page } = await openCard('Led_01', '', writer.id)
  await toDone(page)
  const dialog = page.getByRole('dialog', { name: 'A label is missing' })
  await dialog.getByText('An admin can let them pass with a reason.').waitFor()
  expect(await dialog.getByLabel('Let pass, because').count()).toBe(0)
  await dialog.getByRole('link', { name: 'Led_01' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await chips(page, 'Led_01').waitFor()
})
