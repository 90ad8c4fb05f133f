// Facts about films in the viewer, and about films and pictures that cannot be reached: they are not taken for files of another kind, and
// come as soon as they can be reached.
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { definitionOf } from '../server/test/support/definitions.ts'
import { type App, startApp } from './support/app.ts'
import { violations } from './support/axe.ts'
import { node } from './support/canvas.ts'
import { filmBytes } from './support/film.ts'
import { intercept } from './support/intercept.ts'
import { focused } from './support/keyboard.ts'
import { keepShot } from './support/shots.ts'
import { loaded, shows, viewer } from './support/viewer.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const picture = (): Promise<Buffer> =>
  sharp({ create: { width: 320, height: 240, channels: 3, background: '#24508c' } })
    .png()
    .toBuffer()

/** Makes a task with a film and then a picture. */
async function makeFilm(name: string) {
  const film = await app.make.file(await filmBytes(), 'video/webm')
  const { id } = await app.make.task({ name })
  await app.make.creative(id, { name: `${name} 1`, file: film })
  const still = await app.make.file(await picture(), 'image/png')
  await app.make.creative(id, { name: `${name} 2`, file: still })
  return { id, film, still }
}

test('a film that has the focus keeps the arrow keys, which otherwise lead to the next picture', async () => {
  const { id } = await makeFilm('Sought')
  const page = await app.open(`/tasks/${id}#creatives`)
  await page.getByRole('button', { name: 'Open the file of Sought 1' }).click()
  const film = viewer(page).locator('video')
  const at = () => page.evaluate(`document.querySelector('.viewer-stage video').currentTime`)
  const isLoaded = () => page.evaluate(`document.querySelector('.viewer-stage video')?.readyState > 2`)
  await expect.poll(isLoaded).toBe(true)
  await film.focus()
  await page.keyboard.press('End')
  await expect.poll(at).toBeGreaterThan(0)
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Home')
  await expect.poll(at).toBe(0)
  expect(await viewer(page).getByText('1 of 2').isVisible()).toBe(true)
  await viewer(page).focus()
  await page.keyboard.press('ArrowRight')
  await shows(page, 'Sought 2', '320 × 240')
})

test('a film or a picture that cannot be reached at first says so in the viewer, and is there once it is tried again', async () => {
  const { film, still } = await makeFilm('Cut off')
  const page = await app.open('/')
  let isCutOff = true
  for (const digest of [film, still])
    await intercept(page, `**/api/v1/files/${digest}?*`, (route) => (isCutOff ? route.abort() : route.continue()))
  await page.getByRole('link', { name: 'Cut off', exact: true }).click()
  await page.getByRole('tab', { name: 'Creatives' }).click()
  await page.getByRole('button', { name: 'Open the file of Cut off 2' }).click()
  const told = viewer(page).getByText('The file could not be loaded.')
  const again = viewer(page).getByRole('button', { name: 'Try again' })
  await told.waitFor()
  await page.keyboard.press('ArrowLeft')
  await page.getByRole('dialog', { name: 'Picture Cut off 1', exact: true }).waitFor()
  await told.waitFor()
  expect(await violations(page)).toEqual([])
  await keepShot(page, 'viewer-not-loaded')
  await page.setViewportSize({ width: 360, height: 740 })
  await keepShot(page, 'viewer-not-loaded-phone')
  isCutOff = false
  // The page also loads the file again without being asked; then the button is gone, and is not pressed.
  await again.evaluateAll('(buttons) => buttons[0]?.click()')
  await expect.poll(() => page.evaluate(`document.querySelector('.viewer-stage video')?.readyState > 2`)).toBe(true)
  await page.keyboard.press('End')
  await shows(page, 'Cut off 2', '320 × 240')
})

test('a film or a picture whose first request is lost is shown by the next one, for what it is', async () => {
  const { id, film, still } = await makeFilm('Lost once')
  const page = await app.open('/')
  const lost = new Set<string>()
  for (const digest of [film, still])
    await intercept(page, `**/api/v1/files/${digest}?*`, (route) => {
      const isShown = ['media', 'image'].includes(route.request().resourceType())
      if (!isShown || lost.has(digest)) return route.continue()
      lost.add(digest)
      return route.abort()
    })
  await page.goto(`${app.url}/tasks/${id}#creatives`)
  await page.getByRole('button', { name: 'Open the file of Lost once 1' }).click()
  await expect.poll(() => page.evaluate(`document.querySelector('.viewer-stage video')?.readyState > 2`)).toBe(true)
  await page.keyboard.press('End')
  await shows(page, 'Lost once 2', '320 × 240')
  expect(lost).toEqual(new Set([film, still]))
})

