// Facts about review in the browser: comments and marks on a picture or a film, comparing versions, and decisions.
import type { Page, Route } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { packetOf } from '../server/src/nodes/images/marks.ts'
import type { Body } from '../server/test/support/harness.ts'
import { type App, startApp } from './support/app.ts'
import { violations } from './support/axe.ts'
import { typeInto } from './support/fields.ts'
import { filmBytes } from './support/film.ts'
import { enter, openAsGuest } from './support/guest.ts'
import { intercept } from './support/intercept.ts'
import { pictureOf } from './support/picture.ts'
import { keepShot } from './support/shots.ts'
import { shows, viewer } from './support/viewer.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

/** Makes a task in the column Tech check, with a picture as its creative, and opens the picture in the viewer. */
async function open(name: string): Promise<{ page: Page; task: Body; creative: Body }> {
  const task = await app.make.task({ name, status: 'tech_check' })
  const creative = await app.make.creative(task.id, { name: `${name} 1`, file: await pictureOf(app, '#24508c') })
  const page = await app.open(`/tasks/${task.id}#creatives`)
  await page
    .getByRole('list', { name: 'Creatives' })
    .getByRole('button', { name: new RegExp(`${name} 1`) })
    .first()
    .click()
  await viewer(page).getByText('400 × 300', { exact: true }).waitFor()
  return { page, task, creative }
}

test('a comment is drawn on a picture, carried to the next version, and addressed in it', async () => {
  const { page, creative } = await open('Drawn upon')
  await viewer(page).getByText('Nothing has been said of it yet.').waitFor()
  await page.keyboard.press('c')
  const focused = () => page.evaluate(`document.activeElement?.getAttribute('aria-label')`)
  await expect.poll(focused).toBe('Comment on version 1')
  await page.keyboard.type('Warmer, please')
  await viewer(page).getByRole('button', { name: 'Box' }).click()
  const layer = viewer(page).locator('svg.marks[data-drawing]')
  await layer.waitFor()
  const box = await layer.boundingBox()
  if (!box) throw new Error('The layer for marks has no place on the page.')
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  await page.mouse.move(x - 100, y - 50)
  await page.mouse.down()
  await page.mouse.move(x + 50, y + 50, { steps: 4 })
  await page.mouse.up()
  await layer.locator('rect').waitFor()
  await viewer(page).getByRole('button', { name: 'Comment', exact: true }).click()
  await viewer(page).getByRole('button', { name: 'Comment 1 on the picture' }).waitFor()
  expect(await violations(page)).toEqual([])
  await keepShot(page, 'review-comment')

  await app.service.patch(`/api/v1/creatives/${creative.id}`, { file: await pictureOf(app, '#8c5024') })
  await page.reload()
  await page.getByRole('list', { name: 'Creatives' }).getByText('v2', { exact: true }).waitFor()
  await page.getByText('1 open comment', { exact: true }).waitFor()
  await page
    .getByRole('list', { name: 'Creatives' })
    .getByRole('button', { name: /Drawn upon 1/ })
    .first()
    .click()
  await viewer(page).getByText('Said of v1.').waitFor()
  await viewer(page).getByRole('button', { name: 'Resolve' }).click()
  await viewer(page).getByText('Addressed in v2.').waitFor()
  await viewer(page).getByRole('button', { name: 'Compare with v1' }).click()
  await viewer(page).getByRole('figure', { name: 'Beside it: Drawn upon 1, v1' }).waitFor()
  for (const how of ['Wipe', 'Overlay']) {
    await viewer(page)
      .getByRole('button', { name: new RegExp(`^${how}`) })
      .click()
    await viewer(page).getByRole('slider', { name: 'How much of Drawn upon 1, v1 is seen' }).waitFor()
  }
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await viewer(page).waitFor({ state: 'detached' })
})

