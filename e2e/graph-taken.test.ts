// Facts about an editor whose graph others rename, change, delete or get as their own: what the user has typed and changed is kept.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { purgeRuns } from '../server/src/engine/store/purge.ts'
import { purgeGraphs } from '../server/src/features/graphs/purge.ts'
import { setRetention } from '../server/src/platform/db.ts'
import { definitionOf } from '../server/test/support/definitions.ts'
import { type App, startApp } from './support/app.ts'
import { violations } from './support/axe.ts'
import { add, node } from './support/canvas.ts'
import { typeInto } from './support/fields.ts'
import { intercept } from './support/intercept.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

/** Makes a graph of the owner and opens it. */
async function opened(name: string) {
  const definition = definitionOf({ words: { type: 'input.text', version: 1, params: { value: 'x' } } })
  const { data } = await app.service.post('/api/v1/graphs', { name, definition })
  const page = await app.open(`/graphs/${data.id}`)
  await page.locator('.frame[data-live="live"]').waitFor()
  await node(page, 'words').waitFor()
  return { id: data.id as string, page, read: () => app.make.read(`/api/v1/graphs/${data.id}`) }
}

const nameOf = (page: Page) => page.getByLabel('Name of the graph')

test('what is not saved of a graph that is somebody else’s now can be kept as a graph of one’s own', async () => {
  const { id, page, read } = await opened('Handed over')
  const other = await app.service.person('writer')
  const owner = app.service.owner.id
  const handedOver = await app.service.post(`/api/v1/users/${owner}/graphs/hand-over`, { to: other.id })
  expect(handedOver.data.handed_over).toBeGreaterThan(0)
  await add(page, 'number')
  const message = page.getByRole('alert').filter({ hasText: 'This graph is somebody else’s now.' })
  await message.waitFor()
  expect(await violations(page)).toEqual([])
  await message.getByRole('button', { name: 'Keep mine as a fork' }).click()
  await page.waitForURL((address) => !address.pathname.endsWith(id))
  const made = new URL(page.url()).pathname
  await node(page, 'number').waitFor()
  expect(Object.keys((await app.make.read(`/api/v1${made}`)).definition.nodes)).toEqual(['words', 'number'])
  expect(Object.keys((await read()).definition.nodes)).toEqual(['words'])
})

test('what is not saved of a graph that is deleted now can be given up, and taken back', async () => {
  const { id, page, read } = await opened('Deleted')
  // The save is on its way when the graph is deleted, and arrives after that.
  const deletion = Promise.withResolvers<void>()
  await intercept(page, `**/api/v1/graphs/${id}`, async (route) => {
    if (route.request().method() === 'PATCH') await deletion.promise
    await route.continue()
  })
  const save = page.waitForRequest((request) => request.method() === 'PATCH')
  await add(page, 'number')
  await save
  await app.make.deleted(`/api/v1/graphs/${id}`)
  deletion.resolve()
  const message = page.getByRole('alert').filter({ hasText: 'This graph is deleted now.' })
  await message.getByRole('button', { name: 'Show theirs' }).click()
  await message.waitFor({ state: 'detached' })
  await node(page, 'number').waitFor({ state: 'detached' })
  await page.getByText('Its owner can restore it').waitFor()
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await node(page, 'number').waitFor()
  expect((await read()).deleted_at).not.toBe(null)
  await message.getByRole('button', { name: 'Keep mine as a fork' }).waitFor()
})

test('a graph that is deleted while it is open is told of as deleted, and neither saves nor runs until it is restored', async () => {
  const { id, page } = await opened('Deleted while open')
  await page.getByLabel('Description').fill('Typed before')
  await app.make.deleted(`/api/v1/graphs/${id}`)
  const message = page.getByRole('alert').filter({ hasText: 'This graph was deleted' })
  await message.getByText('Its owner can restore it from the list').waitFor()
  await message.getByText(/for another \d+ days/).waitFor()
  expect(await page.getByRole('button', { name: 'Show theirs' }).count()).toBe(0)
  const run = page.getByRole('button', { name: 'Run here', exact: true })
  expect(await run.isDisabled()).toBe(true)
  expect(await run.getAttribute('title')).toContain('This graph was deleted.')
  await page.getByText('Read only').waitFor()
  expect(await nameOf(page).isEditable()).toBe(false)
  expect(await page.getByLabel('Description').inputValue()).toBe('Typed before')
  expect(await violations(page)).toEqual([])
  await app.service.post(`/api/v1/graphs/${id}/restore`, {})
  await message.waitFor({ state: 'detached' })
  await expect.poll(() => run.isDisabled()).toBe(false)
  expect(await page.getByLabel('Description').inputValue()).toBe('Typed before')
})

test('a graph that was deleted while it was open can be kept as a graph of one’s own', async () => {
  const { id, page } = await opened('Deleted and kept')
  await app.make.deleted(`/api/v1/graphs/${id}`)
  const message = page.getByRole('alert').filter({ hasText: 'This graph was deleted' })
  await message.getByRole('button', { name: 'Keep mine as a fork' }).click()
  await page.waitForURL((address) => !address.pathname.endsWith(id))
  const made = await app.make.read(`/api/v1${new URL(page.url()).pathname}`)
  expect(Object.keys(made.definition.nodes)).toEqual(['words'])
})

/** Deletes the graph, and purges it at once, as if its retention window were over. */
async function purged(id: string): Promise<void> {
  await app.make.deleted(`/api/v1/graphs/${id}`)
  const { database, config } = app.service
  setRetention(database, 0)
  try {
    await purgeGraphs(database)
  } finally {
    setRetention(database, config.retention.seconds)
  }
}
const goneWords = 'This graph is deleted for good.'

