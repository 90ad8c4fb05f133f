// Facts about marks on a film: each belongs to the frame on which it was drawn; and about whom an answer to a comment addresses.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, startApp } from './support/app.ts'
import { filmBytes } from './support/film.ts'
import { pictureOf } from './support/picture.ts'
import { isClosed, viewer } from './support/viewer.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

async function opened(name: string, file: unknown) {
  const task = await app.make.task({ name })
  const creative = await app.make.creative(task.id, { name: `${name} 1`, file })
  const page = await app.open(`/tasks/${task.id}#creatives`)
  await page.getByRole('button', { name: `Open the file of ${name} 1` }).click()
  const said = async () => (await app.make.read(`/api/v1/creatives/${creative.id}/review-comments`)).items
  return { creative, page, shown: viewer(page), said }
}

test('a mark on a film that has just been opened belongs to the frame on which it was drawn', async () => {
  const { page, shown, said } = await opened('Marked film', await app.make.file(await filmBytes(), 'video/webm'))
  const film = shown.locator('video')
  await shown.getByRole('button', { name: 'At this time' }).waitFor()
  const seek = async (seconds: number) => {
    await film.evaluate((element, to) => {
      Object.assign(element, { currentTime: to })
    }, seconds)
    await expect.poll(() => film.evaluate((element) => Reflect.get(element, 'seeking'))).toBe(false)
  }
  await expect.poll(() => film.evaluate((element) => Reflect.get(element, 'readyState'))).toBeGreaterThan(1)
  await seek(0.5)
  await shown.getByRole('button', { name: 'Pin' }).click()
  await shown.getByRole('button', { name: 'At 0:00', exact: true }).waitFor()
  await seek(0.9)
  const layer = shown.locator('svg.marks[data-drawing]')
  await layer.click()
  await layer.locator('circle').waitFor()
  await page.keyboard.press('c')
  await page.keyboard.type('Here')
  await shown.getByRole('button', { name: 'Comment', exact: true }).click()
  await expect.poll(async () => (await said()).length).toBe(1)
  expect(await said()).toMatchObject([{ text: 'Here', mark: { kind: 'pin' }, from_seconds: 0.9 }])
})

test('a film that is opened again goes to the time of a comment, each time the time is pressed', async () => {
  const { page, shown, creative } = await opened('Timed film', await app.make.file(await filmBytes(), 'video/webm'))
  const said = { text: 'Here', version: 1, from_seconds: 0.5 }
  await app.service.post(`/api/v1/creatives/${creative.id}/review-comments`, said)
  const time = shown.getByRole('button', { name: 'At 0:00', exact: true })
  await time.waitFor()
  await page.keyboard.press('Escape')
  await isClosed(page)
  await page.getByRole('button', { name: 'Open the file of Timed film 1' }).click()
  const film = shown.locator('video')
  await expect.poll(() => film.evaluate((element) => Reflect.get(element, 'readyState'))).toBeGreaterThan(1)
  const now = () => film.evaluate((element) => Reflect.get(element, 'currentTime'))
  await time.click()
  await expect.poll(now).toBe(0.5)
  await film.evaluate((element) => void Object.assign(element, { currentTime: 0.1 }))
  await time.click()
  await expect.poll(now).toBe(0.5)
  expect(await time.getAttribute('aria-pressed')).toBe('true')
})

test('who is named in an answer is told of it', async () => {
  await app.service.post('/api/v1/users', { name: 'Walt Writer', role: 'writer' })
  const { page, shown, creative, said } = await opened('Answered', await pictureOf(app, '#245080'))
  await app.service.post(`/api/v1/creatives/${creative.id}/review-comments`, { text: 'Too dark' })
  await shown.getByRole('button', { name: 'Show', exact: true }).click()
  await shown.getByRole('textbox', { name: 'Answer comment 1' }).click()
  await page.keyboard.type('As @Wal')
  await shown.getByRole('list', { name: 'People to address' }).getByRole('button', { name: '@Walt Writer' }).click()
  await page.keyboard.type('said')
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await said()).length).toBe(2)
  const { items } = await app.make.read('/api/v1/users')
  const { id } = items.find(({ name }: { name: string | null }) => name === 'Walt Writer')
  expect((await said())[1]).toMatchObject({ text: 'As @Walt Writer said', mentions: [id] })
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
