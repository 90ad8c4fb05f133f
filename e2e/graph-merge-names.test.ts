// Facts about a graph that is changed in two windows at once, where a node gets another name in one of them: it stays one node.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, startApp } from './support/app.ts'
import { violations } from './support/axe.ts'
import { node } from './support/canvas.ts'
import { typeInto } from './support/fields.ts'
import { keepShot } from './support/shots.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const text = (value: string) => ({ type: 'input.text', version: 1, params: { value } })
const wire = (from: string, to: string) => ({ from: { node: from, port: 'text' }, to: { node: to, port: 'hook' } })
const nameField = (page: Page) => page.getByLabel('Name of the node')

/** Makes a graph in which the node `hook` leads to the node `ad`, and opens it in two windows with `hook` selected. */
async function inTwoWindows(name: string) {
  const ad = { type: 'text.template', version: 1, params: { template: 'An ad: {{ hook }}' } }
  const { data } = await app.service.post('/api/v1/graphs', {
    name,
    definition: { schema: 1, nodes: { hook: text('Before'), ad }, edges: [wire('hook', 'ad')] },
  })
  const [mine, theirs] = [await app.open(`/graphs/${data.id}`), await app.open(`/graphs/${data.id}`)]
  for (const page of [mine, theirs]) {
    await page.locator('.frame[data-live="live"]').waitFor()
    await node(page, 'hook').click()
    await nameField(page).waitFor()
  }
  const read = () => app.make.read(`/api/v1/graphs/${data.id}`)
  const namesNow = async () => Object.keys((await read()).definition.nodes)
  /** Gives the node another name in the other window, and waits until that is saved. */
  const renameTheirs = async (to: string) => {
    await rename(theirs, to)
    await expect.poll(namesNow).toEqual([to, 'ad'])
  }
  return { mine, ad, read, renameTheirs, definitionNow: async () => (await read()).definition }
}

async function rename(page: Page, to: string): Promise<void> {
  await typeInto(nameField(page), to)
  await nameField(page).press('Enter')
  await node(page, to).waitFor()
}

const dialogOf = async (page: Page) => {
  await page.getByRole('button', { name: 'See both versions' }).click()
  return page.getByRole('dialog', { name: 'Both versions' })
}

test('a node that one window renamed and the other changed is one node with both, where it was, and its wire too', async () => {
  const { mine, ad, read, renameTheirs } = await inTwoWindows('Renamed and changed')
  await renameTheirs('opening')
  await mine.getByLabel('Text', { exact: true }).fill('Changed')
  const dialog = await dialogOf(mine)
  await dialog.getByText('Only you changed: opening').waitFor()
  await dialog.getByText('Only they changed: hook → opening').waitFor()
  await keepShot(mine, 'both-versions-renamed')
  expect(await violations(mine)).toEqual([])
  await dialog.getByRole('button', { name: 'Save both together' }).click()
  await dialog.waitFor({ state: 'detached' })
  const both = { nodes: { opening: text('Changed'), ad }, edges: [wire('opening', 'ad')] }
  await expect.poll(async () => (await read()).definition).toMatchObject(both)
  expect(Object.keys((await read()).definition.nodes)).toEqual(['opening', 'ad'])
  await node(mine, 'opening').waitFor()
  expect(await node(mine, 'hook').count()).toBe(0)
  expect(Object.keys((await read()).ui_state.nodes).toSorted()).toEqual(['ad', 'opening'])
})

test('of two names that both windows gave a node, one is chosen, and the choice stands while the other window changes something else', async () => {
  const { mine, ad, read, renameTheirs, definitionNow } = await inTwoWindows('Two names')
  await renameTheirs('opening')
  await rename(mine, 'headline')
  await mine.getByLabel('Text', { exact: true }).fill('Changed')
  const dialog = await dialogOf(mine)
  const hook = dialog.getByRole('region', { name: 'hook' })
  await hook.getByText('name of the node').first().waitFor()
  await hook.getByText('opening', { exact: true }).waitFor()
  await keepShot(mine, 'both-versions-two-names')
  expect(await violations(mine)).toEqual([])
  const take = hook.getByRole('button', { name: 'Take theirs: hook' })
  await take.click()
  await dialog.getByText('Only you changed: opening').waitFor()
  const { id } = await read()
  const definition = await definitionNow()
  const later = { ...ad, params: { template: 'Later: {{ hook }}' } }
  await app.service.patch(`/api/v1/graphs/${id}`, {
    definition: { ...definition, nodes: { ...definition.nodes, ad: later } },
  })
  await dialog.getByText('Only they changed: ad').waitFor()
  expect(await take.getAttribute('aria-pressed')).toBe('true')
  await dialog.getByRole('button', { name: 'Save both together' }).click()
  await dialog.waitFor({ state: 'detached' })
  await expect
    .poll(definitionNow)
    .toMatchObject({ nodes: { opening: text('Changed'), ad: later }, edges: [wire('opening', 'ad')] })
  expect(Object.keys((await definitionNow()).nodes)).toEqual(['opening', 'ad'])
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
