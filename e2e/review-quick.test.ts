// Facts about a review by keyboard: no press is lost on a slow connection, or does something else than what it is for.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, startApp } from './support/app.ts'
import { intercept } from './support/intercept.ts'
import { pictureOf } from './support/picture.ts'
import { viewer } from './support/viewer.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

test('each picture that is accepted before anything about it has been read is accepted, and no other', async () => {
  const names = ['Quick 1', 'Quick 2', 'Quick 3', 'Quick 4']
  const { task, creatives } = await app.make.taskWith(names, { name: 'Quick', status: 'tech_check' })
  for (const [at, { id }] of creatives.entries())
    await app.service.patch(`/api/v1/creatives/${id}`, { file: await pictureOf(app, `#2450${at}0`) })
  const page = await app.open(`/tasks/${task.id}#creatives`)
  await page.getByRole('button', { name: 'Open the file of Quick 1' }).click()
  await viewer(page).getByText('Nothing has been said of it yet.').waitFor()
  // From now on, nothing that is read about a creative arrives.
  await intercept(page, /\/api\/v1\/creatives\/[^/]+\/(?:versions|review-comments|decisions)/, (route) =>
    route.request().method() === 'GET' ? undefined : route.continue(),
  )
  for (const key of ['a', 'ArrowRight', 'a', 'ArrowRight', 'ArrowRight', 'a']) await page.keyboard.press(key)
  const decided = async () => {
    const { items } = await app.make.read(`/api/v1/tasks/${task.id}/review`)
    return items.map(({ state }: { state: string }) => state)
  }
  await expect.poll(decided).toEqual(['accepted', 'accepted', 'open', 'accepted'])
})

test('a reason that is begun by its key while the panel is hidden goes into its field, and no letter of it decides', async () => {
  const { task, creatives } = await app.make.taskWith(['Hidden panel'], { name: 'Hidden panel', status: 'tech_check' })
  for (const { id } of creatives)
    await app.service.patch(`/api/v1/creatives/${id}`, { file: await pictureOf(app, '#50a024') })
  const page = await app.open(`/tasks/${task.id}#creatives`)
  await page.getByRole('button', { name: 'Open the file of Hidden panel' }).click()
  const accept = viewer(page).getByRole('button', { name: 'Accept (a)' })
  await accept.waitFor()
  await page.keyboard.press('r')
  await accept.waitFor({ state: 'detached' })
  await page.keyboard.press('w')
  await page.keyboard.type('a darker one')
  await page.keyboard.press('Control+Enter')
  await viewer(page)
    .getByText(/wants changes v1: a darker one/)
    .waitFor()
  const { items } = await app.make.read(`/api/v1/tasks/${task.id}/review`)
  expect(items).toMatchObject([{ state: 'changes_wanted', decisions: [{ note: 'a darker one' }] }])
})
