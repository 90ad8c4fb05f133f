// Facts about setting a pin or a box of a comment by keyboard: in the viewer, and on the page of a guest.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, startApp } from './support/app.ts'
import { violations } from './support/axe.ts'
import { enter, openAsGuest } from './support/guest.ts'
import { focused, focusIs } from './support/keyboard.ts'
import { pictureOf } from './support/picture.ts'
import { keepShot } from './support/shots.ts'
import { shows, viewer } from './support/viewer.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

/** Makes a task with two pictures, and returns the ids of the creatives and of the task. */
async function makePictures(first: string, second: string) {
  const { task, creatives } = await app.make.taskWith([first, second], { name: `${first} and ${second}` })
  const file = await pictureOf(app, '#24508c')
  for (const { id } of creatives) await app.service.patch(`/api/v1/creatives/${id}`, { file })
  return { task, ids: creatives.map(({ id }) => id) }
}
const press = async (page: Page, keys: readonly string[]): Promise<void> => {
  for (const key of keys) await page.keyboard.press(key)
}
const place = (page: Page, tool: string) => page.getByRole('application', { name: `Place of the ${tool}` })
const told = (page: Page, words: string) => page.locator('[aria-live=polite]').getByText(words, { exact: true })
const marksOf = async (id: string | undefined) =>
  (await app.make.read(`/api/v1/creatives/${id}/review-comments`)).items.map(({ mark }: { mark: unknown }) => mark)

test('in the viewer, arrow keys and Enter set a pin and a box, and Escape gives up', async () => {
  const { task, ids } = await makePictures('First', 'Second')
  const page = await app.open(`/tasks/${task.id}#creatives`)
  await page.getByRole('list', { name: 'Creatives' }).getByRole('button', { name: /First/ }).first().click()
  await shows(page, 'First', '400 × 300')
  const field = viewer(page).getByRole('textbox', { name: 'Comment on version 1' })

  await viewer(page).getByRole('button', { name: 'Pin' }).press('Enter')
  await focused(page, place(page, 'pin'))
  await told(page, '50 % across, 50 % down').waitFor()
  await press(page, ['Shift+ArrowLeft', 'Shift+ArrowUp', 'Shift+ArrowUp', 'Shift+ArrowUp', 'ArrowDown', 'ArrowRight'])
  await told(page, '41 % across, 21 % down').waitFor()
  await viewer(page).locator('path.cross').waitFor()
  expect(await violations(page)).toEqual([])
  await keepShot(page, 'mark-keys')
  await page.keyboard.press('Enter')
  await focused(page, field)
  // Outside the field, the arrow keys still belong to the tool: the next picture would drop the mark.
  await press(page, ['Escape', 'ArrowRight'])
  await focused(page, place(page, 'pin'))
  await page.keyboard.press('Enter')
  await focused(page, field)
  await page.keyboard.type('Warmer here')
  await page.keyboard.press('Control+Enter')
  await expect.poll(() => marksOf(ids[0])).toEqual([{ kind: 'pin', lines: [[[0.41, 0.21]]] }])
  const answer = viewer(page).getByRole('textbox', { name: 'Answer comment 1' })
  await answer.waitFor()
  await press(page, ['Escape', 'n'])
  await focused(page, answer)
  expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid')

  await viewer(page).getByRole('button', { name: 'Box' }).press('Enter')
  await focused(page, place(page, 'box'))
  await press(page, ['Shift+ArrowLeft', 'Enter', 'Shift+ArrowRight', 'Shift+ArrowRight', 'Shift+ArrowDown'])
  await place(page, 'box').locator('rect').waitFor()
  await page.keyboard.press('Enter')
  await focused(page, field)
  await page.keyboard.type('And here')
  await page.keyboard.press('Control+Enter')
  const corners = [
    [0.4, 0.5],
    [0.6, 0.6],
  ]
  await expect.poll(() => marksOf(ids[0])).toContainEqual({ kind: 'box', lines: [corners] })

  await viewer(page).getByRole('button', { name: 'Box' }).press('Enter')
  await focused(page, place(page, 'box'))
  await press(page, ['Enter', 'ArrowLeft', 'Escape'])
  await focusIs(page, 'Box')
  expect(await place(page, 'box').count()).toBe(0)
  expect(await viewer(page).locator('svg.marks[data-drawing]').count()).toBe(0)
  // No tool is chosen now: the arrow keys lead to the next picture again.
  await field.press('Escape')
  await page.keyboard.press('ArrowRight')
  await shows(page, 'Second', '400 × 300')
})

test('a guest marks a place by keyboard', async () => {
  const { task, ids } = await makePictures('Third', 'Fourth')
  const { data } = await app.service.post(`/api/v1/tasks/${task.id}/guest-links`, { name: 'The client' })
  const guest = await openAsGuest(app, data.url)
  await enter(guest)
  await guest.getByRole('button', { name: 'Third' }).press('Enter')
  const mark = guest.getByRole('button', { name: 'Mark a place' })
  await mark.press('Enter')
  await focused(guest, place(guest, 'box'))
  await press(guest, ['ArrowLeft', 'Escape'])
  await focused(guest, mark)
  await mark.press('Enter')
  await focused(guest, place(guest, 'box'))
  await guest.getByRole('button', { name: 'Send', exact: true }).press('Escape')
  await mark.waitFor()

  await mark.press('Enter')
  await focused(guest, place(guest, 'box'))
  await press(guest, ['Shift+ArrowRight', 'Enter'])
  await guest.getByText('Enter sets the other corner.').waitFor()
  await keepShot(guest, 'mark-keys-guest')
  expect(await violations(guest)).toEqual([])
  // The other corner is at the same place, so the box becomes a pin.
  await guest.keyboard.press('Enter')
  await focused(guest, guest.getByRole('textbox', { name: 'Your comment' }))
  await guest.keyboard.type('Warmer')
  await guest.getByRole('button', { name: 'Send', exact: true }).press('Enter')
  await expect.poll(() => marksOf(ids[0])).toEqual([{ kind: 'pin', lines: [[[0.6, 0.5]]] }])
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
