// Facts about runs in the browser: they are re-rolled by keyboard alone, exported to a card under the names that were shown before,
// compared, rewound, promoted, and given an uploaded file.
import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { definitionOf } from '../server/test/support/definitions.ts'
import type { Body } from '../server/test/support/harness.ts'
import { makeGraph, makeRun, readRun, runThrough, until, untilStatus } from '../server/test/support/runs.ts'
import { type App, startApp } from './support/app.ts'
import { violations } from './support/axe.ts'
import { node, runForTask } from './support/canvas.ts'
import { typeInto } from './support/fields.ts'
import { intercept } from './support/intercept.ts'
import { focusIs, tabTo } from './support/keyboard.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
  await app.service.app.worker.start()
})
afterAll(() => app.close())

const pictures = (...prompts: string[]) =>
  definitionOf(
    {
      rows: { type: 'list.collect', inputs: { values: prompts } },
      image: { type: 'sample.image', params: { width: 72, height: 64 }, each: ['prompt'] },
    },
    'rows.list > image.prompt',
  )
const digests = (run: Body): string[] => run.nodes.image.outputs.image.map(({ digest }: Body) => digest)
/** The indexes of the pictures that differ between two results of a run. */
const changed = (before: Body, after: Body): number[] =>
  digests(after).flatMap((digest, index) => (digest === digests(before)[index] ? [] : [index]))
const atRest = (id: string, generation: number): Promise<Body> =>
  until(app.service, id, (run) => run.generation === generation && run.status === 'succeeded')
const names = (list: Locator): Promise<string[]> => list.getByRole('listitem').allTextContents()

test('everything, several items and one of them are rolled again by keyboard alone', async () => {
  const { id } = await makeRun(app.service, pictures('one', 'two', 'three'))
  const first = await runThrough(app.service, id)
  const page = await app.open(`/runs/${id}`)
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  const inspector = page.getByRole('complementary', { name: 'Inspector' })
  await page.keyboard.press('ArrowRight')
  await inspector.getByRole('heading', { name: 'rows' }).waitFor()
  await page.keyboard.press('ArrowRight')
  await inspector.getByRole('heading', { name: 'image' }).waitFor()
  await page.keyboard.press('Enter')
  await focusIs(page, 'Roll all again')
  await page.keyboard.press('Enter')
  const all = await atRest(id, 2)
  expect(changed(first, all)).toEqual([0, 1, 2])

  await page.getByRole('status').filter({ hasText: 'Succeeded' }).waitFor()
  await focusIs(page, 'Roll all again')
  await tabTo(page, 'Select item 1')
  await page.keyboard.press('Space')
  await tabTo(page, 'Select item 3')
  await page.keyboard.press('Space')
  await tabTo(page, 'Roll 2 again')
  await page.keyboard.press('Enter')
  const two = await atRest(id, 3)
  expect(changed(all, two)).toEqual([0, 2])

  await page.getByRole('status').filter({ hasText: 'Succeeded' }).waitFor()
  await page.getByRole('toolbar', { name: 'Selected items' }).waitFor({ state: 'detached' })
  await tabTo(page, 'Open item 2')
  await page.keyboard.press('Enter')
  await tabTo(page, 'Roll this again')
  await page.keyboard.press('Enter')
  const one = await atRest(id, 4)
  expect(changed(two, one)).toEqual([1])
  await tabTo(page, 'All items', 'Shift+Tab')
  await page.keyboard.press('Enter')
  await focusIs(page, 'Open item 2')
})

