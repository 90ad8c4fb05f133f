// Facts about the list “For me” in the browser: a gate and a mention appear in it without a reload, and keys lead from one to the
// next, and to the page of each.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { definitionOf } from '../server/test/support/definitions.ts'
import { makeRun, runThrough } from '../server/test/support/runs.ts'
import { type App, startApp } from './support/app.ts'
import { violations } from './support/axe.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
  await app.service.app.worker.start()
})
afterAll(() => app.close())

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
