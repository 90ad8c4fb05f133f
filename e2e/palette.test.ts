// Facts about the command palette: on a slow machine, and where more is found than it shows.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeGraph } from '../server/test/support/runs.ts'
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

test('of more graphs than are shown it is said that these are the first, and those of one name are told apart', async () => {
  for (let made = 0; made < 51; made += 1) await makeGraph(app.service, { nodes: [], edges: [] }, 'Hooks')
  const page = await app.open('/')
  await page.getByRole('button', { name: 'Go to or do' }).click()
  await page.keyboard.type('Hooks')
  const graphs = page.getByRole('group', { name: 'Graphs · The first 6; type to narrow' })
  await graphs.waitFor()
  expect(await graphs.getByRole('option', { name: /^Hooks\s*Changed / }).count()).toBe(6)

  await page.goto(new URL('/automations', page.url()).href)
  await page.getByRole('button', { name: 'New automation' }).click()
  await page.getByRole('combobox', { name: 'run the graph' }).click()
  const choices = page.getByRole('group', { name: 'The first 50; type to narrow' })
  await choices.waitFor()
  expect(await choices.getByRole('option', { name: /^Hooks\s*Changed / }).count()).toBe(50)
  expect(app.problems).toEqual([])
})