test('a graph that is purged while it is open is told of as gone, is asked for no more, and can be kept', async () => {
  const { id, page } = await opened('Purged while open')
  const purge = Promise.withResolvers<void>()
  let asked = 0
  await intercept(page, `**/api/v1/graphs/${id}`, async (route) => {
    if (route.request().method() === 'GET') asked += 1
    await purge.promise
    await route.continue()
  })
  await purged(id)
  purge.resolve()
  const message = page.getByRole('alert').filter({ hasText: goneWords })
  await message.waitFor()
  await page.getByText('Read only').waitFor()
  expect(await page.getByRole('button', { name: 'Run here', exact: true }).getAttribute('title')).toContain('for good')
  expect(await violations(page)).toEqual([])
  const before = asked
  await message.getByRole('button', { name: 'Keep mine as a fork' }).click()
  await page.waitForURL((address) => !address.pathname.endsWith(id))
  expect(asked).toBe(before)
  const made = await app.make.read(`/api/v1${new URL(page.url()).pathname}`)
  expect(Object.keys(made.definition.nodes)).toEqual(['words'])
})

test('what is not saved of a graph that is purged meanwhile can be kept as a graph of one’s own', async () => {
  const { id, page } = await opened('Purged before the save')
  const purge = Promise.withResolvers<void>()
  await intercept(page, `**/api/v1/graphs/${id}`, async (route) => {
    await purge.promise
    await route.continue()
  })
  const save = page.waitForRequest((request) => request.method() === 'PATCH')
  await add(page, 'number')
  await save
  await purged(id)
  purge.resolve()
  const message = page.getByRole('alert').filter({ hasText: goneWords })
  await message.waitFor()
  expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
  await message.getByRole('button', { name: 'Keep mine as a fork' }).click()
  await page.waitForURL((address) => !address.pathname.endsWith(id))
  const made = await app.make.read(`/api/v1${new URL(page.url()).pathname}`)
  expect(Object.keys(made.definition.nodes)).toEqual(['words', 'number'])
})

test('a run that is purged while its page is open is told of as gone', async () => {
  const { data: graph } = await app.service.post('/api/v1/graphs', { name: 'Of a run', definition: definitionOf({}) })
  const { data: run } = await app.service.post(`/api/v1/graphs/${graph.id}/runs`, {})
  const page = await app.open(`/runs/${run.id}`)
  await page.locator('.frame[data-live="live"]').waitFor()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  const purge = Promise.withResolvers<void>()
  await intercept(
    page,
    ({ pathname }) => pathname.startsWith(`/api/v1/runs/${run.id}`),
    async (route) => {
      await purge.promise
      await route.continue()
    },
  )
  await app.make.deleted(`/api/v1/runs/${run.id}`)
  const { database, config } = app.service
  setRetention(database, 0)
  await purgeRuns(database).finally(() => setRetention(database, config.retention.seconds))
  purge.resolve()
  await page.getByRole('alert').filter({ hasText: 'This run is deleted for good.' }).waitFor()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  expect(await violations(page)).toEqual([])
})

test('a new name is saved beside what others have changed, and their nodes are not overwritten by it', async () => {
  const { id, page, read } = await opened('Before')
  const more = definitionOf({ theirs: { type: 'input.text', version: 1, params: { value: 'y' } } })
  await app.service.patch(`/api/v1/graphs/${id}`, { definition: more })
  const show = page.getByRole('button', { name: 'Show theirs' })
  await show.waitFor()
  await typeInto(nameOf(page), 'A new name')
  await show.click()
  await node(page, 'theirs').waitFor()
  expect(await nameOf(page).inputValue()).toBe('A new name')
  await expect.poll(async () => (await read()).name).toBe('A new name')
  expect(Object.keys((await read()).definition.nodes)).toEqual(['theirs'])
})

test('a name that was typed while others renamed the graph stays in its field, and is not saved over theirs unasked', async () => {
  const { id, page, read } = await opened('Called once')
  await app.service.patch(`/api/v1/graphs/${id}`, { name: 'Called by others' })
  const show = page.getByRole('button', { name: 'Show theirs' })
  await show.waitFor()
  await typeInto(nameOf(page), 'Called by me')
  await show.click()
  await page.getByText('it is called “Called by others” now').waitFor()
  expect(await nameOf(page).inputValue()).toBe('Called by me')
  expect((await read()).name).toBe('Called by others')
  await nameOf(page).press('Enter')
  await expect.poll(async () => (await read()).name).toBe('Called by me')
})

test('a choice between both versions does not count for what others save while the dialog is open', async () => {
  const { id, page, read } = await opened('Saved twice')
  const say = (value: string) =>
    app.service.patch(`/api/v1/graphs/${id}`, {
      definition: definitionOf({ words: { type: 'input.text', version: 1, params: { value } } }),
    })
  await node(page, 'words').click()
  await page.getByLabel('Name of the node').waitFor()
  await say('Their first')
  await page.getByLabel('Text', { exact: true }).fill('Mine')
  await page.getByRole('button', { name: 'See both versions' }).click()
  const dialog = page.getByRole('dialog', { name: 'Both versions' })
  const take = dialog.getByRole('button', { name: 'Take theirs: words' })
  await dialog.getByText('Their first').waitFor()
  await take.click()
  await dialog.getByRole('button', { name: 'Save both together' }).waitFor()
  await say('Their second')
  await dialog.getByText('Their second').waitFor()
  expect(await take.getAttribute('aria-pressed')).toBe('false')
  expect(await dialog.getByRole('button', { name: 'Choose for 1 more' }).isDisabled()).toBe(true)
  await take.click()
  await dialog.getByRole('button', { name: 'Save both together' }).click()
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(async () => (await read()).definition.nodes.words.params.value).toBe('Their second')
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
