// Facts about comments and notes in the browser that are written and not sent yet, or are being sent on a slow connection.
import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, startApp } from './support/app.ts'
import { violations } from './support/axe.ts'
import { typeInto } from './support/fields.ts'
import { filmBytes } from './support/film.ts'
import { intercept } from './support/intercept.ts'
import { pictureOf } from './support/picture.ts'
import { keepShot } from './support/shots.ts'
import { isClosed, viewer } from './support/viewer.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const focused = (page: Page) => page.evaluate(`document.activeElement?.getAttribute('aria-label')`)

/** Makes a task with a creative, and opens the creative in the viewer with `show`. */
async function open(name: string, file: string) {
  const task = await app.make.task({ name, status: 'tech_check' })
  const creative = await app.make.creative(task.id, { name: `${name} 1`, file })
  const page = await app.open(`/tasks/${task.id}#creatives`)
  const show = () => page.getByRole('button', { name: `Open the file of ${name} 1` }).click()
  await show()
  await viewer(page).getByText('Nothing has been said of it yet.').waitFor()
  return { page, show, creative }
}

async function openPicture(name: string) {
  return open(name, await pictureOf(app, '#24508c'))
}

/** Holds what the page posts to this path, until the test lets it go on. */
async function held(page: Page, path: string): Promise<Route[]> {
  const routes: Route[] = []
  await intercept(page, `**/api/v1/${path}`, (route) =>
    route.request().method() === 'POST' ? routes.push(route) : route.continue(),
  )
  return routes
}

test('a comment on a picture is sent once, and what is typed meanwhile stays until it is sent', async () => {
  const { page, show, creative } = await openPicture('Slowly')
  const sent = await held(page, `creatives/${creative.id}/review-comments`)
  const field = viewer(page).getByLabel('Comment on version 1')
  await field.fill('Warmer')
  await field.press('Control+Enter')
  await field.press('Control+Enter')
  await expect.poll(() => sent.length).toBe(1)
  await field.fill('Darker')
  await field.press('Control+Enter')
  await sent[0]?.continue()
  await viewer(page).locator('.review-text').filter({ hasText: 'Warmer' }).waitFor()
  expect(await field.inputValue()).toBe('Darker')
  const answer = viewer(page).getByLabel('Answer comment 1')
  await answer.fill('How warm?')
  expect(sent.length).toBe(1)

  await viewer(page).focus()
  await page.keyboard.press('r')
  await field.waitFor({ state: 'detached' })
  await page.keyboard.press('r')
  await expect.poll(() => field.inputValue()).toBe('Darker')
  await page.keyboard.press('Escape')
  await isClosed(page)
  await page.reload()
  await show()
  await expect.poll(() => field.inputValue()).toBe('Darker')
  await viewer(page).getByRole('button', { name: 'Show', exact: true }).click()
  expect(await answer.inputValue()).toBe('How warm?')
  await page.unroute(`**/api/v1/creatives/${creative.id}/review-comments`)
  await answer.press('Enter')
  await viewer(page).locator('.review-answers').getByText('How warm?').waitFor()
  expect(await answer.inputValue()).toBe('')
})

test('a comment after one that guests see is for the team only, unless it is marked too', async () => {
  const { page, creative } = await openPicture('Also for guests')
  const field = viewer(page).getByLabel('Comment on version 1')
  const box = viewer(page).getByLabel('Guests see it')
  await field.fill('For all')
  await box.check()
  await field.press('Control+Enter')
  await viewer(page).locator('.review-text').filter({ hasText: 'For all' }).waitFor()
  await expect.poll(() => field.inputValue()).toBe('')
  expect(await box.isChecked()).toBe(false)
  await field.fill('For us')
  await field.press('Control+Enter')
  await viewer(page).locator('.review-text').filter({ hasText: 'For us' }).waitFor()
  const { items } = await app.make.read(`/api/v1/creatives/${creative.id}/review-comments`)
  const seenBy = Object.fromEntries(items.map(({ text, visibility }: Record<string, string>) => [text, visibility]))
  expect(seenBy).toEqual({ 'For all': 'guests', 'For us': 'internal' })
})

test('the reason why changes are wanted stays when the decision is refused, and is sent with the next attempt', async () => {
  const { page, creative } = await openPicture('Refused')
  const path = `**/api/v1/creatives/${creative.id}/decisions`
  await intercept(page, path, (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: 503 }) : route.continue(),
  )
  await viewer(page).getByRole('button', { name: 'Want changes (w)' }).waitFor()
  await page.keyboard.press('w')
  const note = viewer(page).getByLabel('Why changes are wanted')
  await note.fill('Too cold')
  await note.press('Control+Enter')
  await page.getByText('Not decided').waitFor()
  expect(await note.inputValue()).toBe('Too cold')
  await expect.poll(() => focused(page)).toBe('Why changes are wanted')
  await page.unroute(path)
  await note.press('Control+Enter')
  await viewer(page)
    .getByText(/wants changes v1: Too cold/)
    .waitFor()
  await note.waitFor({ state: 'detached' })
})

