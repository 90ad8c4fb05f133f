// Facts about comments that are half written when they cannot be sent any more: the task is deleted, or the writer may only read.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, startApp } from './support/app.ts'
import { violations } from './support/axe.ts'
import { pictureOf } from './support/picture.ts'
import { keepShot } from './support/shots.ts'
import { viewer } from './support/viewer.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const field = (page: Page) => page.getByRole('textbox', { name: 'Write a comment' })
const unsent = (page: Page) => page.getByRole('textbox', { name: 'Your comment, not sent' })

test('a comment stays in sight when the task is deleted, and is back in its field with the task', async () => {
  const task = await app.make.task({ name: 'Deleted under a comment' })
  const page = await app.open(`/tasks/${task.id}#comments`)
  await field(page).fill('Half a thought')
  await app.make.deleted(`/api/v1/tasks/${task.id}`)
  await unsent(page).waitFor()
  expect([await unsent(page).inputValue(), await unsent(page).isEditable()]).toEqual(['Half a thought', false])
  expect(await violations(page)).toEqual([])
  await keepShot(page, 'unsent-comment')
  await app.service.post(`/api/v1/tasks/${task.id}/restore`)
  await field(page).waitFor()
  expect(await field(page).inputValue()).toBe('Half a thought')
  expect(await unsent(page).count()).toBe(0)
})

test('who may only read any more sees the comment, and can discard it', async () => {
  const { id } = await app.service.person('writer')
  const task = await app.make.task({ name: 'Roles under a comment' })
  const page = await app.open(`/tasks/${task.id}#comments`, { userId: id })
  await field(page).fill('Half a thought')
  await app.service.patch(`/api/v1/users/${id}`, { role: 'reader' })
  await unsent(page).waitFor()
  expect(await unsent(page).inputValue()).toBe('Half a thought')
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect.poll(() => unsent(page).count()).toBe(0)
  await app.service.patch(`/api/v1/users/${id}`, { role: 'writer' })
  await field(page).waitFor()
  expect(await field(page).inputValue()).toBe('')
})

test('a comment in the viewer stays in sight when the writer may only read, and is back in its field with the role', async () => {
  const { id } = await app.service.person('writer')
  const task = await app.make.task({ name: 'Roles in the viewer', status: 'tech_check' })
  await app.make.creative(task.id, { name: 'Roles 1', file: await pictureOf(app, '#8c5024') })
  const page = await app.open(`/tasks/${task.id}#creatives`, { userId: id })
  await page.getByRole('button', { name: 'Open the file of Roles 1' }).click()
  const composer = viewer(page).getByLabel('Comment on version 1')
  await composer.fill('Warmer')
  await app.service.patch(`/api/v1/users/${id}`, { role: 'reader' })
  const kept = viewer(page).getByLabel('Your comment, not sent, since you may only read now:')
  await kept.waitFor()
  expect(await kept.inputValue()).toBe('Warmer')
  await app.service.patch(`/api/v1/users/${id}`, { role: 'writer' })
  await composer.waitFor()
  expect(await composer.inputValue()).toBe('Warmer')
  expect(await kept.count()).toBe(0)
})
