// Facts about pages other than the board, about signing out, about being offline, and about how much the board loads at first.
import { randomBytes } from 'node:crypto'
import type { Route } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { definitionOf } from '../server/test/support/definitions.ts'
import { makeRun } from '../server/test/support/runs.ts'
import { type App, startApp } from './support/app.ts'
import { violations } from './support/axe.ts'
import { cardLink, pickUp } from './support/board.ts'
import { node } from './support/canvas.ts'
import { typeInto } from './support/fields.ts'
import { intercept } from './support/intercept.ts'
import { focused } from './support/keyboard.ts'
import { keepShot } from './support/shots.ts'

let app: App
beforeAll(async () => {
  app = await startApp({ ATELIER_SECRETS_KEY: randomBytes(32).toString('hex') })
  await app.make.taskWith(['Axe_01'], { name: 'A task to look at' })
})
afterAll(() => app.close())

test('signed out, the page says how to sign in', async () => {
  const page = await app.open('/')
  await page.getByRole('button', { name: /signed in as/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in to Atelier' }).waitFor()
  expect(await violations(page)).toEqual([])
  await page.getByText('ask an admin for one').waitFor()
  await page.getByRole('button', { name: 'I have opened it' }).click()
  await page.getByRole('alert').getByText('This browser is not signed in yet').waitFor()
})

test('the page of a graph and that of a run, tried again, read the node types that failed', async () => {
  const definition = definitionOf({ ok: { type: 'gate.approve', inputs: { value: 'this' } } })
  const run = await makeRun(app.service, definition)
  const page = await app.open('/lookup')
  let isFailing = true
  await intercept(page, '**/api/v1/node-types', (route) =>
    isFailing ? route.fulfill({ status: 404, json: { detail: 'Away.' } }) : route.continue(),
  )
  for (const path of [`/graphs/${run.graph_id}`, `/runs/${run.id}`]) {
    isFailing = true
    await page.goto(app.url + path)
    const again = page.getByRole('button', { name: 'Try again' })
    await again.waitFor()
    isFailing = false
    await again.click()
    await node(page, 'ok').waitFor()
    expect(await again.count()).toBe(0)
  }
})

test('an address that leads nowhere says so, and leads to the board', async () => {
  const page = await app.open('/')
  await page.goto(`${app.url}/nowhere`)
  await page.getByText('There is no such page').waitFor()
  expect(await violations(page)).toEqual([])
  await page.getByRole('link', { name: 'Go to the board' }).click()
  await page.getByText('A task to look at').waitFor()
})

test('a lookup tells names from campaign ids, and says what nothing carries', async () => {
  const page = await app.open('/lookup')
  await page.getByLabel('Names or campaign ids').fill('Axe_01\n23852150404470549\nNobody')
  await page.getByText('2 names, 1 number, asked as campaign id and as name').waitFor()
  await page.getByRole('button', { name: 'Look up' }).click()
  await page.getByText('Nothing carries this campaign id.').waitFor()
  expect(await page.getByRole('cell', { name: 'Axe_01' }).count()).toBe(1)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('creatives.csv')
})

test('a task that opens while another page is open does not search the board by what that page has in its address', async () => {
  const { id } = await app.make.task({ name: 'To be copied' })
  const page = await app.open(`/tasks/${id}`)
  const { promise: copying, resolve: begun } = Promise.withResolvers<Route>()
  await intercept(page, '**/api/v1/tasks', (route) =>
    route.request().method() === 'POST' ? begun(route) : route.continue(),
  )
  await page.getByRole('button', { name: 'Menu of the task' }).click()
  await page.getByRole('menuitem', { name: 'Duplicate, without creatives' }).click()
  const copy = await copying
  await page.getByRole('button', { name: 'Go to or do' }).click()
  await page.getByRole('combobox', { name: /^Go to a task/ }).fill('Axe_01')
  await page.getByRole('option', { name: /^Look up Axe_01/ }).click()
  await page.getByRole('cell', { name: 'Axe_01' }).waitFor()
  expect(new URL(page.url()).search).not.toBe('')
  await copy.continue()
  await page.getByRole('heading', { name: 'To be copied (copy)' }).waitFor()
  expect(new URL(page.url()).search).toBe('')
  await cardLink(page, 'A task to look at').waitFor()
})

test('an admin gives the key of a provider, which is never shown again, and takes it away', async () => {
  const page = await app.open('/providers')
  await page.getByRole('button', { name: 'Give a key of Google' }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Key' }).fill('AIzaSy-not-a-real-key')
  expect(await violations(page)).toEqual([])
  await keepShot(page, 'provider-key')
  await page.getByRole('button', { name: 'Keep it' }).click()
  const row = page.getByRole('row', { name: /Google/ })
  await row.getByText('…-key').waitFor()
  await keepShot(page, 'providers')
  expect(await page.content()).not.toContain('AIzaSy')
  await row.getByRole('button', { name: 'Remove the key of Google' }).click()
  await row.getByRole('button', { name: 'Really remove' }).click()
  // The button is gone with the key, and the focus is where another one is given.
  await focused(page, row.getByRole('button', { name: 'Give a key of Google' }))
})

test('what a provider said of a key is not shown beside another one', async () => {
  await app.service.post('/api/v1/providers/google/key', { key: 'the-first-key-1111' })
  const page = await app.open('/providers')
  const row = page.getByRole('row', { name: /Google/ })
  await row.getByText('…1111').waitFor()
  await intercept(page, '**/api/v1/providers/google/check', (route) =>
    route.fulfill({ json: { success: true, data: { works: false, words: 'It does not know this key.' } } }),
  )
  await row.getByRole('button', { name: 'Try it' }).click()
  const said = row.getByText('It does not know this key.')
  await said.waitFor()
  await row.getByRole('button', { name: 'Replace the key of Google' }).click()
  await typeInto(page.getByRole('dialog').getByRole('textbox', { name: 'Key' }), 'the-second-key-2222')
  await page.getByRole('button', { name: 'Keep it' }).click()
  await row.getByText('…2222').waitFor()
  expect(await said.count()).toBe(0)
  await row.getByRole('button', { name: 'Try it' }).click()
  await said.waitFor()
  await app.service.del('/api/v1/providers/google/key')
})

test('a switch that gives and takes access keeps the focus of the keyboard', async () => {
  await app.service.post('/api/v1/users', { name: 'Access by keys', role: 'reader' })
  const page = await app.open('/people')
  const access = page.getByRole('switch', { name: 'Access by keys has access' })
  await access.focus()
  for (const isActive of [false, true]) {
    await page.keyboard.press('Space')
    await expect.poll(() => access.isChecked()).toBe(isActive)
    expect(await access.and(page.locator(':focus')).count()).toBe(1)
  }
})

test('a token is shown once, works, and ends when it is revoked', async () => {
  const page = await app.open('/tokens')
  await page.getByRole('button', { name: 'New token' }).click()
  await page.getByLabel('What it is for').fill('Ad platform')
  await page.getByRole('button', { name: 'Make the token' }).click()
  const token = await page.getByLabel('Token', { exact: true }).inputValue()
  const lookup = () =>
    app.service.post('/api/v1/integrations/creative-tests/creatives/lookup', { names: ['x'] }, { token })
  expect((await lookup()).status).toBe(200)
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Revoke Ad platform' }).click()
  await page.getByRole('button', { name: 'Really revoke' }).click()
  await page.getByText('revoked just now').waitFor()
  expect((await lookup()).status).toBe(401)
})

test('an admin who makes a sign-in link is told where it opens, and who is signed in by it', async () => {
  const page = await app.open('/people')
  await page.getByRole('button', { name: 'Menu of Owner' }).click()
  await page.getByRole('menuitem', { name: 'Make a sign-in link' }).click()
  const dialog = page.getByRole('dialog', { name: 'Sign-in link for Owner' })
  await dialog.getByText('is signed in as Owner, once').waitFor()
  await dialog.getByText('Whoever presses the button behind it first').waitFor()
  await dialog.getByText('opens on the machine of the service only').waitFor()
  expect(await dialog.getByRole('textbox').inputValue()).toContain('http://127.0.0.1:')
  expect(await violations(page)).toEqual([])
})

test('a sign-in link is not shown later or for somebody else once its page was left', async () => {
  const other = await app.service.person('writer')
  await app.service.patch(`/api/v1/users/${other.id}`, { name: 'Late Larry' })
  const page = await app.open('/people')
  const makeLinkOf = async (name: string) => {
    await page.getByRole('button', { name: `Menu of ${name}` }).click()
    await page.getByRole('menuitem', { name: 'Make a sign-in link' }).click()
  }
  const { promise: making, resolve: begun } = Promise.withResolvers<Route>()
  let isFirst = true
  await intercept(page, '**/api/v1/sign-in-links', (route) => {
    if (isFirst) begun(route)
    else void route.continue()
    isFirst = false
  })
  await makeLinkOf('Late Larry')
  const late = await making
  await page.getByRole('link', { name: 'Lookup' }).click()
  await page.getByLabel('Names or campaign ids').waitFor()
  await page.goBack()
  const answered = page.waitForResponse('**/api/v1/sign-in-links')
  await late.continue()
  await answered
  await makeLinkOf('Owner')
  await page.getByRole('dialog', { name: 'Sign-in link for Owner' }).waitFor()
  await page.goBack()
  await page.goForward()
  await page.getByRole('button', { name: 'Menu of Owner' }).waitFor()
  expect(await page.getByRole('dialog', { name: /^Sign-in link/ }).count()).toBe(0)
})

test('an admin who adds a person is told that no invitation is sent, and makes the link from the message, on any page', async () => {
  const page = await app.open('/people')
  await page.getByRole('button', { name: 'Add a person' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a person' })
  await dialog.getByText('No invitation is sent.').waitFor()
  expect(await violations(page)).toEqual([])
  await typeInto(dialog.getByRole('textbox', { name: 'Name' }), 'Ann Added')
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('Added “Ann Added”. They sign in by a link').waitFor()
  await page.getByRole('link', { name: 'Lookup' }).click()
  await page.getByLabel('Names or campaign ids').waitFor()
  await page.getByRole('button', { name: 'Make the link' }).click()
  const shown = page.getByRole('dialog', { name: 'Sign-in link' }).getByRole('textbox')
  await shown.waitFor()
  await page.getByRole('rowheader', { name: 'Ann Added' }).waitFor({ state: 'attached' })
  const { pathname, search } = new URL(await shown.inputValue())
  await page.context().clearCookies()
  await page.goto(app.url + pathname + search)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: /signed in as Ann Added/ }).waitFor()
})

test('the key ? lists the keyboard shortcuts on every page and in an open task, but is typed in a field', async () => {
  const page = await app.open('/lookup')
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  const opensHelp = async () => {
    await page.keyboard.press('?')
    await help.getByText('Everywhere').waitFor()
    await page.keyboard.press('Escape')
    await help.waitFor({ state: 'detached' })
  }
  const names = page.getByLabel('Names or campaign ids')
  await names.focus()
  await page.keyboard.press('?')
  expect(await names.inputValue()).toBe('?')
  expect(await help.count()).toBe(0)
  for (const name of ['Lookup', 'People', 'Money']) {
    await page.getByRole('link', { name, exact: true }).click()
    await page.getByRole('heading', { name, level: 1 }).waitFor()
    await opensHelp()
  }
  await page.getByRole('link', { name: 'Board', exact: true }).click()
  await cardLink(page, 'A task to look at').click()
  const task = page.getByRole('complementary', { name: 'Task' })
  await task.getByRole('tab', { name: 'Activity' }).click()
  await opensHelp()
  await task.getByRole('button', { name: 'Close the task' }).click()
  await opensHelp()
  // During a drag, all keys belong to the drag.
  await pickUp(page, 'A task to look at', 'Backlog')
  await page.keyboard.press('?')
  await page.keyboard.press('Escape')
  await page.getByText('A task to look at was put back.').waitFor()
  expect(await help.count()).toBe(0)
})

test('on a small phone, every control of the lists is on the screen, whatever people are called', async () => {
  const name = 'Wolfeschlegelsteinhausenbergerdorff Maximiliane'
  await app.service.post('/api/v1/users', { name, role: 'reader' })
  await app.service.post('/api/v1/budgets', { period: 'month', amount: 25_000_000 })
  // WCAG 2.2 requires that nothing needs to be scrolled sideways at a width of 320 pixels, except tables that need it (1.4.10).
  const page = await app.open('/people', { viewport: { width: 320, height: 740 }, hasTouch: true })
  const isScrolled = "[...document.querySelectorAll('main .panel')].some((one) => one.scrollWidth > one.clientWidth)"
  for (const width of [360, 320]) {
    await page.setViewportSize({ width, height: 740 })
    for (const list of ['people', 'tokens', 'providers', 'money', 'notices/settings']) {
      await page.goto(`${app.url}/${list}`)
      await page.getByRole('table').waitFor()
      await keepShot(page, `${list.replace('/', '-')}-${width}`)
      expect(await page.evaluate(isScrolled), `${list} at ${width}`).toBe(false)
      const controls = await page.locator('main :is(button, a, input)').all()
      const boxes = await Promise.all(controls.map((control) => control.boundingBox()))
      const right = Math.max(...boxes.map((box) => (box ? box.x + box.width : 0)))
      expect(right, `${list} at ${width}`).toBeLessThanOrEqual(width)
    }
  }
})

test('a page that cannot be loaded says so in the frame, and opens once there is a connection again', async () => {
  const page = await app.open('/people', { cold: true })
  await page.getByRole('heading', { name: 'People' }).first().waitFor()
  await page.context().setOffline(true)
  await page.getByRole('link', { name: 'Lookup' }).click()
  await page.getByText('This page could not be loaded.').waitFor()
  expect(await page.getByText(/preload|CSS|assets/).count()).toBe(0)
  // The links around the page still work, and so do pages that were loaded before.
  await page.getByRole('link', { name: 'People' }).click()
  await page.getByRole('heading', { name: 'People' }).first().waitFor()
  await page.getByRole('link', { name: 'Lookup' }).click()
  await page.getByText('This page could not be loaded.').waitFor()
  await page.context().setOffline(false)
  await page.getByLabel('Names or campaign ids').waitFor()
  // The only errors in the console are those that tell developers that this page failed to load. They are expected, so they are
  // removed.
  for (const problem of app.problems.splice(0)) expect(problem).toContain('This page could not be loaded')
})

test('being offline is told, and over when it is over', async () => {
  const page = await app.open('/people')
  await page.getByRole('rowheader', { name: 'Owner' }).waitFor()
  await page.context().setOffline(true)
  const told = page.getByText('You are offline.')
  await told.waitFor()
  await page.context().setOffline(false)
  await told.waitFor({ state: 'detached' })
  expect(await page.getByRole('rowheader', { name: 'Owner' }).count()).toBe(1)
})

test('the frame is drawn before any other file of the page has come', async () => {
  const page = await app.open('/people', { cold: true })
  const { promise: held, resolve: go } = Promise.withResolvers<void>()
  await page.route('**/assets/**', async (route) => {
    await held
    await route.continue()
  })
  await page.goto(app.url, { waitUntil: 'commit' })
  await page.getByText('Loading Atelier …').waitFor()
  const paints = "performance.getEntriesByType('paint').map(({ name }) => name)"
  await expect.poll(() => page.evaluate(paints)).toContain('first-contentful-paint')
  go()
  await cardLink(page, 'A task to look at').waitFor()
})

test('the board’s first load is at most 250 KB of script, and all of it is ours', async () => {
  const page = await app.open('/')
  await cardLink(page, 'A task to look at').waitFor()
  const loaded: { name: string; encodedBodySize: number }[] = await page.evaluate(
    "performance.getEntriesByType('resource').map(({ name, encodedBodySize }) => ({ name, encodedBodySize }))",
  )
  expect(loaded.filter(({ name }) => !name.startsWith(app.url))).toEqual([])
  const scripts = loaded.filter(({ name }) => name.endsWith('.js'))
  expect(scripts.length).toBeGreaterThan(0)
  expect(scripts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)).toBeLessThan(250_000)
})

test('who may no longer write is not offered to change the graphs that they own', async () => {
  const writer = await app.service.person('writer')
  const make = async (name: string): Promise<string> =>
    (await app.service.post('/api/v1/graphs', { name }, { token: writer.token })).data.id
  const [kept, deleted] = [await make('Still theirs'), await make('Thrown away')]
  await app.service.del(`/api/v1/graphs/${deleted}`, { token: writer.token })
  await app.service.patch(`/api/v1/users/${writer.id}`, { role: 'reader' })
  const page = await app.open('/graphs?show=deleted', { userId: writer.id })
  await page.getByText('Thrown away').waitFor()
  expect(await page.getByRole('button', { name: 'Restore' }).count()).toBe(0)
  await page.goto(`${app.url}/graphs/${kept}`)
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'About this graph' }).waitFor()
  expect(await page.getByRole('menuitem', { name: 'Make it a template' }).count()).toBe(0)
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