test('one key accepts what is looked at, and the card says whose decision is awaited', async () => {
  const { page, task } = await open('Accepted by key')
  const other = await app.service.person('writer')
  await app.service.patch(`/api/v1/tasks/${task.id}/reviewers`, {
    needs: 'all',
    reviewers: [app.service.owner.id, other.id],
  })
  await viewer(page).getByRole('button', { name: 'Accept (a)' }).waitFor()
  await page.keyboard.press('a')
  await viewer(page)
    .getByText(/accepted v1/)
    .waitFor()
  await page.keyboard.press('Escape')
  await viewer(page).waitFor({ state: 'detached' })
  await page
    .locator(`[data-card="${task.id}"]`)
    .getByText(/^Waits for/)
    .waitFor()
  const { data } = await app.service.get(`/api/v1/tasks/${task.id}/review`)
  expect(data.items).toMatchObject([{ state: 'awaited', awaited: [other.id] }])
})

test('whoever accepts the last creative is told why the task stays where it is, and is led to it', async () => {
  // The file says that a model made it. In this market, such a task cannot move to Done before somebody has decided about a label.
  const image = sharp({ create: { width: 400, height: 300, channels: 3, background: '#508c24' } })
  const marked = await image.withXmp(packetOf('trainedAlgorithmicMedia')).png().toBuffer()
  const task = await app.make.task({ name: 'Held back', status: 'creative_check', geo: 'DE' })
  const file = await app.make.file(marked, 'image/png')
  const creative = await app.make.creative(task.id, { name: 'Held back 1', file })
  await app.service.patch(`/api/v1/tasks/${task.id}/reviewers`, { moves_to: 'done' })
  const page = await app.open(`/tasks/${task.id}?q=Held&layout=gallery#creatives/${creative.id}`)
  await viewer(page).getByRole('button', { name: 'Accept (a)' }).click()
  const told = page.getByRole('alert').filter({ hasText: 'the task stays where it is' })
  await told.getByText('“Held back 1” needs the label').waitFor()
  await told.getByRole('button', { name: 'Open the task' }).click()
  await viewer(page).waitFor({ state: 'detached' })
  await page.waitForURL((url) => url.hash === '')
  expect(new URL(page.url()).search).toBe('?q=Held&layout=gallery')
  await page.getByRole('tab', { name: 'Activity' }).click()
  const entry = page.getByRole('list', { name: 'Activity' }).getByRole('listitem').first()
  await entry.getByText('gave the last acceptance, but the task stays where it is').waitFor()
  await entry.getByText('“Held back 1” needs the label').waitFor()
  expect((await app.make.read(`/api/v1/tasks/${task.id}`)).status).toBe('creative_check')
})

test('by keys alone a comment is written, changed, resolved and deleted, and changes are wanted with a reason', async () => {
  const { page, task } = await open('By keys')
  const shown = viewer(page)
  const focused = () => page.evaluate(`document.activeElement?.getAttribute('aria-label')`)
  // Only the texts of comments are searched: a field in which the same text is typed would be found too.
  const said = shown.locator('.review-text')
  /** Presses `key`, types into the field that opens, sends the text with `send`, and returns to the picture. */
  const write = async (key: string, field: string, words: string, send = 'Control+Enter') => {
    await page.keyboard.press(key)
    await expect.poll(focused).toBe(field)
    await page.keyboard.press('Control+a')
    await page.keyboard.type(words)
    await page.keyboard.press(send)
    await said.filter({ hasText: words }).waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(focused).toBe('Picture By keys 1')
  }
  await shown.getByRole('button', { name: 'Accept (a)' }).waitFor()
  await write('c', 'Comment on version 1', 'Warmer')
  await write('c', 'Comment on version 1', 'Darker')
  await shown.locator('li[data-chosen]').getByText('Darker').waitFor()
  await page.keyboard.press('k')
  await shown.locator('li[data-chosen]').getByText('Warmer').waitFor()
  await write('n', 'Answer comment 1', 'How warm?', 'Enter')
  await page.keyboard.press('s')
  await shown.getByText('Addressed in v1.').waitFor()
  await page.keyboard.press('j')
  await shown.locator('li[data-chosen]').getByText('Darker').waitFor()
  await page.keyboard.press('e')
  await expect.poll(focused).toBe('Change comment 2')
  await page.keyboard.press('Control+a')
  await page.keyboard.type('Much darker')
  await page.keyboard.press('Control+Enter')
  await said.filter({ hasText: 'Much darker' }).waitFor()
  await page.keyboard.press('w')
  await expect.poll(focused).toBe('Why changes are wanted')
  await page.keyboard.type('Too cold')
  await page.keyboard.press('Control+Enter')
  await shown.getByText(/wants changes v1: Too cold/).waitFor()
  await shown.getByText('Keys', { exact: true }).click()
  expect(await violations(page)).toEqual([])
  await keepShot(page, 'review-keys')
  await shown.getByRole('button', { name: 'Delete comment 2', exact: true }).focus()
  await page.keyboard.press('Enter')
  await expect.poll(focused).toBe('Really delete comment 2')
  // Whoever goes on to something else has not answered: the button forgets that it was pressed.
  await page.keyboard.press('Shift+Tab')
  await shown.getByRole('button', { name: 'Delete comment 2', exact: true }).focus()
  await page.keyboard.press('Enter')
  await expect.poll(focused).toBe('Really delete comment 2')
  await said.filter({ hasText: 'Much darker' }).waitFor()
  const { promise: deleting, resolve: begun } = Promise.withResolvers<Route>()
  await intercept(page, '**/api/v1/review-comments/*', begun)
  await page.keyboard.press('Enter')
  const deletion = await deleting
  await expect.poll(focused).toBe('Deleting comment 2')
  await deletion.continue()
  await said.filter({ hasText: 'Much darker' }).waitFor({ state: 'detached' })
  // The viewer has the focus, and thus its keys work, although the focused button is gone.
  await expect.poll(focused).toBe('Picture By keys 1')
  const { data } = await app.service.get(`/api/v1/tasks/${task.id}/review`)
  expect(data.items).toMatchObject([{ state: 'changes_wanted', open_comments: 0, decisions: [{ note: 'Too cold' }] }])
})

