// Facts about automations in the browser: an admin edits them, other users read them, and a card links to the run they started.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { definitionOf } from '../server/test/support/definitions.ts'
import { type App, startApp } from './support/app.ts'
import { violations } from './support/axe.ts'
import { card, cardLink, column } from './support/board.ts'
import { typeInto } from './support/fields.ts'
import { intercept } from './support/intercept.ts'
import { keepShot } from './support/shots.ts'

let app: App
let graphName: string
beforeAll(async () => {
  app = await startApp()
  await app.service.app.worker.start()
  app.service.app.automations.start()
  const definition = definitionOf(
    {
      picture: { type: 'sample.image', params: { prompt: 'A pillow', width: 64, height: 64 } },
      ask: { type: 'gate.approve', params: { title: 'May this picture go on?' } },
    },
    'picture.image > ask.value',
  )
  const { data, body } = await app.service.post('/api/v1/graphs', { name: 'One picture', definition })
  if (body.errors) throw new Error(JSON.stringify(body.errors))
  graphName = data.name
})
afterAll(() => app.close())

test('an automation is written as a sentence, and starts for a task that enters and matches', async () => {
  const page = await app.open('/automations')
  await page.getByText('Nothing happens by itself yet').waitFor()
  await page.getByRole('button', { name: 'New automation' }).click()
  const dialog = page.getByRole('dialog', { name: 'New automation' })
  await dialog.getByLabel('Name').fill('Pictures')
  await dialog.getByRole('button', { name: 'Add condition' }).click()
  await dialog.getByTitle('Field', { exact: true }).selectOption({ label: 'Priority' })
  await dialog.getByTitle('Operator').selectOption({ label: 'is at most' })
  await dialog.getByTitle('Value').fill('2')
  await dialog.getByRole('combobox', { name: 'run the graph' }).click()
  await page.getByRole('option', { name: graphName }).click()
  await dialog.getByText('picture · Picture').waitFor()
  await dialog.getByRole('combobox', { name: 'and then move it to' }).click()
  await page.getByRole('option', { name: 'Tech check' }).click()
  await dialog.getByRole('button', { name: 'Create' }).click()
  await dialog.waitFor({ state: 'detached' })
  const row = page.getByRole('listitem').filter({ hasText: 'Pictures' })
  const sentence =
    'When a task enters Ready for production and Priority is at most 2, run One picture, put picture · Picture on its card, and move it to Tech check.'
  await expect.poll(() => row.getByRole('paragraph').first().textContent()).toBe(sentence)

  const { id } = await app.make.task({ name: 'For a picture', priority: 1 })
  await page.getByRole('link', { name: 'Board', exact: true }).click()
  await cardLink(column(page, 'Backlog'), 'For a picture').waitFor()
  await app.make.patched(id, { status: 'ready_for_production' })
  await card(page, 'For a picture').getByRole('button', { name: 'Needs an answer' }).click()
  await page.getByText('May this picture go on?').first().waitFor()
  expect(new URL(page.url()).pathname).toMatch(/^\/runs\//)
})

test('it cannot be created before it is known what its graph makes, which is read again if that failed', async () => {
  const definition = definitionOf({ bed: { type: 'sample.image', params: { prompt: 'A bed', width: 64, height: 64 } } })
  const { data: graph } = await app.service.post('/api/v1/graphs', { name: 'Not read yet', definition })
  const page = await app.open('/automations')
  await page.getByRole('button', { name: 'New automation' }).click()
  const dialog = page.getByRole('dialog', { name: 'New automation' })
  const held = Promise.withResolvers<void>()
  let isFailing = true
  await intercept(page, `**/api/v1/graphs/${graph.id}`, async (route) => {
    await held.promise
    return isFailing ? route.fulfill({ status: 403, json: { detail: 'Not now.' } }) : route.continue()
  })
  await typeInto(dialog.getByLabel('Name'), 'Too early')
  await dialog.getByRole('combobox', { name: 'run the graph' }).click()
  await page.getByRole('option', { name: 'Not read yet' }).click()
  await dialog.getByPlaceholder('Reading what this graph makes').waitFor()
  const create = dialog.getByRole('button', { name: 'Create' })
  expect(await create.isDisabled()).toBe(true)
  held.resolve()
  const again = dialog.getByRole('button', { name: 'Try again' })
  await again.waitFor()
  expect(await create.isDisabled()).toBe(true)
  isFailing = false
  await again.click()
  await dialog.getByText('bed · Picture').waitFor()
  expect(await create.isEnabled()).toBe(true)
})

test('a graph that could only not be read is not called deleted, and is read again', async () => {
  const { data: graph } = await app.service.post('/api/v1/graphs', { name: 'Unread' })
  const body = { name: 'Of it', on_status: 'done', graph_id: graph.id }
  const { data: automation } = await app.service.post('/api/v1/automations', body)
  const page = await app.open('/notices')
  const url = `**/api/v1/graphs/${graph.id}`
  await intercept(page, url, (route) => route.fulfill({ status: 403, json: { detail: 'Not now.' } }))
  await page.goto(`${app.url}/automations`)
  const row = page.getByRole('listitem').filter({ hasText: 'Of it' })
  await row.getByText('Its graph could not be read. ').waitFor()
  expect(await row.getByText('is deleted').count()).toBe(0)
  await page.unroute(url)
  await row.getByRole('button', { name: 'Try again' }).click()
  await row.getByRole('link', { name: 'Unread' }).waitFor()
  expect(await row.getByText('could not be read').count()).toBe(0)

  await app.make.deleted(`/api/v1/graphs/${graph.id}`)
  await row.getByText('Its graph is deleted').waitFor()
  await app.make.deleted(`/api/v1/automations/${automation.id}`)
})

test('a click beside a form closes it only while nothing was entered; Escape and its button close it always', async () => {
  const page = await app.open('/automations')
  const dialog = page.getByRole('dialog', { name: 'New automation' })
  const beside = () => page.mouse.click(20, 400)
  const open = () => page.getByRole('button', { name: 'New automation' }).click()
  const isGone = () => dialog.waitFor({ state: 'detached' })
  await open()
  await dialog.waitFor()
  await beside()
  await isGone()

  await open()
  await typeInto(dialog.getByLabel('Name'), 'Typed at length')
  await beside()
  expect(await dialog.getByLabel('Name').inputValue()).toBe('Typed at length')
  await page.keyboard.press('Escape')
  await isGone()

  await open()
  await dialog.getByRole('combobox', { name: 'and then move it to' }).click()
  await page.getByRole('option', { name: 'Tech check' }).click()
  await beside()
  await dialog.getByRole('button', { name: 'Not now' }).click()
  await isGone()

  const { id } = await app.make.task({ name: 'Goes live' })
  await page.goto(`${app.url}/tasks/${id}`)
  await page.getByRole('button', { name: 'Menu of the task' }).click()
  await page.getByRole('menuitem', { name: 'Record a launch of the pack' }).click()
  const launch = page.getByRole('dialog', { name: 'The pack went live' })
  await typeInto(launch.getByLabel('Campaign id'), '23852150404470777')
  await beside()
  expect(await launch.getByLabel('Campaign id').inputValue()).toBe('23852150404470777')
  await launch.getByRole('button', { name: 'Cancel' }).click()
  await launch.waitFor({ state: 'detached' })
})

test('a run is started from the task it is for', async () => {
  const { id } = await app.make.task({ name: 'By hand' })
  const page = await app.open(`/tasks/${id}`)
  await page.getByRole('tab', { name: 'Creatives' }).click()
  await page.getByRole('button', { name: 'Make them with a graph' }).click()
  await page.getByRole('combobox', { name: 'Graph' }).click()
  await page.getByRole('option', { name: graphName }).click()
  await page.getByRole('button', { name: 'Start the run' }).click()
  await page.getByText('May this picture go on?').first().waitFor()
  await page.goBack()
  await page.getByRole('tab', { name: 'Runs' }).click()
  await page.getByRole('link', { name: 'Answer it' }).waitFor()
  const { items } = await app.make.read(`/api/v1/runs?task_id=${id}`)
  expect(items).toMatchObject([{ status: 'awaiting_input', task_id: id, pinned_task_id: id }])
})

test('it is turned off, changed, deleted, and brought back by undoing that', async () => {
  const page = await app.open('/automations')
  const list = async () => (await app.make.read('/api/v1/automations')).items
  await page.getByRole('switch', { name: 'Pictures is on' }).click({ force: true })
  await expect.poll(async () => (await list())[0].enabled).toBe(false)
  await page.getByRole('button', { name: 'Menu of Pictures' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit the automation' })
  await dialog.getByRole('button', { name: 'Remove condition' }).click()
  // Another admin changes something else meanwhile, and that stays.
  await app.service.patch(`/api/v1/automations/${(await list())[0].id}`, { to_status: 'done' })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  const [before] = await list()
  expect(before).toMatchObject({ query: null, enabled: false, to_status: 'done' })

  await page.getByRole('button', { name: 'Menu of Pictures' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByText('Nothing happens by itself yet').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('switch', { name: 'Pictures is on' }).waitFor({ state: 'attached' })
  const { name, on_status, graph_id, outputs, to_status } = before
  await expect
    .poll(list)
    .toMatchObject([{ name, on_status, graph_id, outputs, to_status, query: null, enabled: false }])
})

test('whose owner may not act any more says so, and is mended by saving it', async () => {
  const admin = await app.service.person('admin')
  const { data: graph } = await app.service.post('/api/v1/graphs', {
    name: 'Theirs',
    definition: { nodes: [], edges: [] },
  })
  const body = { name: 'Of a former admin', on_status: 'archived', graph_id: graph.id }
  await app.service.post('/api/v1/automations', body, { token: admin.token })
  await app.service.patch(`/api/v1/users/${admin.id}`, { role: 'reader' })
  const page = await app.open('/automations')
  const row = page.getByRole('listitem').filter({ hasText: 'Of a former admin' })
  await row.getByText('is a reader and may not write runs or tasks. Save it to have it act for you.').waitFor()
  await row.getByRole('switch', { name: 'Of a former admin is on' }).click({ force: true })
  await row.getByText('is a reader and may not').waitFor({ state: 'detached' })
  expect(await row.textContent()).toContain('Off · acts for Owner')
})

test('whose integration is revoked says so to an admin', async () => {
  const { data: token } = await app.service.post('/api/v1/tokens', { name: 'Feeder', scopes: ['read', 'admin'] })
  const { data: graph } = await app.service.post('/api/v1/graphs', {
    name: 'Fed',
    definition: { nodes: {}, edges: [] },
  })
  const body = { name: 'Of an integration', on_status: 'archived', graph_id: graph.id }
  await app.service.post('/api/v1/automations', body, { token: token.token })
  const page = await app.open('/automations')
  const row = page.getByRole('listitem').filter({ hasText: 'Of an integration' })
  await row.getByText('The token “Feeder” may not write runs or tasks.').waitFor()
  await app.service.del(`/api/v1/tokens/${token.id}`)
  await page.reload()
  await row.getByText('The token “Feeder” is revoked. Save it to have it act for you.').waitFor()
  expect(await row.textContent()).toContain('acts for an integration')
})

test('who is no admin reads them, and changes nothing', async () => {
  const writer = await app.service.person('writer')
  const page = await app.open('/automations', { userId: writer.id })
  const toggle = page.getByRole('switch', { name: 'Pictures is on' })
  await toggle.waitFor({ state: 'attached' })
  expect(await toggle.isDisabled()).toBe(true)
  expect(await page.getByRole('button', { name: /New automation|Menu of Pictures/ }).count()).toBe(0)
})

describe('an automation that was written over the API', () => {
  /** Creates a graph, and an automation that runs it up to its picture and puts the picture on the card. */
  const withTargets = async (name: string) => {
    const picture = { type: 'sample.image', params: { prompt: 'A bed', width: 64, height: 64 } }
    const { data: graph } = await app.service.post('/api/v1/graphs', {
      name: `Graph of ${name}`,
      definition: definitionOf({ bed: picture }),
    })
    const { data } = await app.service.post('/api/v1/automations', {
      ...{ name, on_status: 'done', graph_id: graph.id, targets: ['bed'] },
      outputs: [{ node_id: 'bed', port: 'image', variation_num: 2 }],
    })
    return data
  }
  const saved = async (id: string) =>
    (await app.make.read('/api/v1/automations')).items.find((one: { id: string }) => one.id === id)
  const edit = async (name: string) => {
    const page = await app.open('/automations')
    await page.getByRole('button', { name: `Menu of ${name}` }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit the automation' })
    const save = async () => {
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.waitFor({ state: 'detached' })
    }
    return { page, dialog, save }
  }

  test('is given another graph, which is then run as a whole', async () => {
    const { id } = await withTargets('Another graph')
    const { page, dialog, save } = await edit('Another graph')
    await dialog.getByRole('combobox', { name: 'only up to' }).waitFor()
    expect(await violations(page)).toEqual([])
    await keepShot(page, 'automation-targets')
    await dialog.getByRole('combobox', { name: 'run the graph' }).click()
    await page.getByRole('option', { name: graphName }).click()
    await dialog.getByText('picture · Picture').waitFor()
    expect(await dialog.getByLabel('only up to').count()).toBe(0)
    await save()
    expect(await saved(id)).toMatchObject({ targets: [], outputs: [{ node_id: 'picture' }] })
  })

  test('whose graph has lost a target is told so at the targets, and can do without them', async () => {
    const { id, graph_id } = await withTargets('Lost target')
    const definition = definitionOf({ pillow: { type: 'sample.image', params: { prompt: 'A pillow' } } })
    await app.service.patch(`/api/v1/graphs/${graph_id}`, { definition })
    const { page, dialog, save } = await edit('Lost target')
    const outputs = dialog.getByRole('combobox', { name: 'put on its card' })
    await dialog.getByText('bed · image for variant 2').waitFor()
    await outputs.press('Backspace')
    await outputs.click()
    await page.getByRole('option', { name: 'pillow · Picture' }).click()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('The definition has no node “bed”.').waitFor()
    await dialog.getByRole('combobox', { name: 'only up to' }).press('Backspace')
    await save()
    expect(await saved(id)).toMatchObject({ targets: [], outputs: [{ node_id: 'pillow' }] })
  })

  test('whose graph is deleted comes back switched off when its removal is undone', async () => {
    const { graph_id } = await withTargets('Broken')
    await app.service.del(`/api/v1/graphs/${graph_id}`)
    const page = await app.open('/automations')
    await page.getByRole('button', { name: 'Menu of Broken' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('“Broken” is back, but switched off').waitFor()
    const toggle = page.getByRole('switch', { name: 'Broken is on' })
    await toggle.waitFor({ state: 'attached' })
    expect(await toggle.isChecked()).toBe(false)
  })
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
