// Facts about the fields of a node in the graph editor, and about what the editor says when nothing can be run.
import type { Route } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { definitionOf } from '../server/test/support/definitions.ts'
import { makeGraph, makeRun } from '../server/test/support/runs.ts'
import { type App, startApp } from './support/app.ts'
import { node } from './support/canvas.ts'
import { typeInto } from './support/fields.ts'
import { intercept } from './support/intercept.ts'
import { focused, focusIs } from './support/keyboard.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const words = { type: 'input.text', version: 1, params: { value: 'x' } }

test('JSON that is not finished stays in its field, keeps the graph from running, and is saved once it is finished', async () => {
  const comfy = { type: 'comfyui.run', version: 1, params: {} }
  const { id } = await makeGraph(app.service, definitionOf({ comfy, words }))
  const nodesOf = async () => (await app.make.read(`/api/v1/graphs/${id}`)).definition.nodes
  const page = await app.open(`/graphs/${id}`)
  const form = page.getByLabel('Workflow')
  await node(page, 'comfy').click()
  await form.fill('{"1":')
  await page.getByText('This is not JSON').waitFor()
  await node(page, 'words').click()
  await page.getByRole('heading', { name: 'words' }).waitFor()
  await node(page, 'comfy').click()
  await form.and(page.locator(':text-is(\'{"1":\')')).waitFor()

  const run = page.getByRole('button', { name: 'Run here' })
  await expect.poll(() => run.getAttribute('title')).toMatch(/^“comfy”: Workflow is not JSON yet/)
  expect(await run.isDisabled()).toBe(true)
  await page.locator('.canvas').press('r')
  await page.getByRole('alert').filter({ hasText: '“comfy”: Workflow is not JSON yet' }).waitFor()

  await typeInto(page.getByLabel('Name of the node'), 'renamed')
  await page.keyboard.press('Enter')
  await expect.poll(async () => Object.keys(await nodesOf())).toEqual(['renamed', 'words'])
  page.on('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await node(page, 'renamed').click()
  expect(await form.inputValue()).toBe('{"1":')
  await form.fill('{"1":{}}')
  await expect.poll(async () => (await nodesOf()).renamed.params).toEqual({ workflow: { 1: {} } })
  await expect.poll(() => run.getAttribute('title')).not.toContain('JSON')
})

test('unfinished JSON comes back with its node when an undo brings that back', async () => {
  const { id } = await makeGraph(app.service, definitionOf({ comfy: { type: 'comfyui.run', version: 1, params: {} } }))
  const page = await app.open(`/graphs/${id}`)
  await node(page, 'comfy').click()
  await page.getByLabel('Workflow').fill('{"1":')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Delete')
  await node(page, 'comfy').waitFor({ state: 'detached' })
  await page.keyboard.press('Control+z')
  await node(page, 'comfy').click()
  await expect.poll(() => page.getByLabel('Workflow').inputValue()).toBe('{"1":')
})

test('unfinished JSON in the definition of a run keeps the run from starting', async () => {
  const comfy = { type: 'comfyui.run', version: 1, params: {} }
  const { id } = await makeRun(app.service, definitionOf({ comfy }))
  const page = await app.open(`/runs/${id}?view=edit`)
  await node(page, 'comfy').click()
  await page.getByLabel('Workflow').fill('{"1":')
  await page.getByRole('button', { name: 'Back to the run' }).click()
  const start = page.getByRole('button', { name: 'Start' })
  await expect.poll(() => start.getAttribute('aria-disabled')).toBe('true')
  await start.hover()
  await page.getByRole('tooltip').filter({ hasText: '“comfy”: Workflow is not JSON yet' }).waitFor()
})

test('Escape in the name of a node puts the name back', async () => {
  const { id } = await makeGraph(app.service, definitionOf({ words }))
  const page = await app.open(`/graphs/${id}`)
  await node(page, 'words').click()
  const name = page.getByLabel('Name of the node')
  await typeInto(name, 'half')
  await name.press('Escape')
  await expect.poll(() => name.inputValue()).toBe('words')
  expect(await node(page, 'half').count()).toBe(0)
})

test('a node may be called like a member of every object, and is opened, copied and renamed as others are', async () => {
  const { id } = await makeGraph(app.service, definitionOf({ words }))
  const page = await app.open(`/graphs/${id}`)
  const name = page.getByLabel('Name of the node')
  await node(page, 'words').click()
  await typeInto(name, 'constructor')
  await name.press('Enter')
  await node(page, 'constructor').waitFor()
  await page.getByText('Saved', { exact: true }).waitFor()
  await page.reload()
  await node(page, 'constructor').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Duplicate' }).click()
  await node(page, 'constructor_2').waitFor()
  // The copy lies over the rest of it.
  await node(page, 'constructor').click({ position: { x: 8, y: 8 } })
  await typeInto(name, '__proto__')
  await page.getByText('No node can have this name').waitFor()
  await typeInto(name, 'words')
  await name.press('Enter')
  await expect
    .poll(async () => Object.keys((await app.make.read(`/api/v1/graphs/${id}`)).definition.nodes).toSorted())
    .toEqual(['constructor_2', 'words'])
})

test('Escape leaves the field of a node for the canvas, and an open list of options before it', async () => {
  const { id } = await makeGraph(app.service, definitionOf({ words, split: { type: 'text.split', version: 1 } }))
  const page = await app.open(`/graphs/${id}`)
  const name = page.getByLabel('Name of the node')
  await node(page, 'split').click()
  await name.waitFor()
  const select = page.getByRole('combobox').or(page.locator('.inspector-body [aria-haspopup="listbox"]')).first()
  await select.click()
  await page.getByRole('listbox').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('listbox').waitFor({ state: 'hidden' })
  await focused(page, select)
  await page.keyboard.press('Escape')
  await focusIs(page, 'Canvas')
  expect(await name.count()).toBe(1)
  await page.keyboard.press('Escape')
  await name.waitFor({ state: 'detached' })
})

test('a value at an input is shown to whoever may only look, and no field where there is none', async () => {
  const nodes = { parse: { type: 'csv.parse', version: 1, inputs: { text: 'market\nDE' } } }
  const { id } = await makeGraph(app.service, definitionOf({ ...nodes, bare: { type: 'text.split', version: 1 } }))
  const { id: userId } = await app.service.person('writer')
  const page = await app.open(`/graphs/${id}`, { userId })
  await node(page, 'parse').click()
  const cell = page.getByLabel('market, row 1')
  await cell.and(page.locator('[value="DE"]')).waitFor()
  expect(await cell.isDisabled()).toBe(true)
  await node(page, 'bare').click()
  await page.getByRole('heading', { name: 'bare' }).waitFor()
  expect(await page.locator('.input-entry :is(input, textarea)').count()).toBe(0)
})

test('the button of an empty graph leads to the search of node types, also where that is open', async () => {
  const { id } = await makeGraph(app.service, definitionOf({}))
  const page = await app.open(`/graphs/${id}`)
  await page.getByLabel('Find a node type').waitFor()
  await page.getByRole('button', { name: 'Find a node type' }).click()
  await page.keyboard.type('split')
  expect(await page.getByLabel('Find a node type').inputValue()).toBe('split')
})

test('a run that failed although none of its nodes did says why below the canvas', async () => {
  const run = await makeRun(app.service, definitionOf({ words }), { execute: false })
  const page = await app.open('/graphs')
  const why = 'The run was lost three times, and is not tried again.'
  const answer = async (route: Route) => {
    const response = await route.fetch()
    const { data, ...rest } = await response.json()
    await route.fulfill({
      response,
      json: { ...rest, data: { ...data, run: { ...data.run, status: 'failed', error: why } } },
    })
  }
  await intercept(page, ({ pathname }) => pathname === `/api/v1/runs/${run.id}/changes`, answer)
  await page.goto(`${app.url}/graphs/${run.graph_id}?run=${run.id}`)
  const results = page.getByRole('region', { name: 'Run here' })
  await results.getByText('Failed').waitFor()
  expect(await results.locator('.notice').allInnerTexts()).toEqual([why])
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
