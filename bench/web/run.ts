// In charge of measuring a run of five thousand items: opening the run, scrolling its items, and watching while the items are made.
import type { Page } from 'playwright-core'
import type { Bench } from '../web.ts'
import { type Traffic, trafficOf } from './traffic.ts'
import { heldFigures } from './watch.ts'

const count = 5_000
const watchedMs = 12_000

/**
 * A graph whose last node has an item for each of many texts. With `sample.chat` each item is a paid call, which takes some time.
 */
const definition = (type: string, port: string, params: object): object => ({
  schema: 1,
  nodes: {
    words: {
      type: 'input.text',
      version: 1,
      params: { value: Array.from({ length: count }, (_, index) => index.toString(36)).join(',') },
    },
    parts: { type: 'text.split', version: 1, params: { by: 'separator', separator: ',' } },
    lines: { type, version: 1, params, each: [port] },
  },
  edges: [
    { from: { node: 'words', port: 'text' }, to: { node: 'parts', port: 'text' } },
    { from: { node: 'parts', port: 'parts' }, to: { node: 'lines', port } },
  ],
})

export async function measureRun(bench: Bench): Promise<void> {
  const { stage, figures, watch } = bench
  figures.heading('A run of 5,000 items')
  const done = await started(bench, definition('text.template', 'word', { template: 'Words for {{ word }}' }))
  await untilStatus(bench, done, ['succeeded'])
  const page = await stage.visitor()
  await page.goto(`${stage.url}/runs/${done}?node=lines`, { waitUntil: 'commit' })
  await itemsShown(page)
  figures.add({
    what: 'opened by its address in a browser that has never been here',
    figure: await page.evaluate('performance.now()'),
    unit: 'ms',
  })
  await page.goto(`${stage.url}/runs`)
  const link = page.locator(`a[href="/runs/${done}"]`).first()
  await link.waitFor()
  const opening = await watch(page, 'run-open', async () => {
    await link.click()
    await page
      .getByRole('button', { name: /^lines/ })
      .first()
      .click()
    await itemsShown(page)
  })
  figures.add(...heldFigures('opening it, and the node with the items', opening))
  const scrolling = await watch(page, 'run-scroll', () => scrolled(page))
  figures.add(...heldFigures('scrolling all of its items', scrolling))
  await page.context().close()
  await measureLive(bench)
}

async function measureLive(bench: Bench): Promise<void> {
  const { stage, figures, watch } = bench
  const live = await started(bench, definition('sample.chat', 'prompt', { delay_ms: 300 }))
  const page = await stage.open(`/runs/${live}?node=lines`)
  await itemsShown(page)
  const before = await finished(page)
  const lookedOn = async () => {
    await page.getByRole('button', { name: 'Open item 1', exact: true }).hover()
    for (const end = performance.now() + watchedMs; performance.now() < end; ) {
      await page.mouse.wheel(0, 300)
      await page.evaluate('new Promise((resolve) => setTimeout(resolve, 100))')
    }
  }
  const read: Traffic[] = []
  const working = await watch(page, 'run-live', async () => read.push(await trafficOf(page, lookedOn)))
  const { answers, bytes, seconds } = read[0] ?? { answers: 0, bytes: 0, seconds: 1 }
  const made = (await finished(page)) - before
  figures.add(
    ...heldFigures('looking on for 12 s while they are made, and scrolling', working),
    { what: '… items made meanwhile, as the page told them', figure: made, unit: '' },
    {
      what: '… read meanwhile, each second',
      figure: bytes / 1024 / seconds,
      unit: 'KB',
      note: `${answers} answers, ${Math.round(bytes / made)} bytes for each item that was made`,
    },
  )
  await stage.post(`/api/v1/runs/${live}/cancel`, {})
  await page.context().close()
}

async function started({ stage }: Bench, definition: object): Promise<string> {
  const graph = await stage.post<{ id: string }>('/api/v1/graphs', { name: 'Items', definition })
  const run = await stage.post<{ id: string }>(`/api/v1/graphs/${graph.id}/runs`, { execute: true })
  return run.id
}

async function untilStatus({ stage }: Bench, id: string, statuses: readonly string[]): Promise<void> {
  for (const deadline = performance.now() + 60_000; performance.now() < deadline; ) {
    const { items } = await stage.get<{ items: { id: string; status: string }[] }>('/api/v1/runs?limit=10')
    if (items.some((run) => run.id === id && statuses.includes(run.status))) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`The run did not come to ${statuses.join(' or ')}.`)
}

const itemsShown = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Open item 1', exact: true }).waitFor()

/** Returns the number of finished items, which the canvas shows at the node in the form `1,234 of 5000`. */
async function finished(page: Page): Promise<number> {
  const told = await page.locator('.react-flow__node[data-id="lines"]').textContent()
  return Number(/([\d,.]+) of/.exec(told ?? '')?.[1]?.replaceAll(/\D/g, '') ?? 0)
}

async function scrolled(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Open item 1', exact: true }).hover()
  for (const deadline = performance.now() + 60_000; performance.now() < deadline; ) {
    for (let turn = 0; turn < 4; turn += 1) await page.mouse.wheel(0, 1_500)
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(resolve))')
    const isOver: boolean = await page.evaluate(`(({ scrollTop, scrollHeight, clientHeight }) =>
      scrollTop + clientHeight >= scrollHeight - 2)(document.querySelector('.gallery-scroll'))`)
    if (isOver) return
  }
  throw new Error('The items did not come to their end within a minute.')
}
