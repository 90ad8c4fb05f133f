// Facts about the list “For me” in the browser: a gate and a mention appear in it without a reload, and keys lead from one to the
// next, and to the page of each. And about its settings: an address of mail is given where they lead, and a draft stays.
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { definitionOf } from '../server/test/support/definitions.ts'
import { makeRun, runThrough } from '../server/test/support/runs.ts'
import { type App, startApp } from './support/app.ts'
import { violations } from './support/axe.ts'
import { typeInto } from './support/fields.ts'
import { intercept } from './support/intercept.ts'
import { keepShot } from './support/shots.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
  await app.service.app.worker.start()
})
afterAll(() => app.close())

test('who has no address of mail is led to the people, where an admin gives one by keys alone', async () => {
  await app.service.rows('update users set email = null where id = $1', [app.service.owner.id])
  const page = await app.open('/notices/settings')
  await page.getByRole('link', { name: 'Add one' }).click()
  const menu = page.getByRole('button', { name: 'Menu of Owner' })
  const edit = async () => {
    await menu.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Edit name and address' }).press('Enter')
    await page.getByRole('dialog', { name: 'Name and address of Owner' }).waitFor()
  }
  const hasFocus = (it: Locator) => expect.poll(() => it.and(page.locator(':focus')).count()).toBe(1)
  await edit()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await hasFocus(menu)

  await edit()
  const dialog = page.getByRole('dialog')
  await hasFocus(dialog.getByLabel('Name'))
  await page.keyboard.press('Tab')
  await page.keyboard.type('owner@example.org')
  expect(await violations(page)).toEqual([])
  await intercept(page, '**/api/v1/users/*', (route) => {
    const detail = [{ type: 'value_error', loc: ['body', 'email'], msg: 'Value error, is taken', input: null }]
    return route.fulfill({ status: 422, json: { detail } })
  })
  await page.keyboard.press('Enter')
  await dialog.getByText('Is taken.').waitFor()
  await expect.poll(() => dialog.getByLabel('Email').getAttribute('aria-invalid')).toBe('true')
  await page.unroute('**/api/v1/users/*')
  // Meanwhile the name was changed elsewhere, and stays.
  await app.service.rows(`update users set name = 'Owner of all' where id = $1`, [app.service.owner.id])
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'hidden' })
  await page.getByRole('cell', { name: 'owner@example.org' }).waitFor()
  await page.getByRole('rowheader', { name: 'Owner of all' }).waitFor()
  await app.service.patch(`/api/v1/users/${app.service.owner.id}`, { name: 'Owner' })
  await page.goto(`${app.url}/notices/settings`)
  await page.getByText('Mail goes to owner@example.org.').waitFor()
  expect(app.problems).toEqual([])
})

test('a box that is ticked leaves what is being chosen below, and Save saves that', async () => {
  const page = await app.open('/notices/settings')
  await page.getByRole('combobox', { name: 'Send' }).click()
  await page.getByRole('option', { name: 'Once a day' }).click()
  const saved = page.waitForResponse((answer) => answer.request().method() === 'PATCH')
  await page.getByRole('checkbox', { name: 'A deadline has passed: Mail' }).check()
  await saved
  const settings = async () => (await app.service.get('/api/v1/notices/settings')).data
  expect((await settings()).mail_kinds).toContain('deadline_passed')
  await page.getByLabel(/^At\b/).fill('07:30')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Saved when you get messages').waitFor()
  expect((await settings()).digest_at).toBe('07:30')
  expect((await settings()).digest).toBe('daily')
})

test('on a phone, the settings of notices break no word', async () => {
  const page = await app.open('/notices/settings', { viewport: { width: 390, height: 740 } })
  const always = page.getByRole('cell', { name: 'Always' }).first()
  await always.waitFor()
  await keepShot(page, 'notice-settings-390')
  const lines = `(() => {
    const text = document.createRange()
    text.selectNodeContents(document.querySelector('.notice-always'))
    return text.getClientRects().length
  })()`
  expect(await page.evaluate(lines)).toBe(1)
})

test('two pages of one person do not undo each other’s settings of notices', async () => {
  const settings = async () => (await app.service.get('/api/v1/notices/settings')).data
  await app.service.patch('/api/v1/notices/settings', { mail_kinds: [], digest: 'at_once', time_zone: 'UTC' })
  const [first, second] = [await app.open('/notices/settings'), await app.open('/notices/settings')]
  const boxOf = (page: Page, label: string) => page.getByRole('checkbox', { name: label })
  for (const page of [first, second]) await boxOf(page, 'A deadline has passed: Mail').waitFor()
  const saved = first.waitForResponse((answer) => answer.request().method() === 'PATCH')
  await boxOf(first, 'A deadline has passed: Mail').check()
  await saved
  await boxOf(second, 'A run failed: Chat').check()
  await expect.poll(async () => (await settings()).chat_kinds).toEqual(['run_failed'])
  await boxOf(second, 'A run failed: Mail').check()
  await expect.poll(async () => (await settings()).mail_kinds).toEqual(['run_failed', 'deadline_passed'])

  await typeInto(first.getByRole('combobox', { name: 'Time zone' }), 'Europe/Vienna')
  await first.getByRole('button', { name: 'Save', exact: true }).click()
  await first.getByText('Saved when you get messages').waitFor()
  await second.getByRole('switch', { name: 'Quiet hours' }).click()
  await second.getByRole('button', { name: 'Save', exact: true }).click()
  await second.getByText('Saved when you get messages').waitFor()
  expect(await settings()).toMatchObject({ time_zone: 'Europe/Vienna', quiet: { from: '20:00', to: '08:00' } })
})

