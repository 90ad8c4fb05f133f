// Facts about the mail that asks a user to decide something, opened on a phone: its link opens the page where the user decides
// with one tap. A user who is not signed in has to sign in first, and is then led to that page.
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { definitionOf } from '../server/test/support/definitions.ts'
import { type MailServer, startMailServer } from '../server/test/support/mail-server.ts'
import { messagesOn, type Person } from '../server/test/support/messages.ts'
import { makeRun, runThrough } from '../server/test/support/runs.ts'
import { type App, startApp } from './support/app.ts'
import { violations } from './support/axe.ts'
import { keepShot } from './support/shots.ts'

const origin = 'https://atelier.example'
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
let app: App
let server: MailServer
let on: ReturnType<typeof messagesOn>
let ada: Person
beforeAll(async () => {
  server = await startMailServer({ tls: 'none' })
  app = await startApp({
    PUBLIC_URL: origin,
    ATELIER_SMTP_URL: `smtp://127.0.0.1:${server.port}?tls=none`,
    ATELIER_MAIL_FROM: 'atelier@example.org',
  })
  on = messagesOn(app.service)
  ada = await on.someone()
  await app.service.app.worker.start()
})
afterAll(async () => {
  await app.close()
  await server.close()
})

/**
 * Makes all waiting messages due, and sends them. Expects exactly one mail, to Ada, and returns the link in it without its origin.
 */
async function linkOf(): Promise<string> {
  server.received.length = 0
  await app.service.rows('update messages set made_at = made_at - make_interval(mins => 2)')
  await on.deliver()
  expect(server.received.map(({ to: [to] }) => to)).toEqual([ada.email])
  const text = (server.received[0]?.raw ?? '').replaceAll('=\r\n', '').replaceAll('=3D', '=')
  const [link = ''] = new RegExp(`${origin}/(?:tasks|runs)/[^\\s"]+`).exec(text) ?? []
  return link.slice(origin.length)
}
const inView = (page: Page, name: RegExp) =>
  expect
    .poll(async () => {
      const box = await page.getByRole('button', { name }).boundingBox()
      return box !== null && box.y >= 0 && box.y + box.height <= phone.viewport.height
    })
    .toBe(true)

test('a gate is answered by the link and one tap', async () => {
  const gate = await makeRun(app.service, definitionOf({ ok: { type: 'gate.approve', inputs: { value: 'this' } } }))
  const task = await app.make.task({ assignee_id: ada.id })
  await app.service.rows('update runs set task_id = $2 where id = $1', [gate.id, task.id])
  await runThrough(app.service, gate.id)
  const page = await app.open(await linkOf(), { ...phone, userId: ada.id })
  await page.getByRole('button', { name: /^Approve/ }).waitFor()
  await inView(page, /^Approve/)
  await keepShot(page, 'mail-gate')
  await page.getByRole('button', { name: /^Approve/ }).tap()
  await expect
    .poll(async () => (await app.service.get(`/api/v1/runs/${gate.id}`)).data.status)
    .not.toBe('awaiting_input')
})

test('a creative is accepted by the link and one tap', async () => {
  const task = await app.make.task({ status: 'tech_check' })
  const image = sharp({ create: { width: 400, height: 300, channels: 3, background: '#24508c' } })
  const file = await app.make.file(await image.png().toBuffer(), 'image/png')
  const { id } = await app.make.creative(task.id, { file })
  await app.service.patch(`/api/v1/tasks/${task.id}/reviewers`, { reviewers: [ada.id] })
  const page = await app.open(await linkOf(), { ...phone, userId: ada.id })
  await page.getByRole('button', { name: 'Accept (a)' }).waitFor()
  await keepShot(page, 'mail-creative')
  await inView(page, /^Accept/)
  await page.getByRole('button', { name: 'Accept (a)' }).tap()
  await page.getByText(/accepted v1/).waitFor()
  const { data } = await app.service.get(`/api/v1/tasks/${task.id}/review`)
  expect(data.items).toMatchObject([{ creative_id: id, state: 'accepted' }])
})

test('who is not signed in signs in, is where the link led, and says what goes where, when not, and tries it', async () => {
  const page = await app.open('/icon.svg', { ...phone, userId: ada.id })
  await page.context().clearCookies()
  await page.goto(`${app.url}/notices/settings?x=1#y`)
  await page.getByRole('heading', { name: 'Sign in to Atelier' }).waitFor()
  const { data } = await app.service.post('/api/v1/sign-in-links', { user_id: ada.id })
  await page.goto(app.url + new URL(data.url).pathname + new URL(data.url).search)
  await page.getByRole('button', { name: 'Sign in' }).tap()
  await page.getByRole('checkbox', { name: 'A deadline has passed: Mail' }).check()
  await page.getByLabel('Quiet hours').check()
  await page.getByRole('combobox', { name: 'Time zone' }).fill('Europe/Berlin')
  await page.getByRole('button', { name: 'Save' }).click()
  const settings = async () => (await app.service.get('/api/v1/notices/settings', ada)).data
  await expect.poll(async () => (await settings()).time_zone).toBe('Europe/Berlin')
  expect(await settings()).toMatchObject({
    quiet: { from: '20:00', to: '08:00' },
    mail_kinds: expect.arrayContaining(['deadline_passed', 'mentioned']),
  })
  await page.getByRole('button', { name: 'Send me a test by mail' }).click()
  await page.getByText('Sent. The answer: 250 2.0.0 Taken').waitFor()
  expect(await violations(page)).toEqual([])
  await keepShot(page, 'notice-settings')
  expect(app.problems).toEqual([])
})
