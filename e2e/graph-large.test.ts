// Facts about graphs and runs of the maximum size: they can be opened, and only the visible part of them is drawn. How long this
// takes is measured by `npm run bench:web`.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeGraph, makeRun, runThrough } from '../server/test/support/runs.ts'
import { type App, startApp } from './support/app.ts'
import { node } from './support/canvas.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
  await app.service.app.worker.start()
})
afterAll(() => app.close())

test('a graph of 1,000 nodes opens', async () => {
  const ids = Array.from({ length: 1000 }, (_, index) => `n${index}`)
  const [first = '', ...others] = ids
  const text = { type: 'input.text', version: 1, params: { value: 'x' } }
  const template = { type: 'text.template', version: 1, params: { template: '{{ text }}' } }
  const edges = others.map((id, index) => ({
    from: { node: ids[Math.floor(index / 2)], port: 'text' },
    to: { node: id, port: 'text' },
  }))
  const nodes = { [first]: text, ...Object.fromEntries(others.map((id) => [id, template])) }
  await makeGraph(app.service, { schema: 1, nodes, edges }, 'A thousand nodes')
  const page = await app.open('/graphs')
  await page.getByRole('link', { name: 'A thousand nodes' }).click()
  await node(page, first).waitFor()
  await expect.poll(() => page.locator('.react-flow__node').count()).toBeLessThan(1000)
})

test('of 5,000 items only those in sight are drawn while they scroll', async () => {
  const words = Array.from({ length: 5000 }, (_, index) => index.toString(36)).join(',')
  const run = await makeRun(app.service, {
    schema: 1,
    nodes: {
      words: { type: 'input.text', version: 1, params: { value: words } },
      parts: { type: 'text.split', version: 1, params: { by: 'separator', separator: ',' } },
      lines: { type: 'text.template', version: 1, params: { template: 'Words for {{ word }}' }, each: ['word'] },
    },
    edges: [
      { from: { node: 'words', port: 'text' }, to: { node: 'parts', port: 'text' } },
      { from: { node: 'parts', port: 'parts' }, to: { node: 'lines', port: 'word' } },
    ],
  })
  expect((await runThrough(app.service, run.id)).status).toBe('succeeded')
  const page = await app.open(`/runs/${run.id}?node=lines`)
  await page.getByText('All 5000').waitFor()
  await page.getByRole('button', { name: 'Open item 1', exact: true }).hover()
  for (let turn = 0; turn < 30; turn += 1) await page.mouse.wheel(0, 1_500)
  await page
    .getByRole('button', { name: /Open item [1-9]\d{2,}/ })
    .first()
    .waitFor()
  expect(await page.locator('.item').count()).toBeLessThan(100)
})
