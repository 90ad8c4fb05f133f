// Facts about writes whose answer is lost on its way: the page cannot know that they were done, and sending them again, as it asks
// for, does nothing twice.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, startApp } from './support/app.ts'
import { enter, openAsGuest } from './support/guest.ts'
import { intercept } from './support/intercept.ts'
import { pictureOf } from './support/picture.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

/** Lets the next POST to this path reach the service, and loses its answer. Later ones are not touched. */
async function loseNextAnswer(page: Page, path: string): Promise<void> {
  let isLost = false
  await intercept(page, `**/api/v1/${path}`, async (route) => {
    if (isLost || route.request().method() !== 'POST') return route.continue()
    isLost = true
    await route.fetch()
    return route.abort()
  })
}

test('a comment on a task, sent again after its answer was lost, is there once; the same said once more is there twice', async () => {
  const task = await app.make.task({ name: 'Said once' })
  const page = await app.open(`/tasks/${task.id}#comments`)
  const field = page.getByRole('textbox', { name: 'Write a comment' })
  await field.fill('Warmer')
  await loseNextAnswer(page, `tasks/${task.id}/comments`)
  await field.press('Control+Enter')
  await page.getByText('The service cannot be reached.').first().waitFor()
  expect(await field.inputValue()).toBe('Warmer')

  const said = async () => (await app.make.read(`/api/v1/tasks/${task.id}/comments`)).items.length
  expect(await said()).toBe(1)
  await field.press('Control+Enter')
  await expect.poll(() => field.inputValue()).toBe('')
  expect(await said()).toBe(1)
  await field.fill('Warmer')
  await field.press('Control+Enter')
  await expect.poll(() => field.inputValue()).toBe('')
  expect(await said()).toBe(2)
})

test('a guest who sends a comment again says it once', async () => {
  const task = await app.make.task({ name: 'Guests say it once', status: 'creative_check' })
  const creative = await app.make.creative(task.id, { name: 'Seen by guests', file: await pictureOf(app, '#508c24') })
  const link = await app.service.post(`/api/v1/tasks/${task.id}/guest-links`, { name: 'The client' })
  const page = await openAsGuest(app, link.data.url)
  await enter(page)
  await page.getByRole('list', { name: 'Creatives' }).getByRole('button', { name: 'Seen by guests' }).click()
  const field = page.getByRole('textbox', { name: 'Your comment' })
  await field.fill('Colder')
  await loseNextAnswer(page, `guest/creatives/${creative.id}/comments`)
  const send = page.getByRole('button', { name: 'Send', exact: true })
  await send.click()
  await page.getByText('cannot be reached').first().waitFor()
  await send.click()
  await expect.poll(() => field.inputValue()).toBe('')
  const { items } = await app.make.read(`/api/v1/creatives/${creative.id}/review-comments`)
  expect(items.map(({ text }: { text: string }) => text)).toEqual(['Colder'])
})

test('a task that is duplicated again because the answer was lost has one copy', async () => {
  const task = await app.make.task({ name: 'Copied once' })
  const page = await app.open(`/tasks/${task.id}`)
  await loseNextAnswer(page, 'tasks')
  const duplicate = async () => {
    await page.getByRole('button', { name: 'Menu of the task' }).click()
    await page.getByRole('menuitem', { name: /^Duplicate/ }).click()
  }
  await duplicate()
  await page.getByText('The service cannot be reached.').first().waitFor()
  await duplicate()
  await page.getByText('Duplicated as').waitFor()
  const { tasks } = await app.make.read('/api/v1/tasks/board?search=Copied%20once')
  expect(tasks).toHaveLength(2)
})
