// Facts about where the focus is for a guest: no act of theirs loses it, so that keyboards and screen readers go on from there.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, startApp } from './support/app.ts'
import { typeInto } from './support/fields.ts'
import { enter, openAsGuest } from './support/guest.ts'
import { focused } from './support/keyboard.ts'
import { pictureOf } from './support/picture.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

test('a guest keeps the focus after entering with a password, sending a comment and accepting', async () => {
  const { task, creatives } = await app.make.taskWith(['One'], { name: 'By keyboard' })
  const file = await pictureOf(app, '#24508c')
  for (const { id } of creatives) await app.service.patch(`/api/v1/creatives/${id}`, { file })
  const link = { name: 'The client', may_decide: true, password: 'summer-26' }
  const { data } = await app.service.post(`/api/v1/tasks/${task.id}/guest-links`, link)
  const guest = await openAsGuest(app, data.url)
  const focused = () => guest.evaluate(`document.activeElement?.textContent || document.activeElement?.type`)
  await typeInto(guest.getByRole('textbox', { name: 'Your name' }), 'Grace')
  await guest.getByRole('button', { name: 'Look at it' }).click()
  await expect.poll(focused).toBe('password')
  await guest.keyboard.type('summer-26')
  await guest.getByRole('button', { name: 'Look at it' }).click()
  await expect.poll(focused).toBe('For review')

  await guest.getByRole('button', { name: 'One' }).click()
  const accept = guest.getByRole('button', { name: 'Accept', exact: true })
  await expect.poll(() => accept.isEnabled()).toBe(true)
  await typeInto(guest.getByRole('textbox', { name: 'Your comment' }), 'Warmer')
  await guest.getByRole('button', { name: 'Send', exact: true }).click()
  await guest.getByRole('status').filter({ hasText: 'Sent.' }).waitFor()
  await expect.poll(focused).toBe('Send')
  await accept.click()
  await guest.getByText('You have accepted this.').waitFor()
  await expect.poll(focused).toBe('Accept')
})

test('a guest keeps the focus after answering a comment or not, and when the link is over', async () => {
  const { task, creatives } = await app.make.taskWith(['Two'], { name: 'With an answer' })
  const file = await pictureOf(app, '#24508c')
  for (const { id } of creatives) await app.service.patch(`/api/v1/creatives/${id}`, { file })
  const { data } = await app.service.post(`/api/v1/tasks/${task.id}/guest-links`, { name: 'The client' })
  const guest = await openAsGuest(app, data.url)
  await enter(guest)
  await guest.getByRole('button', { name: 'Two' }).click()
  await typeInto(guest.getByRole('textbox', { name: 'Your comment' }), 'Warmer')
  await guest.getByRole('button', { name: 'Send', exact: true }).press('Enter')
  const answer = guest.getByRole('button', { name: 'Answer comment 1' })
  await answer.press('Enter')
  await guest.getByRole('button', { name: 'Cancel' }).press('Enter')
  await focused(guest, answer)
  await answer.press('Enter')
  await typeInto(guest.getByRole('textbox', { name: 'Your answer to comment 1' }), 'Much warmer')
  await guest.getByRole('button', { name: 'Send the answer' }).press('Enter')
  await expect.poll(() => guest.getByRole('listitem').getByText('Much warmer').count()).toBe(1)
  await focused(guest, answer)

  await app.make.deleted(`/api/v1/guest-links/${data.id}`)
  await guest.evaluate('localStorage.clear(); sessionStorage.clear()')
  await guest.goto('about:blank')
  await guest.goto(`${app.url}/guest${new URL(data.url, app.url).hash}`)
  await enter(guest)
  await focused(guest, guest.getByRole('heading', { name: 'Review', exact: true }))
})

test('a guest sends a comment and an answer with Ctrl+Enter or Cmd+Enter', async () => {
  const { task, creatives } = await app.make.taskWith(['Three'], { name: 'By keys' })
  const file = await pictureOf(app, '#24508c')
  for (const { id } of creatives) await app.service.patch(`/api/v1/creatives/${id}`, { file })
  const { data } = await app.service.post(`/api/v1/tasks/${task.id}/guest-links`, { name: 'The client' })
  const guest = await openAsGuest(app, data.url)
  await enter(guest)
  await guest.getByRole('button', { name: 'Three' }).press('Enter')
  const field = guest.getByRole('textbox', { name: 'Your comment' })
  await field.press('Control+Enter')
  await typeInto(field, 'Warmer')
  await field.press('Control+Enter')
  await guest.getByRole('status').filter({ hasText: 'Sent.' }).waitFor()
  await guest.getByRole('button', { name: 'Answer comment 1' }).press('Enter')
  const answer = guest.getByRole('textbox', { name: 'Your answer to comment 1' })
  await typeInto(answer, 'Much warmer')
  await answer.press('Meta+Enter')
  await expect.poll(() => guest.getByRole('listitem').getByText('Much warmer').count()).toBe(1)
  expect(await guest.getByRole('list', { name: 'Comments' }).getByRole('listitem').count()).toBe(1)
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
