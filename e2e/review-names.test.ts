// Facts about the names that are offered after an `@` in a comment: which keys take one, and where the caret is afterwards.
import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, startApp } from './support/app.ts'
import { pictureOf } from './support/picture.ts'
import { viewer } from './support/viewer.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
  for (const name of ['Nora North', 'Nora Novak']) await app.service.post('/api/v1/users', { name, role: 'writer' })
})
afterAll(() => app.close())

const caretOf = (field: Locator) => field.evaluate((element) => Reflect.get(element, 'selectionStart'))

async function opened(name: string) {
  const task = await app.make.task({ name })
  const creative = await app.make.creative(task.id, { name: `${name} 1`, file: await pictureOf(app, '#245080') })
  const comments = `/api/v1/creatives/${creative.id}/review-comments`
  await app.service.post(comments, { text: 'Too dark' })
  const page = await app.open(`/tasks/${task.id}#creatives`)
  await page.getByRole('button', { name: `Open the file of ${name} 1` }).click()
  return { page, task, shown: viewer(page), said: async () => (await app.make.read(comments)).items }
}

test('in an answer, Enter takes the offered name, and sends only afterwards', async () => {
  const { page, shown, said } = await opened('Answered by keys')
  await shown.getByRole('button', { name: 'Show', exact: true }).click()
  const field = shown.getByRole('textbox', { name: 'Answer comment 1' })
  await field.click()
  await page.keyboard.type('As @Nora')
  await shown.getByRole('button', { name: '@Nora Novak' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect.poll(() => field.inputValue()).toBe('As @Nora Novak ')
  expect((await said()).length).toBe(1)
  await page.keyboard.type('said')
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await said()).length).toBe(2)
  expect((await said())[1].text).toBe('As @Nora Novak said')
})

test('in the middle of a comment, the caret stays behind the name, and Escape closes only the offers', async () => {
  const { page, shown } = await opened('Named midway')
  const field = shown.getByLabel('Comment on version 1')
  await field.fill('Ask  about it')
  await field.evaluate((element) => void Object.assign(element, { selectionStart: 4, selectionEnd: 4 }))
  await page.keyboard.type('@Nora N')
  const offers = shown.getByRole('list', { name: 'People to address' })
  await offers.waitFor()
  await page.keyboard.press('Escape')
  await offers.waitFor({ state: 'detached' })
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Backspace')
  expect(await field.inputValue()).toBe('Ask @Nora about it')
  expect(await offers.count()).toBe(0)
  for (let at = 0; at < 5; at += 1) await page.keyboard.press('Backspace')
  await page.keyboard.type('@Nora')
  await offers.waitFor()
  await page.keyboard.press('Tab')
  await expect.poll(() => field.inputValue()).toBe('Ask @Nora North about it')
  await expect.poll(() => caretOf(field)).toBe('Ask @Nora North '.length)
})

test('in a comment on a task, Escape closes the offers and not the task', async () => {
  const task = await app.make.task({ name: 'Named on a task' })
  const page = await app.open(`/tasks/${task.id}#comments`)
  const field = page.getByRole('textbox', { name: 'Write a comment' })
  await field.click()
  await page.keyboard.type('@nora')
  const offers = page.getByRole('list', { name: 'People to address' })
  await offers.waitFor()
  await page.keyboard.press('Escape')
  await offers.waitFor({ state: 'detached' })
  expect(await field.inputValue()).toBe('@nora')
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Backspace')
  await page.keyboard.type('@nora')
  await offers.waitFor()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await expect.poll(() => field.inputValue()).toBe('@Nora Novak ')
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