test('the keys of the viewer work on after a comment and an answer were sent by their buttons', async () => {
  const { page } = await open('By buttons')
  const shown = viewer(page)
  const chosen = shown.locator('li[data-chosen]')
  await shown.getByRole('button', { name: 'Accept (a)' }).waitFor()
  for (const words of ['Warmer', 'Darker']) {
    await typeInto(shown.getByRole('textbox', { name: 'Comment on version 1' }), words)
    await shown.getByRole('button', { name: 'Comment', exact: true }).click()
    await chosen.getByText(words).waitFor()
  }
  await page.keyboard.press('k')
  await chosen.getByText('Warmer').waitFor()
  await typeInto(shown.getByRole('textbox', { name: 'Answer comment 1' }), 'How warm?')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await shown.getByRole('list', { name: 'Answers to comment 1' }).getByText('How warm?').waitFor()
  await page.keyboard.press('j')
  await chosen.getByText('Darker').waitFor()
  expect(await page.evaluate(`document.activeElement?.getAttribute('aria-label')`)).toBe('Picture By buttons 1')
})

test('the button that leads to the last picture keeps the focus there, so that the keys of the viewer work on', async () => {
  const { task, creatives } = await app.make.taskWith(['First', 'Last'], { name: 'Turned' })
  for (const [at, { id }] of creatives.entries())
    await app.service.patch(`/api/v1/creatives/${id}`, { file: await pictureOf(app, `#24508${at}`) })
  const page = await app.open(`/tasks/${task.id}#creatives`)
  await page.getByRole('button', { name: 'Open the file of First' }).click()
  await shows(page, 'First', '400 × 300')
  await viewer(page).getByRole('button', { name: 'The next picture (→)' }).click()
  await shows(page, 'Last', '400 × 300')
  await page.keyboard.press('ArrowLeft')
  await shows(page, 'First', '400 × 300')
  expect(await violations(page)).toEqual([])
})

