// Facts about the tools over a picture or a film: they leave the other controls free; a mark is kept with its unsent comment; and
// the sound stays off.
import type { Locator } from 'playwright-core'
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

/** The height of the controls of a film in Chromium. */
const barHeight = 72

async function boxOf(element: Locator) {
  const box = await element.boundingBox()
  if (!box) throw new Error('Not to be seen.')
  return { ...box, bottom: box.y + box.height }
}

async function opened(name: string, files: readonly string[]) {
  const task = await app.make.task({ name })
  for (const [at, file] of files.entries()) await app.make.creative(task.id, { name: `${name} ${at + 1}`, file })
  const page = await app.open(`/tasks/${task.id}#creatives`)
  const show = () => page.getByRole('button', { name: `Open the file of ${name} 1` }).click()
  await show()
  return { page, show, shown: viewer(page), close: () => page.keyboard.press('Escape').then(() => isClosed(page)) }
}

const films = async () => [
  await app.make.file(await filmBytes(), 'video/webm'),
  await app.make.file(Buffer.concat([await filmBytes(), Buffer.from('again')]), 'video/webm'),
]

test('with a tool on, the next picture can be turned to, and a press beside the picture makes no mark', async () => {
  const files = [await pictureOf(app, '#245080'), await pictureOf(app, '#805024')]
  const { page, shown } = await opened('Tools', files)
  await shown.getByRole('button', { name: 'Pin', exact: true }).click()
  const [layer, picture] = [shown.locator('svg.marks[data-drawing]'), shown.locator('.viewer-stage img')]
  await layer.waitFor()
  const [stage, within] = [await boxOf(layer), await boxOf(picture)]
  await page.mouse.click(stage.x + stage.width / 2, (stage.y + within.y) / 2)
  await page.mouse.click(within.x + within.width / 2, within.y + within.height / 2)
  await layer.locator('circle').waitFor()
  const pin = await boxOf(layer.locator('circle'))
  await page.mouse.click(stage.x + stage.width / 2, (stage.y + within.y) / 2)
  expect(await boxOf(layer.locator('circle'))).toEqual(pin)
  await shown.getByRole('button', { name: 'The next picture (→)' }).click()
  await page.getByRole('dialog', { name: 'Picture Tools 2', exact: true }).waitFor()
})

test('the controls of a film are free: from the drawing layer, and on a phone from what turns to the next one', async () => {
  const { page, shown } = await opened('Free film', await films())
  const film = shown.locator('video')
  await shown.getByRole('button', { name: 'At this time' }).waitFor()
  await shown.getByRole('button', { name: 'Pin', exact: true }).click()
  const layer = await boxOf(shown.locator('svg.marks[data-drawing]'))
  expect(layer.bottom).toBeLessThanOrEqual((await boxOf(film)).bottom - barHeight)
  await page.setViewportSize({ width: 390, height: 844 })
  const turn = shown.getByRole('button', { name: 'The next picture (→)' })
  await expect
    .poll(async () => (await boxOf(film)).bottom - (await boxOf(turn)).bottom)
    .toBeGreaterThanOrEqual(barHeight)
})

test('a sound that was turned off stays off in the next film, until it is turned on', async () => {
  const { page, shown } = await opened('Quiet film', await films())
  const isMuted = () => shown.locator('video').evaluate((element) => Reflect.get(element, 'muted'))
  await shown.getByRole('button', { name: 'At this time' }).waitFor()
  await page.keyboard.press('m')
  await expect.poll(isMuted).toBe(true)
  await page.keyboard.press('ArrowRight')
  await page.getByRole('dialog', { name: 'Picture Quiet film 2', exact: true }).waitFor()
  await shown.getByRole('button', { name: 'At this time' }).waitFor()
  expect(await isMuted()).toBe(true)
  await page.keyboard.press('m')
  await expect.poll(isMuted).toBe(false)
})

test('an unsent comment comes back with its mark and its time', async () => {
  const [file = ''] = await films()
  const { page, shown, show, close } = await opened('Marked unsent', [file])
  await shown.getByRole('button', { name: 'At this time' }).waitFor()
  await shown.getByRole('button', { name: 'Pin', exact: true }).click()
  await shown.locator('svg.marks[data-drawing]').click()
  const pin = shown.locator('svg.marks circle')
  await pin.waitFor()
  await shown.getByLabel('Comment on version 1').fill('Here')
  await shown.getByLabel('Comment on version 1').press('Escape')
  await page.reload()
  await show()
  await pin.waitFor()
  const time = shown.getByRole('button', { name: 'At 0:00', exact: true })
  await time.waitFor()
  expect(await shown.getByLabel('Comment on version 1').inputValue()).toBe('Here')
  const pressed = () => shown.getByRole('button', { name: 'Pin', exact: true }).getAttribute('aria-pressed')
  expect(await pressed()).toBe('true')
  await shown.getByRole('button', { name: 'Pin', exact: true }).click()
  await pin.waitFor({ state: 'detached' })
  await shown.focus()
  await close()
  await show()
  await time.waitFor()
  expect([await pin.count(), await pressed()]).toEqual([0, 'false'])
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
