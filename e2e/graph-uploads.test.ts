// Facts about what is done with a graph or a run while a file is uploading for its editor: it waits for the file, or is not done.
import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { definitionOf } from '../server/test/support/definitions.ts'
import type { Body } from '../server/test/support/harness.ts'
import { makeGraph, makeRun, untilStatus } from '../server/test/support/runs.ts'
import { type App, startApp } from './support/app.ts'
import { violations } from './support/axe.ts'
import { node, runForTask } from './support/canvas.ts'
import { typeInto } from './support/fields.ts'
import { intercept } from './support/intercept.ts'
import { keepShot } from './support/shots.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
  await app.service.app.worker.start()
})
afterAll(() => app.close())

const withFile = async () => {
  const file = { digest: await app.make.file('old', 'text/csv'), media_type: 'text/csv', size: 3, name: 'old.csv' }
  return definitionOf({ table: { type: 'input.file', params: { file } } })
}
const fileIn = ({ definition }: Body): string => definition.nodes.table.params.file.name

/**
 * Selects the node. Returns a function that chooses another file for it and returns the request of the upload, which goes on only
 * once the test lets it.
 */
async function replacing(page: Page): Promise<(name: string) => Promise<Route>> {
  await node(page, 'table').click()
  let next = Promise.withResolvers<Route>()
  await intercept(page, '**/api/v1/files', (route) => next.resolve(route))
  return async (name) => {
    next = Promise.withResolvers<Route>()
    const replace = page.getByRole('button', { name: 'Replace' })
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), replace.click()])
    await chooser.setFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(name) })
    return next.promise
  }
}

const waits = (page: Page) => page.getByText('Waiting for the upload …').waitFor()
const more = async (page: Page, item: string) => {
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

test('a run and a fork that are started during an upload have its file, and are not made if the upload fails', async () => {
  const graph = await makeGraph(app.service, await withFile(), 'Replaced')
  const page = await app.open(`/graphs/${graph.id}`)
  const replace = await replacing(page)
  const first = await replace('first.csv')
  await page.getByRole('button', { name: 'Run here' }).click()
  await waits(page)
  await keepShot(page, 'waits-for-upload')
  await first.continue()
  await page.waitForURL((url) => url.searchParams.has('run'))
  const run = await untilStatus(app.service, new URL(page.url()).searchParams.get('run') ?? '', 'succeeded')
  expect(run.nodes.table.outputs.name).toBe('first.csv')

  const broken = await replace('broken.csv')
  await more(page, 'Fork')
  await waits(page)
  await broken.abort()
  await page.getByText('A file was not uploaded, and would be missing.').waitFor()
  expect(new URL(page.url()).pathname).toBe(`/graphs/${graph.id}`)

  const second = await replace('second.csv')
  await more(page, 'Fork')
  await waits(page)
  await second.continue()
  await page.waitForURL((url) => !url.pathname.includes(graph.id))
  const fork = new URL(page.url()).pathname.split('/').at(-1)
  expect(fileIn(await app.make.read(`/api/v1/graphs/${fork}`))).toBe('second.csv')
})

test('a run for a task is not made once its dialog is closed, nor anything for which the user does not want to wait', async () => {
  const graph = await makeGraph(app.service, await withFile(), 'Not waited for')
  const page = await app.open(`/graphs/${graph.id}`)
  const replace = await replacing(page)
  const upload = await replace('late.csv')
  await runForTask(page)
  const dialog = page.getByRole('dialog', { name: 'Run this graph' })
  await dialog.getByRole('button', { name: 'Start now' }).click()
  await waits(page)
  expect(await dialog.getByRole('button', { name: 'Only prepare it' }).isDisabled()).toBe(true)
  await dialog.getByRole('button', { name: 'Close' }).click()
  const waiting = page.getByText('Waiting for the upload …')
  await waiting.waitFor({ state: 'detached' })

  await page.getByRole('button', { name: 'Run here' }).click()
  await waits(page)
  await keepShot(page, 'do-not-wait')
  await page.getByRole('button', { name: 'Do not wait' }).click()
  await page.getByText('You did not wait for the upload, so nothing was done.').waitFor()
  await waiting.waitFor({ state: 'detached' })

  await more(page, 'Fork')
  await waits(page)
  await upload.continue()
  await page.waitForURL((url) => !url.pathname.includes(graph.id))
  expect(fileIn(await app.make.read(`/api/v1/graphs/${graph.id}`))).toBe('late.csv')
  expect((await app.make.read(`/api/v1/runs?graph_id=${graph.id}`)).items).toEqual([])
})

test('an upload for a field of a node can be cancelled: the field keeps its file, and nothing is done without the new one', async () => {
  const graph = await makeGraph(app.service, await withFile(), 'Cancelled')
  const page = await app.open(`/graphs/${graph.id}`)
  const replace = await replacing(page)
  await replace('unwanted.csv')
  await more(page, 'Fork')
  await waits(page)
  const broken = page.waitForEvent('requestfailed')
  await page.getByRole('button', { name: 'Cancel the upload of unwanted.csv' }).press('Enter')
  await broken
  await page.getByText('A file was not uploaded, and would be missing.').waitFor()
  expect(await page.getByText('“unwanted.csv” is not uploaded').count()).toBe(0)
  await expect.poll(() => page.evaluate('document.activeElement?.textContent')).toBe('Replace')
  await (await replace('wanted.csv')).continue()
  await expect.poll(async () => fileIn(await app.make.read(`/api/v1/graphs/${graph.id}`))).toBe('wanted.csv')
})

test('an upload that is left for another node shows in its own field only, is cancelled there, and follows a new name', async () => {
  const { nodes, edges } = await withFile()
  const definition = { nodes: { ...nodes, other: nodes.table }, edges }
  const graph = await makeGraph(app.service, definition, 'Left and found')
  const page = await app.open(`/graphs/${graph.id}`)
  const replace = await replacing(page)
  const cancel = page.getByRole('button', { name: 'Cancel the upload of left.csv' })
  const upload = await replace('left.csv')
  await cancel.waitFor()
  await node(page, 'other').click()
  await cancel.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Replace' }).click({ trial: true })
  await node(page, 'table').click()
  await cancel.waitFor()
  await typeInto(page.getByLabel('Name of the node'), 'renamed')
  await page.keyboard.press('Enter')
  await node(page, 'renamed').waitFor()
  await cancel.waitFor()
  const broken = page.waitForEvent('requestfailed')
  await cancel.click()
  await broken
  await cancel.waitFor({ state: 'detached' })
  await upload.abort().catch(() => undefined)
  await (await replace('wanted.csv')).continue()
  const files = async () => (await app.make.read(`/api/v1/graphs/${graph.id}`)).definition.nodes
  await expect.poll(async () => (await files()).renamed?.params.file.name).toBe('wanted.csv')
  expect((await files()).other.params.file.name).toBe('old.csv')
})

test('an upload whose node is removed is told of and can be cancelled, and is in its field again if that is undone', async () => {
  const { nodes, edges } = await withFile()
  const definition = { nodes: { ...nodes, other: nodes.table }, edges }
  const graph = await makeGraph(app.service, definition, 'Removed meanwhile')
  const page = await app.open(`/graphs/${graph.id}`)
  const replace = await replacing(page)
  await replace('orphan.csv')
  const cancel = page.getByRole('button', { name: 'Cancel the upload of orphan.csv' })
  const told = page.locator('.banner').filter({ hasText: '“orphan.csv” is uploading for the node “table”' })
  const inspector = page.getByRole('complementary', { name: 'Inspector' })
  await inspector.getByRole('button', { name: 'Cancel the upload of orphan.csv' }).waitFor()
  expect(await told.count()).toBe(0)
  await page.locator('body').press('Delete')
  await node(page, 'table').waitFor({ state: 'detached' })
  await told.getByRole('button', { name: 'Cancel the upload of orphan.csv' }).waitFor()
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'Undo (Ctrl Z)' }).click()
  await told.waitFor({ state: 'detached' })
  await node(page, 'table').click()
  await inspector.getByRole('button', { name: 'Cancel the upload of orphan.csv' }).waitFor()
  await page.locator('body').press('Delete')
  await told.waitFor()
  const broken = page.waitForEvent('requestfailed')
  await cancel.press('Enter')
  await broken
  await told.waitFor({ state: 'detached' })
  await expect.poll(() => page.evaluate('document.activeElement?.closest(".studio-tools") !== null')).toBe(true)
  expect(await page.getByText('is not uploaded').count()).toBe(0)
})