test('what is told before the export are the very names of the creatives, then and again', async () => {
  const task = await app.make.task({ name: 'Named before', count: 4 })
  // This deleted creative has the first planned name. The name stays reserved, because the creative can still be restored.
  const early = await app.make.creative(task.id)
  await app.make.deleted(`/api/v1/creatives/${early.id}`)
  const { id } = await makeRun(app.service, pictures('x', 'y', 'z'), { task_id: task.id, pinned_task_id: task.id })
  await runThrough(app.service, id)
  const page = await app.open(`/runs/${id}`)
  const dialog = page.getByRole('dialog', { name: 'Export to a task' })
  const onCard = async (): Promise<string[]> =>
    (await app.make.read(`/api/v1/tasks/${task.id}/creatives`)).items.map(({ name }: Body) => name).toSorted()

  await page.getByRole('button', { name: 'Export', exact: true }).click()
  await dialog.getByRole('checkbox', { name: 'image · Picture, item 2' }).uncheck()
  const told = dialog.getByRole('list', { name: '2 new creatives' })
  await told.waitFor()
  const first = await names(told)
  expect(first).not.toContain(early.name)
  await dialog.getByRole('button', { name: 'Export 2 files' }).click()
  await page.getByText('2 creatives are on the card.').waitFor()
  expect(await onCard()).toEqual(first.toSorted())
  await dialog.getByRole('button', { name: 'Back to the run' }).click()

  await page.getByRole('button', { name: 'Export', exact: true }).click()
  const next = dialog.getByRole('list', { name: 'The new creative' })
  await next.waitFor()
  expect((await names(dialog.getByRole('list', { name: 'On the card already' }))).toSorted()).toEqual(first.toSorted())
  const second = await names(next)
  expect(await violations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Export 3 files' }).click()
  await page.getByText('1 creative is on the card.').waitFor()
  expect(await onCard()).toEqual([...first, ...second].toSorted())
})

/** Makes a run with one picture at the node “art”, and the same 800 files of another run at the node “many”. */
async function makeLongRun(body: object = {}): Promise<string> {
  const { id: source } = await makeRun(app.service, pictures('x'))
  const [file] = (await runThrough(app.service, source)).nodes.image.outputs.image
  const half = { type: 'list.collect', inputs: { values: Array.from({ length: 400 }, () => file) } }
  const definition = definitionOf(
    {
      art: { type: 'sample.image', params: { width: 72, height: 64 }, inputs: { prompt: 'art' } },
      ...{ one: half, other: half, many: { type: 'list.collect' } },
    },
    'one.list > many.values',
    'other.list > many.values',
  )
  const { id } = await makeRun(app.service, definition, body)
  await runThrough(app.service, id)
  return id
}

test('of more files than one export accepts, each can be chosen, and as many at a time as it accepts', async () => {
  const task = await app.make.task({ name: 'For many files' })
  const id = await makeLongRun({ pinned_task_id: task.id })
  const page = await app.open(`/runs/${id}`)
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Export to a task' })
  await dialog.getByRole('button', { name: 'Show 60 more of 740' }).click()
  await dialog.getByRole('button', { name: 'Show 60 more of 680' }).waitFor()
  await dialog.getByRole('checkbox', { name: 'many · List, item 61', exact: true }).check()
  await dialog.getByRole('button', { name: 'Export 3 files' }).click()
  await page.getByText('3 creatives are on the card.').waitFor()
  await dialog.getByRole('button', { name: 'Back to the run' }).click()

  await page.getByRole('button', { name: 'Export', exact: true }).click()
  await dialog.getByRole('checkbox', { name: 'many · List', exact: true }).check()
  await dialog.getByText('At most 500 files at a time').waitFor()
  await dialog.getByRole('button', { name: 'Choose the next 500' }).click()
  await dialog.getByRole('button', { name: 'Export 500 files' }).waitFor()
  // What was exported before is not chosen again.
  expect(await dialog.getByRole('checkbox', { name: 'many · List, item 1', exact: true }).isChecked()).toBe(false)
  expect(await dialog.getByRole('checkbox', { name: 'many · List, item 2', exact: true }).isChecked()).toBe(true)
  expect(await violations(page)).toEqual([])
})

test('an exported run leads to the card that has its files, not to the one that exports go to by default', async () => {
  const [pinned, other] = [await app.make.task({ name: 'By default' }), await app.make.task({ name: 'Chosen instead' })]
  const { id } = await makeRun(app.service, pictures('x'), { pinned_task_id: pinned.id })
  await runThrough(app.service, id)
  const outputs = [{ node_id: 'image', port: 'image', item: 0 }]
  await app.service.post(`/api/v1/runs/${id}/export`, { task_id: other.id, outputs })
  const page = await app.open(`/runs/${id}`)
  await page.getByRole('link', { name: 'To the card' }).click()
  await page.getByRole('heading', { name: 'Chosen instead' }).waitFor()
  expect(new URL(page.url()).pathname).toBe(`/tasks/${other.id}`)
})

test('who may only look is told at a gate why it cannot be answered, and by keyboard why the run cannot be started', async () => {
  const definition = definitionOf({ ok: { type: 'gate.approve', inputs: { value: 'this' } } })
  const { id } = await makeRun(app.service, definition)
  await runThrough(app.service, id)
  const reader = await app.service.person('reader')
  const page = await app.open(`/runs/${id}`, { userId: reader.id })
  await page.getByRole('button', { name: /^Approve/ }).waitFor()
  await page.getByText('You may look, and not answer.').waitFor()
  expect(await violations(page)).toEqual([])
  await tabTo(page, 'Run again', 'Shift+Tab')
  await page.getByRole('tooltip').getByText('You may look at runs, and not change them.').waitFor()
})

test('the key ? lists the keyboard shortcuts also at the question of a gate, and beside the open node of a graph', async () => {
  const definition = definitionOf({ ok: { type: 'gate.approve', inputs: { value: 'this' } } })
  const { id, graph_id } = await makeRun(app.service, definition)
  await runThrough(app.service, id)
  const page = await app.open(`/runs/${id}`)
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  const opensHelp = async (group: string) => {
    await page.keyboard.press('?')
    await help.getByText(group, { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await help.waitFor({ state: 'detached' })
  }
  const approve = page.getByRole('button', { name: /^Approve/ })
  await approve.focus()
  await opensHelp('At a gate')
  await page.evaluate('document.activeElement.blur()')
  await opensHelp('At a gate')
  expect(await approve.count()).toBe(1)
  await page.goto(`${app.url}/graphs/${graph_id}`)
  await node(page, 'ok').click()
  await page.getByLabel('Name of the node').waitFor()
  await opensHelp('Build')
  await page.getByRole('complementary', { name: 'Inspector' }).getByRole('button').first().focus()
  await opensHelp('Build')
})

test('beside a list too long for the state of a run, the export shows other pictures as they are now', async () => {
  const id = await makeLongRun()
  const page = await app.open(`/runs/${id}`)
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Export to a task' })
  await dialog.getByText('Show 60 more of 740').waitFor()
  await page.keyboard.press('Escape')
  await focusIs(page, 'Export')
  await page.keyboard.press('Enter')
  const picture = dialog
    .getByRole('listitem')
    .filter({ has: page.getByRole('checkbox', { name: 'art · Picture', exact: true }) })
    .getByRole('presentation')
  const before = await picture.getAttribute('src')
  await runThrough(app.service, id, { regenerate: [{ node_id: 'art' }] })
  await expect.poll(() => picture.getAttribute('src')).not.toBe(before)
})

test('two runs of a graph stand side by side, and differ where they differ', async () => {
  const run = await makeRun(app.service, pictures('left', 'right'))
  const one = await runThrough(app.service, run.id)
  const { data: sibling } = await app.service.post(`/api/v1/graphs/${run.graph_id}/runs`, { from_run: run.id })
  const page = await app.open(`/runs/${run.id}`)
  await page.getByRole('button', { name: 'More about this run' }).click()
  await page.getByRole('menuitem', { name: 'Compare with another run' }).click()
  const dialog = page.getByRole('dialog', { name: 'Compare with another run' })
  await dialog.getByRole('button', { name: /generation 0/ }).waitFor()
  await app.service.patch(`/api/v1/runs/${sibling.id}`, { definition: pictures('left', 'wrong') })
  const other = await runThrough(app.service, sibling.id)
  expect(changed(one, other)).toEqual([1])
  await dialog.getByRole('button', { name: /generation/ }).click()
  await page.getByRole('heading', { name: 'Two runs compared' }).waitFor()
  const image = page.getByRole('region', { name: 'image', exact: true })
  await image.getByText('1 equal member left out').nth(1).waitFor()
  await image.getByRole('heading', { name: 'item 2' }).nth(1).waitFor()
  await expect.poll(() => image.getByRole('button', { name: /^Open / }).count()).toBe(2)
  await page.getByText('Their definitions differ').click()
  await page.getByText('values: ["left","right"] → ["left","wrong"]').waitFor()
  expect(await violations(page)).toEqual([])

  await app.service.patch(`/api/v1/runs/${sibling.id}`, { definition: run.definition })
  await runThrough(app.service, sibling.id)
  await page.reload()
  await page.getByText('Every node made the same in both.').waitFor()
  await page.getByRole('switch', { name: 'Only where they differ' }).click({ force: true })
  await page.getByRole('region', { name: 'rows', exact: true }).waitFor()
  await page.getByRole('link', { name: 'Back to the run' }).click()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
})

test('before a run is put back one sees what it had made then, and what is left comes back as well', async () => {
  const { id } = await makeRun(app.service, pictures('then', 'now'))
  const first = await runThrough(app.service, id)
  const second = await runThrough(app.service, id, { regenerate: [{ node_id: 'image', item: 1 }] })
  expect(changed(first, second)).toEqual([1])
  const page = await app.open(`/runs/${id}`)
  await page.getByRole('button', { name: 'History' }).click()
  const points = page.getByRole('complementary', { name: 'Inspector' }).getByRole('listitem')
  await points.nth(1).getByRole('button').first().click()
  const comes = page.getByRole('list', { name: 'What comes back' })
  await comes.getByText('2 items').waitFor()
  await page.getByText('1 node stays what it is.').waitFor()
  await expect.poll(() => comes.getByRole('button', { name: /^Open / }).count()).toBe(2)
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'Go back to this' }).click()
  await page.getByText('The run is as it stood then').waitFor()
  expect(digests(await readRun(app.service, id))).toEqual(digests(first))
})

test('a run is promoted over a graph that moved on: the diff says so, the conflict is told, nothing is lost', async () => {
  const words = (value: string, more: object = {}) =>
    definitionOf({ words: { type: 'input.text', params: { value } }, ...more })
  const graph = await makeGraph(app.service, words('as it was'), 'Moved on')
  const { data: run } = await app.service.post(`/api/v1/graphs/${graph.id}/runs`, {})
  await app.service.patch(`/api/v1/runs/${run.id}`, { definition: words('as the run has it') })
  const number = { type: 'input.number', params: { value: 1 } }
  await app.service.patch(`/api/v1/graphs/${graph.id}`, { definition: words('as it was', { theirs: number }) })
  const page = await app.open(`/runs/${run.id}`)
  await page.getByRole('button', { name: 'More about this run' }).click()
  await page.getByRole('menuitem', { name: 'Promote to the graph' }).click()
  const dialog = page.getByRole('dialog', { name: 'Promote to “Moved on”' })
  await dialog.getByText('The graph has changed since this run was made of it').waitFor()
  await dialog.getByText('value: "as it was" → "as the run has it"').waitFor()
  await dialog.getByText('theirs', { exact: true }).waitFor()
  expect(await violations(page)).toEqual([])

  const late = words('as it was', { theirs: number, late: number })
  await app.service.patch(`/api/v1/graphs/${graph.id}`, { definition: late })
  await dialog.getByRole('button', { name: 'Promote', exact: true }).click()
  await dialog.getByRole('alert').getByText('The graph was changed while you looked.').waitFor()
  await dialog.getByText('late', { exact: true }).waitFor()
  expect((await app.make.read(`/api/v1/graphs/${graph.id}`)).definition).toEqual(late)

  await dialog.getByRole('button', { name: 'Promote', exact: true }).click()
  await dialog.getByText('What was there is in the history of the graph').waitFor()
  await dialog.getByRole('link', { name: 'Open the graph' }).click()
  await page.getByRole('button', { name: 'History' }).click()
  await page.getByRole('complementary').getByRole('listitem').nth(1).getByRole('button').first().click()
  await page.getByText('late', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Go back to this' }).click()
  await expect.poll(async () => (await app.make.read(`/api/v1/graphs/${graph.id}`)).definition).toEqual(late)
})

test('a run for one variant changes nothing of its graph by that, and the list of a promotion says so', async () => {
  const variants = [{ key: 'two', variation_num: 2 }]
  const { id: task_id } = await app.make.task({ name: 'With variants', variants })
  const definition = definitionOf({ card: { type: 'task.fields', params: { variant: 1 } } })
  const { id } = await makeRun(app.service, definition, { task_id, pinned_task_id: task_id, variation_num: 2 })
  const page = await app.open(`/runs/${id}`)
  await page.getByRole('button', { name: 'More about this run' }).click()
  await page.getByRole('menuitem', { name: 'Promote to the graph' }).click()
  const dialog = page.getByRole('dialog', { name: 'Promote to “A graph”' })
  await dialog.getByText('Nothing: the graph is as this run has it.').waitFor()
  expect(await dialog.getByRole('button', { name: 'Promote', exact: true }).isDisabled()).toBe(true)
})

test('everything is started by the choice that says so, also of a run that was prepared for one node', async () => {
  const words = (...ids: string[]) =>
    definitionOf(Object.fromEntries(ids.map((node) => [node, { type: 'input.text', params: { value: 'x' } }])))
  const { id } = await makeRun(app.service, words('one', 'two', 'three'), { targets: ['one'] })
  await app.service.patch(`/api/v1/runs/${id}`, { definition: words('two', 'three') })
  const page = await app.open(`/runs/${id}`)
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await page.getByRole('menuitem', { name: /^Everything/ }).click()
  expect(Object.keys((await atRest(id, 1)).nodes).toSorted()).toEqual(['three', 'two'])
})

test('a task is found by its number as it is shown, and others can be chosen after it', async () => {
  const [first, second] = [await app.make.task({ name: 'Found first' }), await app.make.task({ name: 'Found second' })]
  const page = await app.open('/runs')
  const field = page.getByRole('combobox', { name: 'Task', exact: true })
  const label = ({ number, name }: Body) => `#${number} ${name}`
  await field.click()
  await typeInto(field, `#${first.number}`)
  await page.getByRole('option', { name: label(first) }).click()
  await page.waitForURL((url) => url.search.includes(first.id))
  await expect.poll(() => field.inputValue()).toBe(label(first))
  await field.click()
  await page.getByRole('option', { name: label(second) }).click()
  await page.waitForURL((url) => url.search.includes(second.id))
})

test('a file is uploaded in the form of a node, replaced, and is what the run gives', async () => {
  const graph = await makeGraph(app.service, definitionOf({ table: { type: 'input.file' } }), 'From a file')
  const page = await app.open(`/graphs/${graph.id}`)
  await page.locator('.react-flow__node[data-id="table"]').click()
  const form = page.getByRole('complementary', { name: 'Inspector' })
  const choose = async (button: string, name: string, text: string) => {
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      form.getByRole('button', { name: button }).click(),
    ])
    await chooser.setFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
    await form.locator('.file-chip-name', { hasText: name }).waitFor()
  }
  await choose('Upload', 'wrong.csv', 'a,b')
  await form.getByRole('button', { name: 'Take wrong.csv away' }).click()
  await form.getByText('wrong.csv').waitFor({ state: 'detached' })
  await choose('Upload', 'first.csv', 'hook\nGlow')
  await choose('Replace', 'second.csv', 'hook\nShine')
  await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor()
  expect(await violations(page)).toEqual([])
  const params = async () => (await app.make.read(`/api/v1/graphs/${graph.id}`)).definition.nodes.table.params
  await expect.poll(params).toMatchObject({ file: { name: 'second.csv', media_type: 'text/csv', size: 10 } })
  const { file } = await params()
  expect((await app.service.get(`/api/v1/files/${file.digest}`)).text).toBe('hook\nShine')

  await runForTask(page)
  await page.getByRole('button', { name: 'Start now' }).click()
  await page.getByRole('status').filter({ hasText: 'Succeeded' }).waitFor()
  const run = await untilStatus(app.service, new URL(page.url()).pathname.split('/').at(-1) ?? '', 'succeeded')
  expect(run.nodes.table.outputs).toMatchObject({ file: { digest: file.digest }, name: 'second.csv' })
})

test('a file that is refused is told, and the form keeps what it had', async () => {
  const graph = await makeGraph(app.service, definitionOf({ table: { type: 'input.file' } }), 'Refused')
  const page = await app.open(`/graphs/${graph.id}`)
  await page.locator('.react-flow__node[data-id="table"]').click()
  await intercept(page, '**/api/v1/files', (route) => route.abort())
  const upload = page.getByRole('complementary', { name: 'Inspector' }).getByRole('button', { name: 'Upload' })
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), upload.click()])
  await chooser.setFiles({ name: 'lost.csv', mimeType: 'text/csv', buffer: Buffer.from('x') })
  await page.getByText('The service cannot be reached.').waitFor()
  await page.getByRole('button', { name: 'Upload' }).waitFor()
  expect((await app.make.read(`/api/v1/graphs/${graph.id}`)).definition.nodes.table.params).toEqual({})
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
