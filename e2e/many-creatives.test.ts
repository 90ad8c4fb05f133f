// Facts about a task with very many creatives.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, startApp } from './support/app.ts'
import { intercept } from './support/intercept.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const many = 700

test('a list of hundreds of creatives is drawn to its end while the mouse moves over it', async () => {
  const { task } = await app.make.taskWith(['Many'], { name: 'With many creatives' })
  const page = await app.open('/')
  await intercept(page, `**/tasks/${task.id}/creatives*`, async (route) => {
    const response = await route.fetch()
    const body = await response.json()
    const [one] = body.data.items
    const items = Array.from({ length: many }, (_, at) => ({ ...one, id: `${one.id}-${at}`, name: `Many_${at}` }))
    await route.fulfill({ response, json: { ...body, data: { ...body.data, items } } })
  })
  await page.goto(new URL(`/tasks/${task.id}#creatives`, page.url()).href)
  const list = page.getByRole('list', { name: 'Creatives' })
  await list.hover()
  const rows = () => page.evaluate<number>(`document.querySelectorAll('.creative-list > li').length`)
  for (let turn = 0; (await rows()) < many && app.problems.length === 0; turn += 1) {
    await page.mouse.wheel(0, turn % 10 === 9 ? -5000 : 3000)
    await page.mouse.move(400 + (turn % 9) * 60, 200 + (turn % 20) * 20)
  }
  expect(app.problems).toEqual([])
  await list
    .getByRole('listitem')
    .nth(many - 1)
    .waitFor()
})
