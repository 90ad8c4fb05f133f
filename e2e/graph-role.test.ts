// Facts about the editor of a user whose role does not allow to change graphs or runs any more: that is what it says, nothing is lost,
// and all is saved as soon as the role allows it again.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { definitionOf } from '../server/test/support/definitions.ts'
import { type App, startApp } from './support/app.ts'
import { violations } from './support/axe.ts'
import { add, node } from './support/canvas.ts'
import { intercept } from './support/intercept.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const definition = definitionOf({ words: { type: 'input.text', version: 1, params: { value: 'x' } } })

/** Opens a graph that a writer owns, or a run of it, whose role `setRole` changes. */
async function opened(what: 'graph' | 'run') {
  const { id: userId, token } = await app.service.person('writer')
  const { data: graph } = await app.service.post('/api/v1/graphs', { name: 'By a writer', definition }, { token })
  const made =
    what === 'graph'
      ? graph
      : (await app.service.post(`/api/v1/graphs/${graph.id}/runs`, { execute: false }, { token })).data
  const path = `/${what}s/${made.id}`
  const page = await app.open(what === 'graph' ? path : `${path}?view=edit`, { userId })
  await page.locator('.frame[data-live="live"]').waitFor()
  await node(page, 'words').waitFor()
  return {
    ...{ page, path: `/api/v1${path}` },
    setRole: (role: 'reader' | 'writer') => app.service.patch(`/api/v1/users/${userId}`, { role }),
    nodesNow: async () => Object.keys((await app.make.read(`/api/v1${path}`)).definition.nodes),
  }
}

const message = (page: Page) => page.getByRole('alert').filter({ hasText: 'Your role does not allow' })
const readOnly = (page: Page) => page.getByText('Read only', { exact: true })

test.each(['graph', 'run'] as const)(
  'a %s that the service refuses to save because of the role says so, and is saved once the role allows it',
  async (what) => {
    const { page, path, setRole, nodesNow } = await opened(what)
    let isFirst = true
    await intercept(page, `**${path}`, async (route) => {
      if (isFirst && route.request().method() === 'PATCH') {
        isFirst = false
        await setRole('reader')
      }
      await route.continue()
    })
    await add(page, 'number')
    await message(page).getByText('An admin can change your role.').waitFor()
    await readOnly(page).waitFor()
    expect(await page.getByText('elsewhere').count()).toBe(0)
    expect(await page.getByRole('button', { name: 'See both versions' }).count()).toBe(0)
    expect(await violations(page)).toEqual([])
    expect(await nodesNow()).toEqual(['words'])
    await setRole('writer')
    await message(page).waitFor({ state: 'detached' })
    await expect.poll(nodesNow).toEqual(['words', 'number'])
    await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor()
  },
)

test('changes that wait to be saved when the role changes are in no conflict with anybody', async () => {
  const { page, path, setRole, nodesNow } = await opened('graph')
  let isCutOff = true
  await intercept(page, `**${path}`, (route) =>
    isCutOff && route.request().method() === 'PATCH' ? route.abort() : route.continue(),
  )
  await add(page, 'number')
  await page.getByRole('alert').filter({ hasText: 'Not saved' }).waitFor()
  await setRole('reader')
  await message(page).waitFor()
  expect(await readOnly(page).count()).toBe(1)
  expect(await page.getByText('elsewhere').count()).toBe(0)
  await node(page, 'number').waitFor()
  isCutOff = false
  await setRole('writer')
  await expect.poll(nodesNow).toEqual(['words', 'number'])
  await message(page).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo (Ctrl Z)' }).click()
  await expect.poll(nodesNow).toEqual(['words'])
})

test('what others save while the role does not allow one’s own changes is in conflict with them only after that', async () => {
  const { page, path, setRole, nodesNow } = await opened('run')
  await intercept(page, `**${path}`, async (route) => {
    if (route.request().method() === 'PATCH' && !(await message(page).isVisible())) await setRole('reader')
    await route.continue()
  })
  await add(page, 'number')
  await message(page).waitFor()
  const theirs = definitionOf({ theirs: { type: 'input.text', version: 1, params: { value: 'y' } } })
  expect((await app.service.patch(path, { definition: theirs })).status).toBe(200)
  await readOnly(page).waitFor()
  expect(await message(page).count()).toBe(1)
  await setRole('writer')
  await page.getByRole('button', { name: 'See both versions' }).waitFor()
  await node(page, 'number').waitFor()
  expect(await nodesNow()).toEqual(['theirs'])
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