test('an upload that is answered by something else than the service ends, and says so', async () => {
  const graph = await makeGraph(app.service, await withFile(), 'Answered by a stranger')
  const page = await app.open(`/graphs/${graph.id}`)
  const replace = await replacing(page)
  const upload = await replace('lost.csv')
  await more(page, 'Fork')
  await waits(page)
  await upload.fulfill({ status: 200, contentType: 'text/html', body: '<p>Sign in to this network</p>' })
  await page.getByText('Something else than the service has answered.').waitFor()
  await page.getByText('A file was not uploaded, and would be missing.').waitFor()
  expect(fileIn(await app.make.read(`/api/v1/graphs/${graph.id}`))).toBe('old.csv')
})

test('going back in the history of a graph waits for a file that is uploading', async () => {
  const graph = await makeGraph(app.service, await withFile(), 'Gone back')
  await app.service.patch(`/api/v1/graphs/${graph.id}`, { description: 'Later' })
  const page = await app.open(`/graphs/${graph.id}`)
  const replace = await replacing(page)
  const upload = await replace('new.csv')
  await page.getByRole('button', { name: 'History' }).click()
  await page.locator('.timeline-head').last().click()
  await page.getByRole('button', { name: 'Go back to this' }).click()
  await waits(page)
  await upload.continue()
  await page.getByText('The graph is as it stood then', { exact: true }).waitFor()
  expect(fileIn(await app.make.read(`/api/v1/graphs/${graph.id}`))).toBe('old.csv')
  // The file is in the history.
  const { items } = await app.make.read(`/api/v1/graphs/${graph.id}/history`)
  const stood = await Promise.all(
    items.map(({ at }: Body) =>
      app.make.read(`/api/v1/graphs/${graph.id}/history/checkpoint?at=${encodeURIComponent(at)}`),
    ),
  )
  expect(stood.map(fileIn)).toContain('new.csv')
})

test('of a run that was changed elsewhere, what is kept as a graph has the file that is uploading', async () => {
  const { id, definition } = await makeRun(app.service, await withFile())
  const page = await app.open(`/runs/${id}?view=edit`)
  const replace = await replacing(page)
  const nodes = { ...definition.nodes, more: { type: 'input.number', version: 1 } }
  await app.service.patch(`/api/v1/runs/${id}`, { definition: { ...definition, nodes } })
  await (await replace('mine.csv')).continue()
  const keep = page.getByRole('button', { name: 'Keep mine as a graph' })
  await keep.waitFor()
  const upload = await replace('newer.csv')
  await keep.click()
  await waits(page)
  await upload.continue()
  await page.waitForURL(/\/graphs\//)
  const kept = new URL(page.url()).pathname.split('/').at(-1)
  expect(fileIn(await app.make.read(`/api/v1/graphs/${kept}`))).toBe('newer.csv')
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