test('a film is gone through by frames, a mark stands on its frame alone, and its comment leads back there', async () => {
  const task = await app.make.task({ name: 'A film' })
  // The film has 30 frames per second. On a scale from 0 (black) to 219 (white), its first frame has a brightness of 8, and each
  // later frame is brighter by 7 than the frame before. So `frame` finds from the brightness which frame is shown.
  const file = await app.make.file(await filmBytes(), 'video/webm')
  const creative = await app.make.creative(task.id, { name: 'A film 1', file })
  const page = await app.open(`/tasks/${task.id}#creatives`)
  const shown = viewer(page)
  await page.getByRole('button', { name: 'Open the file of A film 1' }).click()
  await shown.locator('video').waitFor()
  const ofFilm = (what: string) =>
    page.evaluate(`(() => { const film = document.querySelector('.viewer-stage video'); ${what} })()`)
  const frame = () =>
    ofFilm(`
      const canvas = new OffscreenCanvas(1, 1).getContext('2d')
      canvas.drawImage(film, 0, 0, 1, 1)
      return film.readyState < 2 ? null : Math.abs(Math.round((canvas.getImageData(0, 0, 1, 1).data[0] * 219 / 255 - 8) / 7))`)
  await expect.poll(frame).toBe(0)
  await shown.getByText('Nothing has been said of it yet.').waitFor()
  const steps = [
    ['.', 1],
    ['.', 2],
    ['.', 3],
    [',', 2],
  ] as const
  for (const [key, at] of steps) {
    await page.keyboard.press(key)
    await expect.poll(frame).toBe(at)
  }
  await page.keyboard.press('c')
  await expect.poll(() => page.evaluate(`document.activeElement?.tagName`)).toBe('TEXTAREA')
  await page.keyboard.type('This frame flickers')
  await shown.getByRole('button', { name: 'Pin' }).click()
  const layer = shown.locator('svg.marks[data-drawing]')
  await layer.click()
  await layer.locator('circle').waitFor()
  await shown.getByRole('button', { name: 'Comment', exact: true }).click()
  const mark = shown.getByRole('button', { name: 'Comment 1 on the picture' })
  await mark.waitFor()
  expect(await violations(page)).toEqual([])
  await keepShot(page, 'review-film')
  const { data } = await app.service.get(`/api/v1/creatives/${creative.id}/review-comments`)
  expect(data.items).toMatchObject([{ mark: { kind: 'pin' } }])
  expect(Math.floor(data.items[0].from_seconds * 30)).toBe(2)

  await shown.focus()
  // The mark of a selected comment is shown on every frame. The new comment is selected, so this click on it deselects it.
  await shown.getByRole('button', { name: /^At 0:00$/ }).click()
  await ofFilm('film.currentTime = 0.9')
  await mark.waitFor({ state: 'detached' })
  await shown.focus()
  await page.keyboard.press('j')
  await mark.waitFor()
  await expect.poll(frame).toBe(2)
  await ofFilm(`film.addEventListener('play', () => { film.dataset.played = 'yes' })`)
  await page.keyboard.press('p')
  await expect.poll(() => ofFilm('return film.dataset.played')).toBe('yes')
})

test('a new version that comes while a guest writes is said, keeps the words, and Back leads to all creatives', async () => {
  const { task, creatives } = await app.make.taskWith(['One', 'Two'], { name: 'Changing' })
  const [one] = creatives
  for (const { id } of creatives)
    await app.service.patch(`/api/v1/creatives/${id}`, { file: await pictureOf(app, '#24508c') })
  const link = await app.service.post(`/api/v1/tasks/${task.id}/guest-links`, { name: 'The client', may_decide: true })
  const guest = await openAsGuest(app, link.data.url, { viewport: { width: 390, height: 844 }, hasTouch: true })
  await enter(guest)
  const all = guest.getByRole('list', { name: 'Creatives' })
  await all.getByRole('button', { name: 'One' }).click()
  await guest.getByRole('heading', { name: 'One, v1' }).waitFor()
  const words = guest.getByRole('textbox', { name: 'Your comment' })
  await words.fill('A little warmer')
  const accept = guest.getByRole('button', { name: 'Accept', exact: true })
  await expect.poll(() => accept.isEnabled()).toBe(true)
  await app.service.patch(`/api/v1/creatives/${one.id}`, { file: await pictureOf(app, '#8c5024') })
  await accept.click()
  await guest.getByRole('alert').filter({ hasText: 'has another file now' }).waitFor()
  await guest.getByRole('heading', { name: 'One, v2' }).waitFor()
  expect(await words.inputValue()).toBe('A little warmer')
  await expect.poll(() => accept.isEnabled()).toBe(true)
  await accept.click()
  await guest.getByText('You have accepted this.').waitFor()
  await guest.getByRole('button', { name: 'The next one' }).click()
  await guest.getByRole('heading', { name: 'Two, v1' }).waitFor()
  await guest.goBack()
  await all.getByRole('button', { name: 'One Accepted' }).waitFor()
  expect(new URL(guest.url()).hash).not.toBe('')
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
