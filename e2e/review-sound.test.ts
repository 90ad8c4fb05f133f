// Facts about sounds in a review: lists say that they are sounds, and nothing is marked on what has no picture.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, startApp } from './support/app.ts'
import { violations } from './support/axe.ts'
import { filmBytes } from './support/film.ts'
import { enter, openAsGuest } from './support/guest.ts'
import { focused } from './support/keyboard.ts'
import { keepShot } from './support/shots.ts'
import { soundBytes } from './support/sound.ts'
import { isClosed, viewer } from './support/viewer.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

/** A task with a film, a sound and a text to be printed, whose names begin with `word`. */
async function taskOf(word: string) {
  const files = {
    Opening: await app.make.file(await filmBytes(), 'video/webm'),
    Jingle: await app.make.file(soundBytes(), 'audio/wav'),
    Terms: await app.make.file('%PDF-1.4', 'application/pdf'),
  }
  const names = Object.keys(files).map((name) => `${word} ${name}`)
  const { task, creatives } = await app.make.taskWith(names, { name: word })
  for (const [at, file] of Object.values(files).entries())
    await app.service.patch(`/api/v1/creatives/${creatives[at]?.id}`, { file })
  return task
}

test('a sound is shown as one in the list of a task, and its review has a time and nothing to draw with', async () => {
  const task = await taskOf('Heard')
  const page = await app.open(`/tasks/${task.id}#creatives`)
  const opener = (name: string) => page.getByRole('button', { name: `Open the file of Heard ${name}` })
  await opener('Jingle').locator('svg').waitFor()
  await expect.poll(() => opener('Opening').locator('video').isVisible()).toBe(true)
  expect(await opener('Jingle').locator('video').isVisible()).toBe(false)
  await keepShot(page, 'sound-in-list')
  await opener('Jingle').click()
  const shown = viewer(page)
  await shown.getByRole('button', { name: 'At this time' }).waitFor()
  await shown.getByRole('button', { name: 'Pin' }).waitFor({ state: 'detached' })
  expect(await shown.getByRole('button', { name: 'Draw' }).count()).toBe(0)
  await page.keyboard.press('Escape')
  await isClosed(page)
  await opener('Opening').click()
  await shown.getByRole('button', { name: 'Pin' }).waitFor()
})

/** How far the middle of the player is from the middle of the stage, across, in px. */
async function asideBy(page: Page): Promise<number> {
  const middle = async (selector: string) => {
    const box = await viewer(page).locator(selector).boundingBox()
    return box ? box.x + box.width / 2 : Number.NaN
  }
  return Math.abs((await middle('.viewer-stage')) - (await middle('.viewer-stage audio')))
}

test('the viewer says of a sound that it is one and how long it is, above its player', async () => {
  const task = await taskOf('Said')
  for (const viewport of [
    { width: 1366, height: 768 },
    { width: 390, height: 844 },
  ]) {
    const page = await app.open(`/tasks/${task.id}#creatives`, { viewport })
    await page.getByRole('button', { name: 'Open the file of Said Jingle' }).click()
    await viewer(page).locator('.viewer-stage').getByText('Sound, 0:01').waitFor()
    await expect.poll(() => asideBy(page)).toBeLessThan(2)
    await keepShot(page, `sound-in-viewer-${viewport.width}`)
    expect(await violations(page)).toEqual([])
  }
})

test('a guest reads what kind of file a creative has in words', async () => {
  const task = await taskOf('Named')
  const { data } = await app.service.post(`/api/v1/tasks/${task.id}/guest-links`, { name: 'The client' })
  const guest = await openAsGuest(app, data.url, { viewport: { width: 390, height: 844 } })
  await enter(guest)
  const list = guest.getByRole('list', { name: 'Creatives' })
  await list.getByRole('button').first().waitFor()
  expect(await list.getByRole('button').allTextContents()).toEqual([
    'SoundNamed Jingle',
    'FilmNamed Opening',
    'PDFNamed Terms',
  ])
  expect(await violations(guest)).toEqual([])
  await keepShot(guest, 'guest-kinds')
})

test('Escape leaves what a guest writes, which stays, and then the creative', async () => {
  const task = await taskOf('Left')
  const { data } = await app.service.post(`/api/v1/tasks/${task.id}/guest-links`, { name: 'The client' })
  const guest = await openAsGuest(app, data.url)
  await enter(guest)
  const tile = guest.getByRole('list', { name: 'Creatives' }).getByRole('button', { name: 'Left Jingle' })
  await tile.click()
  const words = guest.getByRole('textbox', { name: 'Your comment' })
  await words.pressSequentially('Louder')
  await words.press('Escape')
  await focused(guest, guest.locator('main'))
  expect(await words.inputValue()).toBe('Louder')
  await guest.keyboard.press('Escape')
  await focused(guest, tile)
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
