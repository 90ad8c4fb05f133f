// Facts about Undo in the graph editor, about going back in the history of a graph, and about numbers with too many digits.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { definitionOf } from '../server/test/support/definitions.ts'
import { makeRun } from '../server/test/support/runs.ts'
import { type App, startApp } from './support/app.ts'
import { add, node } from './support/canvas.ts'
import { typeInto } from './support/fields.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

async function openGraph(nodes: Record<string, unknown>) {
  const definition = { schema: 1, nodes, edges: [] }
  const { data } = await app.service.post('/api/v1/graphs', { name: 'First name', definition })
  const graph = () => app.make.read(`/api/v1/graphs/${data.id}`)
  const page = await app.open(`/graphs/${data.id}`)
  return { page, graph, read: async () => (await graph()).definition.nodes }
}
const words = { type: 'input.text', version: 1, params: { value: 'x' } }

test('an undo takes back what was typed in a field since it was last left, and each change of the rows of a table', async () => {
  const table = { type: 'csv.parse', version: 1, inputs: { text: 'market\nDE\nFR\nES' } }
  const { page, read } = await openGraph({ words, table })
  const value = async () => (await read()).words.params.value
  const undo = () => page.locator('.canvas').press('Control+z')
  const text = page.getByRole('textbox', { name: 'Text', exact: true })
  await node(page, 'words').click()
  await typeInto(text, 'first')
  await node(page, 'table').click()
  await page.getByLabel('market, row 1').waitFor()
  await node(page, 'words').click()
  await typeInto(text, 'second')
  await page.keyboard.press('Escape')
  await text.focus()
  await typeInto(text, 'third')
  await expect.poll(value).toBe('third')
  await page.keyboard.press('Escape')
  for (const before of ['second', 'first', 'x']) {
    await undo()
    await expect.poll(value).toBe(before)
  }

  const rows = async () => (await read()).table.inputs.text
  await node(page, 'table').click()
  await page.getByRole('button', { name: 'Remove row 1' }).click()
  await page.getByRole('button', { name: 'Remove row 1' }).click()
  await page.getByRole('button', { name: 'Clear' }).click()
  await expect.poll(rows).toBeUndefined()
  await page.keyboard.press('Escape')
  for (const before of ['market\nES', 'market\nFR\nES', 'market\nDE\nFR\nES']) {
    await undo()
    await expect.poll(rows).toBe(before)
  }
})

test('unfinished JSON of a removed node is not in a new one of the same name, and comes back with its own', async () => {
  const { page, read } = await openGraph({ run: { type: 'comfyui.run', version: 1, params: {} } })
  const form = page.getByLabel('Workflow')
  await node(page, 'run').click()
  await form.fill('{"1":')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Delete')
  await node(page, 'run').waitFor({ state: 'detached' })
  await add(page, 'ComfyUI')
  await node(page, 'run').click()
  await form.waitFor()
  expect(await form.inputValue()).not.toContain('"1"')
  await expect.poll(async () => Object.keys(await read())).toEqual(['run'])
  await page.locator('.canvas').press('Control+z')
  await node(page, 'run').waitFor({ state: 'detached' })
  await page.locator('.canvas').press('Control+z')
  await node(page, 'run').click()
  await expect.poll(() => form.inputValue()).toBe('{"1":')
})

test('before one goes back in the history, the name, the description and unfinished JSON are told of too', async () => {
  const { page, graph } = await openGraph({ comfy: { type: 'comfyui.run', version: 1, params: {} } })
  const { id, name, description } = await graph()
  const { etag } = (await app.service.get(`/api/v1/graphs/${id}`)).headers
  const other = { name: 'Second name', description: 'What it is for.' }
  await app.service.patch(`/api/v1/graphs/${id}`, other, { headers: { 'if-match': String(etag) } })
  await page.reload()
  const form = page.getByLabel('Workflow')
  await node(page, 'comfy').click()
  await form.fill('{"1":')
  await page.getByText('This is not JSON').waitFor()
  await page.getByRole('button', { name: 'History' }).click()
  await page.locator('.timeline-head').last().click()
  await page.getByText('Its name: “Second name” → “First name”.').waitFor()
  await page.getByText('The description becomes what it was then.').waitFor()
  await page.getByText('What is not JSON yet in its field is not kept.').waitFor()
  await page.getByRole('button', { name: 'Go back to this' }).click()
  await page.getByText('The graph is as it stood then').waitFor()
  expect(await graph()).toMatchObject({ name, description })
  await page.getByRole('heading', { name: 'History' }).waitFor({ state: 'detached' })
  await node(page, 'comfy').click()
  await form.waitFor()
  expect(await form.inputValue()).not.toContain('"1"')
})

test('a number with more digits than a number has stays in its field with words that say so, and is not saved as another', async () => {
  const { page, read } = await openGraph({ number: { type: 'input.number', version: 1, params: { value: 5 } } })
  const value = async () => (await read()).number.params.value
  await node(page, 'number').click()
  const field = page.getByRole('textbox', { name: 'Number', exact: true })
  await typeInto(field, '12345678901234567890')
  await page.getByText('12345678901234567890 has too many digits').waitFor()
  await field.blur()
  expect(await field.inputValue()).toBe('12345678901234567890')
  await expect.poll(value).toBe(5)
  await typeInto(field, '19.90')
  await expect.poll(value).toBe(19.9)
  expect(await field.inputValue()).toBe('19.90')
  await field.blur()
  expect(await page.getByText('has too many digits').count()).toBe(0)
  expect(await value()).toBe(19.9)
  await typeInto(field, '12345678901234567')
  await field.blur()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => field.inputValue()).toBe('5')
})

test('going back in the history of a run forgets unfinished JSON, and says so first', async () => {
  const run = await makeRun(
    app.service,
    definitionOf({ comfy: { type: 'comfyui.run', version: 1, params: {} }, words }),
  )
  const body = { definition: definitionOf({ comfy: { type: 'comfyui.run', version: 1, params: {} } }) }
  await app.service.patch(`/api/v1/runs/${run.id}`, body, { headers: { 'if-match': '*' } })
  const page = await app.open(`/runs/${run.id}?view=edit`)
  await node(page, 'comfy').click()
  await page.getByLabel('Workflow').fill('{"1":')
  await page.getByRole('button', { name: 'Back to the run' }).click()
  const start = page.getByRole('button', { name: 'Start' })
  await expect.poll(() => start.getAttribute('aria-disabled')).toBe('true')
  await page.getByRole('button', { name: 'History' }).click()
  await page.locator('.timeline-head').last().click()
  await page.getByText('What is not JSON yet in its field is not kept.').waitFor()
  await page.getByRole('button', { name: 'Go back to this' }).click()
  await page.getByText('The run is as it stood then').waitFor()
  // The run was never started, so it starts, and does not run again.
  await expect.poll(() => start.getAttribute('aria-disabled')).not.toBe('true')
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
