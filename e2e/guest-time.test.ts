// Facts about guests who comment on a film: a comment is about the whole film or about a time, which leads there; and about whose the
// texts are that were not sent.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, startApp } from './support/app.ts'
import { typeInto } from './support/fields.ts'
import { filmBytes } from './support/film.ts'
import { enter, openAsGuest } from './support/guest.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

/** Makes a task with a film, and a function that makes another link to it. */
async function film(name: string) {
  const { task, creatives } = await app.make.taskWith([name], { name: 'A film to look at' })
  const file = await app.make.file(await filmBytes(), 'video/webm')
  for (const { id } of creatives) await app.service.patch(`/api/v1/creatives/${id}`, { file })
  const share = async (): Promise<string> => {
    const made = await app.service.post(`/api/v1/tasks/${task.id}/guest-links`, { name: 'The client' })
    return made.data.url
  }
  const said = async () => (await app.make.read(`/api/v1/creatives/${creatives[0]?.id}/review-comments`)).items
  return { share, said }
}

test('a guest’s comment is about the whole film until it is played or sought, then about a time that leads back there', async () => {
  const { share, said } = await film('Moving')
  const guest = await openAsGuest(app, await share())
  await enter(guest)
  await guest.getByRole('button', { name: 'Moving' }).press('Enter')
  const ofFilm = (what: string) => guest.evaluate(`(() => { const film = document.querySelector('video'); ${what} })()`)
  await expect.poll(() => ofFilm('return film.readyState > 2')).toBe(true)
  const field = guest.getByRole('textbox', { name: 'Your comment' })
  const comments = guest.getByRole('list', { name: 'Comments' })
  const at = guest.getByRole('switch', { name: 'At 0:00' })
  const send = async (text: string) => {
    await typeInto(field, text)
    await field.press('Control+Enter')
    await comments.getByText(text).waitFor()
  }
  expect(await at.count()).toBe(0)
  await send('Too long')
  await ofFilm('film.currentTime = 0.5')
  await at.waitFor()
  expect(await at.isChecked()).toBe(true)
  await send('Too dark')
  await at.press('Space')
  await expect.poll(() => at.isChecked()).toBe(false)
  await send('Too loud')
  await expect
    .poll(async () =>
      (await said()).map(({ text, from_seconds }: { text: string; from_seconds: number }) => [text, from_seconds]),
    )
    .toEqual([
      ['Too long', null],
      ['Too dark', 0.5],
      ['Too loud', null],
    ])
  await ofFilm('film.currentTime = 0')
  const times = comments.getByRole('button', { name: /^Show comment/ })
  expect(await times.count()).toBe(1)
  await times.press('Enter')
  await expect.poll(() => ofFilm('return film.currentTime')).toBe(0.5)
})

test('what a guest did not send is not shown to a guest of another link in the same tab, and is there for the first one', async () => {
  const { share } = await film('Shared')
  const [first, second] = [await share(), await share()]
  const guest = await openAsGuest(app, first)
  const field = guest.getByRole('textbox', { name: 'Your comment' })
  const answerField = guest.getByRole('textbox', { name: 'Your answer to comment 1' })
  const goTo = (url: string) => guest.goto(`${app.url}/guest${new URL(url, app.url).hash}`)
  await enter(guest)
  await guest.getByRole('button', { name: 'Shared' }).press('Enter')
  await typeInto(field, 'Said to all')
  await field.press('Control+Enter')
  await guest.getByRole('button', { name: 'Answer comment 1' }).press('Enter')
  await typeInto(answerField, 'An answer for myself')
  await typeInto(field, 'For nobody else')

  await goTo(second)
  await enter(guest, 'Ada')
  await guest.getByRole('button', { name: 'Shared' }).press('Enter')
  await guest.getByRole('button', { name: 'Answer comment 1' }).waitFor()
  expect(await field.inputValue()).toBe('')
  expect(await answerField.count()).toBe(0)

  await goTo(first)
  await guest.getByText('You are here as Grace.').waitFor()
  await guest.getByRole('button', { name: 'Shared' }).press('Enter')
  await expect.poll(() => field.inputValue()).toBe('For nobody else')
  await expect.poll(() => answerField.inputValue()).toBe('An answer for myself')
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
