// Facts about the command palette on a slow machine.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, startApp } from './support/app.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

test('what is typed right after the palette is opened is in its field', async () => {
  const page = await app.open('/')
  const opener = page.getByRole('button', { name: 'Go to or do' })
  const field = page.getByRole('combobox', { name: /^Go to a task/ })
  await opener.waitFor()
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 20 })
  for (const _ of [1, 2]) {
    await opener.click()
    await page.keyboard.type('night owls and others')
    await expect.poll(() => field.inputValue()).toBe('night owls and others')
    await page.keyboard.press('Escape')
    await field.waitFor({ state: 'detached' })
  }
  expect(app.problems).toEqual([])
})