test('an answer to a comment that is deleted meanwhile stays in sight, and becomes a comment of its own', async () => {
  const { page, creative } = await openPicture('Answered')
  const { data: comment } = await app.service.post(`/api/v1/creatives/${creative.id}/review-comments`, {
    text: 'Warmer',
    version: 1,
  })
  await viewer(page).getByRole('button', { name: 'Show', exact: true }).click()
  await viewer(page).getByLabel('Answer comment 1').fill('How warm?')
  await app.service.ask('DELETE', `/api/v1/review-comments/${comment.id}`)
  await viewer(page).getByText('The comment that you were answering was deleted').waitFor()
  await viewer(page).locator('.review-text').getByText('How warm?').waitFor()
  await viewer(page).getByRole('button', { name: 'Make it a comment' }).click()
  const field = viewer(page).getByLabel('Comment on version 1')
  expect(await field.inputValue()).toBe('How warm?')
  await expect.poll(() => focused(page)).toBe('Comment on version 1')
  await field.press('Control+Enter')
  await viewer(page).getByRole('list', { name: 'Comments on the picture' }).getByText('How warm?').waitFor()
  expect(await viewer(page).getByText('The comment that you were answering was deleted').count()).toBe(0)
})

test('a comment of which the text is changed elsewhere while it is edited is not overwritten before one has chosen', async () => {
  const { page, creative } = await openPicture('Changed twice')
  const { data: comment } = await app.service.post(`/api/v1/creatives/${creative.id}/review-comments`, {
    text: 'Warmer',
    version: 1,
  })
  const path = `/api/v1/review-comments/${comment.id}`
  const textNow = async () => (await app.make.read(`/api/v1/creatives/${creative.id}/review-comments`)).items[0].text
  await viewer(page).getByRole('button', { name: 'Show', exact: true }).click()
  const edit = viewer(page).getByRole('button', { name: 'Edit comment 1' })
  const field = viewer(page).getByLabel('Change comment 1')
  const note = viewer(page).getByRole('alert')
  /** Begins to change the text here; then it is changed in another tab. */
  const changeBoth = async (mine: string, theirs: string) => {
    await edit.click()
    await typeInto(field, mine)
    await app.service.patch(path, { text: theirs })
    await note.getByText(theirs).waitFor()
    await field.press('Control+Enter')
  }
  await changeBoth('Darker', 'Colder')
  expect(await violations(page)).toEqual([])
  await keepShot(page, 'review-overtaken')
  await note.getByRole('button', { name: 'Take theirs' }).click()
  await field.waitFor({ state: 'detached' })
  await expect.poll(() => focused(page)).toBe('Picture Changed twice 1')
  expect(await textNow()).toBe('Colder')
  await changeBoth('Darker still', 'Colder still')
  await note.getByRole('button', { name: 'Use mine' }).click()
  await viewer(page).locator('.review-text').getByText('Darker still').waitFor()
  expect(await textNow()).toBe('Darker still')
})

test('the focus is in the field again when a comment or an answer could not be sent', async () => {
  const { page, creative } = await openPicture('Refused twice')
  const path = `creatives/${creative.id}/review-comments`
  await app.service.post(`/api/v1/${path}`, { text: 'Warmer', version: 1 })
  await viewer(page).getByRole('button', { name: 'Show', exact: true }).click()
  await intercept(page, `**/api/v1/${path}`, (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: 503 }) : route.continue(),
  )
  for (const [label, button] of [
    ['Comment on version 1', 'Comment'],
    ['Answer comment 1', 'Answer'],
  ] as const) {
    await viewer(page).getByLabel(label).fill('Darker')
    await viewer(page).getByRole('button', { name: button, exact: true }).click()
    await expect.poll(() => focused(page)).toBe(label)
    expect(await viewer(page).getByLabel(label).inputValue()).toBe('Darker')
  }
})

test('all decisions are listed, also beyond fifty', async () => {
  const { page, creative } = await openPicture('Decided often')
  const version = await app.make.read(`/api/v1/creatives/${creative.id}`)
  for (let at = 1; at <= 51; at += 1)
    await app.service.post(`/api/v1/creatives/${creative.id}/decisions`, {
      ...{ file: version.file, decision: 'changes_wanted', note: `Reason ${at}.` },
    })
  await expect
    .poll(() =>
      viewer(page)
        .getByText(/: Reason \d+\. /)
        .count(),
    )
    .toBe(51)
})

test('a comment on a task is sent once, and what is typed meanwhile stays', async () => {
  const task = await app.make.task({ name: 'Said of slowly' })
  const page = await app.open(`/tasks/${task.id}`)
  await page.getByRole('tab', { name: 'Comments' }).click()
  const field = page.getByRole('textbox', { name: 'Write a comment' })
  const sent = await held(page, `tasks/${task.id}/comments`)
  await field.fill('Warmer')
  await field.press('Control+Enter')
  await field.press('Control+Enter')
  await expect.poll(() => sent.length).toBe(1)
  await field.fill('Darker')
  await field.press('Control+Enter')
  await sent[0]?.continue()
  await page.getByRole('list', { name: 'Comments' }).getByText('Warmer').waitFor()
  expect(await field.inputValue()).toBe('Darker')
  expect(sent.length).toBe(1)
  // The rest was typed while the first comment was being sent. It is a new comment, not a change of the first one.
  await expect
    .poll(() => page.getByRole('button', { name: 'Comment', exact: true }).getAttribute('data-loading'))
    .toBe(null)
  expect(await page.getByText('This was changed elsewhere').count()).toBe(0)
  await field.press('Control+Enter')
  await expect.poll(() => sent.length).toBe(2)
  await sent[1]?.continue()
  await page.getByRole('list', { name: 'Comments' }).getByText('Darker').waitFor()
  expect(await field.inputValue()).toBe('')
})