test('in the viewer, keys go on working when what could not be loaded comes by itself, and marks cover no button', async () => {
  const { id, film, still } = await makeFilm('Comes back')
  const page = await app.open(`/tasks/${id}#creatives`)
  let isCutOff = false
  const held = Promise.withResolvers<void>()
  for (const digest of [film, still])
    await intercept(page, `**/api/v1/files/${digest}?*`, async (route) => {
      if (route.request().resourceType() === 'media') await held.promise
      await (isCutOff ? route.abort() : route.continue())
    })
  await page.getByRole('button', { name: 'Open the file of Comes back 2' }).click()
  await shows(page, 'Comes back 2', '320 × 240')
  const again = viewer(page).getByRole('button', { name: 'Try again' })
  isCutOff = true
  await viewer(page).getByRole('button', { name: 'Box' }).click()
  await viewer(page).locator('svg.marks[data-drawing]').waitFor()
  // What happens if the address of the picture is renewed, and the new one cannot be reached.
  await viewer(page).locator('.viewer-stage img').dispatchEvent('error')
  await again.click({ trial: true })
  expect(await viewer(page).locator('svg.marks').count()).toBe(0)
  await again.focus()
  isCutOff = false
  await again.waitFor({ state: 'detached' })
  // The tool is still chosen, so the cross that places a corner is there again.
  await focused(page, viewer(page).locator('.mark-cross'))

  // A film that has the focus loses it together with its controls.
  await page.keyboard.press('Home')
  const video = viewer(page).locator('video')
  await video.focus()
  await focused(page, video)
  isCutOff = true
  held.resolve()
  await again.waitFor()
  await focused(page, viewer(page))
  await again.focus()
  isCutOff = false
  await again.waitFor({ state: 'detached' })
  await page.keyboard.press('ArrowRight')
  await page.getByRole('dialog', { name: 'Picture Comes back 2', exact: true }).waitFor()
})

test('a small picture that cannot be reached stays a picture, and comes as soon as it can be reached', async () => {
  const { id, still } = await makeFilm('Far away')
  const page = await app.open('/')
  let isCutOff = true
  // The file and its thumbnail.
  const isOfStill = ({ pathname }: URL) => pathname.includes(still)
  await intercept(page, isOfStill, (route) => (isCutOff ? route.abort() : route.continue()))
  await page.goto(`${app.url}/tasks/${id}#creatives`)
  const shown = page.getByRole('button', { name: 'Open the file of Far away 2' })
  await shown.locator('svg').waitFor()
  expect(await shown.locator('video').count()).toBe(0)
  isCutOff = false
  await loaded(page, '[aria-label="Open the file of Far away 2"] img')
})

test('a film or a picture whose bytes are gone says so, and is not waited for', async () => {
  const { id, film, still } = await makeFilm('Purged')
  const page = await app.open('/')
  for (const digest of [film, still])
    await intercept(
      page,
      ({ pathname }) => pathname.includes(digest),
      (route) => route.fulfill({ status: 404, contentType: 'application/problem+json' }),
    )
  await page.goto(`${app.url}/tasks/${id}#creatives`)
  const shown = page.getByRole('button', { name: 'Open the file of Purged 2' })
  await shown.getByTitle('The file is gone.').waitFor()
  await shown.click()
  const told = viewer(page).getByText('The file is gone.')
  await told.waitFor()
  await page.keyboard.press('ArrowLeft')
  await page.getByRole('dialog', { name: 'Picture Purged 1', exact: true }).waitFor()
  await told.waitFor()
  expect(await viewer(page).getByRole('button', { name: 'Try again' }).count()).toBe(0)
  expect(await violations(page)).toEqual([])
})

test('a film that cannot be reached at first is named where a small picture of it belongs, and is shown once it can be', async () => {
  const { film } = await makeFilm('Small')
  const value = { digest: film, media_type: 'video/webm', size: 2111, name: 'spring.webm' }
  const definition = definitionOf({ it: { type: 'input.file', params: { file: value } } })
  const { data } = await app.service.post('/api/v1/graphs', { name: 'With a film', definition })
  const page = await app.open('/graphs')
  let isCutOff = true
  await intercept(page, `**/api/v1/files/${film}?*`, (route) => (isCutOff ? route.abort() : route.continue()))
  await page.locator(`a[href^="/graphs/${data.id}"]`).first().click()
  await node(page, 'it').click()
  const shown = page.locator('.file-thumb')
  const [name, video] = [shown.locator('.file-name'), shown.locator('video')]
  await expect
    .poll(async () => [await name.count(), await video.count(), await video.isVisible()])
    .toEqual([1, 1, false])
  isCutOff = false
  await expect.poll(async () => [await name.count(), await video.isVisible()]).toEqual([0, true])
})

test('a film in a list is not shown as a broken picture while the list finds out what it is', async () => {
  const { film } = await makeFilm('Unknown at first')
  const page = await app.open('/')
  const asked = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<void>()
  await intercept(page, `**/api/v1/files/${film}?*`, async (route) => {
    if (route.request().resourceType() === 'fetch') {
      asked.resolve()
      await answered.promise
    }
    await route.continue()
  })
  await page.getByRole('link', { name: 'Unknown at first', exact: true }).click()
  await page.getByRole('tab', { name: 'Creatives' }).click()
  const opener = page.getByRole('button', { name: 'Open the file of Unknown at first 1' })
  await asked.promise
  await opener.locator('img').waitFor({ state: 'hidden' })
  expect(await opener.locator('img').count()).toBe(1)
  answered.resolve()
  await opener.locator('video').waitFor()
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