test('a time that was emptied and is not shown any more holds nothing up, and Save keeps the focus', async () => {
  const page = await app.open('/notices/settings')
  const send = async (option: string) => {
    await page.getByRole('combobox', { name: 'Send' }).click()
    await page.getByRole('option', { name: option }).click()
  }
  await send('Once a day')
  await typeInto(page.getByRole('combobox', { name: 'Time zone' }), 'Europe/Vienna')
  await page.getByLabel(/^At\b/).fill('')
  await send('Once an hour')
  const save = page.getByRole('button', { name: 'Save', exact: true })
  await save.focus()
  await page.keyboard.press('Enter')
  const settings = async () => (await app.service.get('/api/v1/notices/settings')).data
  await expect.poll(async () => (await settings()).digest).toBe('hourly')
  expect((await settings()).time_zone).toBe('Europe/Vienna')
  await expect.poll(() => save.getAttribute('aria-busy')).toBe('false')
  expect(await save.and(page.locator(':focus')).count()).toBe(1)
  await send('Once a day')
  // The time is the one that was saved before.
  await expect.poll(() => page.getByLabel(/^At\b/).inputValue()).toBe((await settings()).digest_at)
})

test('what is for me arrives while I look, is walked by keys, and leads to its gate', async () => {
  const page = await app.open('/notices')
  await page.getByText('Nothing is waiting for you').waitFor()
  expect(await violations(page)).toEqual([])

  const { token } = await app.service.person('writer')
  const task = await app.make.task({ name: 'Mentioned here' })
  const gate = await makeRun(app.service, definitionOf({ ok: { type: 'gate.approve', inputs: { value: 'this' } } }))
  await runThrough(app.service, gate.id)
  await page.getByRole('link', { name: 'For me, 1 unread' }).waitFor()
  await app.make.comment(task.id, '@Owner, is the hook too long?', { token })
  await page.getByRole('link', { name: 'For me, 2 unread' }).waitFor()
  const notices = page.getByRole('list', { name: 'Notices' })
  await notices.getByText('@Owner, is the hook too long?').waitFor()
  expect(await violations(page)).toEqual([])

  await notices.getByRole('link', { name: /mentioned you on/ }).focus()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/runs/${gate.id}`)
  expect(app.problems).toEqual([])
})

test('a notice goes with its run while I look, from the page and from the count, and comes back with it', async () => {
  await app.service.post('/api/v1/notices/read', {})
  const page = await app.open('/notices')
  const gate = await makeRun(app.service, definitionOf({ ok: { type: 'gate.approve', inputs: { value: 'this' } } }))
  await runThrough(app.service, gate.id)
  const link = page.locator(`.notices a[href$="/runs/${gate.id}"]`)
  await link.waitFor()
  const count = page.getByRole('link', { name: 'For me, 1 unread' })
  await count.waitFor()
  await app.service.del(`/api/v1/runs/${gate.id}`)
  await link.waitFor({ state: 'detached' })
  await count.waitFor({ state: 'detached' })
  await app.service.post(`/api/v1/runs/${gate.id}/undelete`)
  await link.waitFor()
  await count.waitFor()
  expect(app.problems).toEqual([])
})

test('of the unread ones, each that is marked by a key leaves the focus to the one in its place', async () => {
  await app.service.post('/api/v1/notices/read', {})
  const { token } = await app.service.person('writer')
  const task = await app.make.task({ name: 'Asked three times' })
  for (const words of ['first', 'second', 'third']) {
    await app.make.comment(task.id, `@Owner, the ${words}`, { token })
    await expect.poll(async () => (await app.service.get('/api/v1/notices?unread=true')).text).toContain(words)
  }
  const page = await app.open('/notices')
  const rows = page.getByRole('list', { name: 'Notices' }).getByRole('listitem')
  const unread = page.getByRole('switch', { name: 'Only unread' })
  await unread.click()
  await expect.poll(() => rows.count()).toBe(3)
  const focused = (words: string) =>
    rows.filter({ hasText: words }).getByRole('button').and(page.locator(':focus')).waitFor()
  await rows.nth(1).getByRole('button').focus()
  await focused('second')
  await page.keyboard.press('Enter')
  await focused('first')
  await page.keyboard.press('Enter')
  await focused('third')
  await page.keyboard.press('Enter')
  await page.getByText('You have read everything').waitFor()
  await unread.and(page.locator(':focus')).waitFor()
  expect(app.problems).toEqual([])
})