test('a change of a comment on a task is given up, and one that changes nothing is not sent', async () => {
  const task = await app.make.task({ name: 'Said and changed' })
  const { data: comment } = await app.service.post(`/api/v1/tasks/${task.id}/comments`, { text: 'As it was' })
  const page = await app.open(`/tasks/${task.id}`)
  await page.getByRole('tab', { name: 'Comments' }).click()
  const field = page.getByRole('textbox', { name: 'Change the comment' })
  const menu = page.getByRole('button', { name: /^Menu of the comment/ })
  const choose = async (name: string) => {
    await menu.click()
    await page.getByRole('menuitem', { name }).click()
  }
  const asked: string[] = []
  page.on('dialog', (dialog) => {
    asked.push(dialog.type())
    void dialog.accept()
  })
  for (const leave of [() => field.press('Escape'), () => page.getByRole('button', { name: 'Cancel' }).click()]) {
    await choose('Edit')
    await typeInto(field, 'Thought better of')
    await leave()
    await field.waitFor({ state: 'detached' })
  }
  await choose('Edit')
  expect(await field.inputValue()).toBe('As it was')
  await page.getByRole('button', { name: 'Save' }).click()
  await field.waitFor({ state: 'detached' })
  const { items } = await app.make.read(`/api/v1/tasks/${task.id}/comments`)
  expect(items[0].updated_at).toBe(comment.created_at)
  await page.reload()
  await page.getByRole('tab', { name: 'Comments' }).click()
  expect(asked).toEqual([])

  // A change that is not saved is there after a reload, and goes with its comment.
  await choose('Edit')
  await typeInto(field, 'Not saved')
  await page.reload()
  await page.getByRole('tab', { name: 'Comments' }).click()
  await expect.poll(() => field.inputValue()).toBe('Not saved')
  await choose('Delete')
  await page.getByRole('menuitem', { name: 'Really delete' }).click()
  await page.getByText('Nobody has said anything yet.').waitFor()
  await page.reload()
  await page.getByRole('tab', { name: 'Comments' }).waitFor()
  expect(asked).toEqual(['beforeunload'])
})

test('a change of a comment is not saved over one that was made elsewhere meanwhile, unless its author says so', async () => {
  const task = await app.make.task({ name: 'Said in two tabs' })
  const { data: comment } = await app.service.post(`/api/v1/tasks/${task.id}/comments`, { text: 'As it was' })
  const textNow = async () => (await app.make.read(`/api/v1/tasks/${task.id}/comments`)).items[0].text
  const page = await app.open(`/tasks/${task.id}#comments`)
  await page.getByRole('button', { name: /^Menu of the comment/ }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  const field = page.getByRole('textbox', { name: 'Change the comment' })
  await typeInto(field, 'From here')
  await app.service.patch(`/api/v1/comments/${comment.id}`, { text: 'From there' })
  await page.getByRole('alert').getByText('From there').waitFor()
  await field.press('Control+Enter')
  expect(await field.inputValue()).toBe('From here')
  expect(await textNow()).toBe('From there')
  await page.getByRole('button', { name: 'Use mine' }).click()
  await field.waitFor({ state: 'detached' })
  expect(await textNow()).toBe('From here')
})

test('a film of which a part does not come stays a film at its time; one that cannot be decoded is tried as a sound', async () => {
  const { page } = await open('A film', await app.make.file(await filmBytes(), 'video/webm'))
  const ofFilm = (what: string) =>
    page.evaluate(`(() => { const film = document.querySelector('.viewer-stage video'); ${what} })()`)
  // The film is too short to be loaded in parts, so the test says for the browser what went wrong.
  const fail = (code: number) =>
    ofFilm(`
      film.addEventListener('emptied', () => { delete film.error; film.dataset.again = 'yes' })
      Object.defineProperty(film, 'error', { value: { code: ${code} }, configurable: true })
      film.dispatchEvent(new Event('error'))`)
  await expect.poll(() => ofFilm('return film?.readyState > 2')).toBe(true)
  await ofFilm('film.loop = true; film.currentTime = 0.5')
  await fail(2)
  await expect.poll(() => ofFilm('return [film.dataset.again, film.currentTime]')).toEqual(['yes', 0.5])
  await ofFilm('return film.play().then(() => undefined)')
  await ofFilm('delete film.dataset.again')
  await fail(2)
  await expect.poll(() => ofFilm('return [film.dataset.again, film.paused]')).toEqual(['yes', false])
  await fail(3)
  await viewer(page).locator('audio').waitFor()
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
