// Facts about the reason for which a guest wants changes: it is asked for, kept until it is sent, and shown to the team where the
// decision is, and in the notices of who has to make the changes.
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, startApp } from './support/app.ts'
import { violations } from './support/axe.ts'
import { enter, openAsGuest } from './support/guest.ts'
import { focused } from './support/keyboard.ts'
import { keepShot } from './support/shots.ts'
import { viewer } from './support/viewer.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

async function comeTo(name: string) {
  const { task, creatives } = await app.make.taskWith([name], {
    name: `For ${name}`,
    assignee_id: app.service.owner.id,
  })
  const image = sharp({ create: { width: 300, height: 200, channels: 3, background: '#24508c' } })
  const file = await app.make.file(await image.png().toBuffer(), 'image/png')
  const [creative] = creatives
  await app.service.patch(`/api/v1/creatives/${creative?.id}`, { file })
  const body = { name: 'The client', may_decide: true }
  const { data } = await app.service.post(`/api/v1/tasks/${task.id}/guest-links`, body)
  const guest = await openAsGuest(app, data.url)
  await enter(guest)
  await guest.getByRole('list', { name: 'Creatives' }).getByRole('button', { name }).click()
  const want = guest.getByRole('button', { name: 'Want changes' })
  await expect.poll(() => want.isEnabled()).toBe(true)
  const why = guest.getByRole('textbox', { name: 'Why you want changes' })
  const decisions = async () =>
    (await app.make.read(`/api/v1/creatives/${creative?.id}/decisions`)).items.map(
      ({ decision, note }: { decision: string; note: string }) => [decision, note],
    )
  return { guest, task, creative, want, why, decisions }
}

test('a guest who wants changes says why, also after a reload, and the team sees it with the decision and in its notices', async () => {
  const { guest, task, creative, want, why, decisions } = await comeTo('Hero')
  await want.press('Enter')
  await focused(guest, why)
  expect(await violations(guest)).toEqual([])
  await guest.keyboard.type('The logo is cut off')
  await guest.reload()
  await expect.poll(() => why.inputValue()).toBe('The logo is cut off')
  expect(await decisions()).toEqual([])
  await keepShot(guest, 'guest-reason')
  await expect.poll(() => want.isEnabled()).toBe(true)
  await why.press('Control+Enter')
  await guest.getByText('You want changes to this: The logo is cut off').waitFor()
  await focused(guest, want)
  expect(await why.count()).toBe(0)
  expect(await decisions()).toEqual([['changes_wanted', 'The logo is cut off']])
  await guest.reload()
  await guest.getByText('You want changes to this: The logo is cut off').waitFor()

  const page = await app.open('/notices')
  const notice = page.getByRole('listitem').filter({ hasText: `wants changes to “${creative?.name}”` })
  await notice.getByText('The logo is cut off').waitFor()
  await keepShot(page, 'notice-with-reason')
  await page.goto(`${app.url}/tasks/${task.id}#creatives/${creative?.id}`)
  await viewer(page).getByText('Grace (guest) wants changes v1: The logo is cut off').waitFor()
})

test('a guest may want changes without a reason, or leave the form without a decision', async () => {
  const { guest, want, why, decisions } = await comeTo('Plain')
  await want.click()
  await why.fill('Or not')
  await guest.getByRole('button', { name: 'Cancel' }).click()
  await focused(guest, want)
  expect(await decisions()).toEqual([])
  await want.click()
  expect(await why.inputValue()).toBe('')
  await guest.getByRole('button', { name: 'Send the decision' }).click()
  await guest.getByText('You want changes to this.').waitFor()
  expect(await decisions()).toEqual([['changes_wanted', '']])
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
