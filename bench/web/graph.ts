// In charge of measuring a graph of a thousand nodes: opening it, and moving and zooming the view.
import type { Page } from 'playwright-core'
import type { Bench } from '../web.ts'
import type { Figures } from './figures.ts'
import type { WebStage } from './stage.ts'
import { heldFigures, processorTime } from './watch.ts'

const size = 1_000

/** Builds the definition of a binary tree: each node feeds two other nodes, as far as there are any. */
function definition(): object {
  const ids = Array.from({ length: size }, (_, index) => `n${index}`)
  const [first = '', ...others] = ids
  const text = { type: 'input.text', version: 1, params: { value: 'x' } }
  const template = { type: 'text.template', version: 1, params: { template: '{{ text }}' } }
  return {
    schema: 1,
    nodes: { [first]: text, ...Object.fromEntries(others.map((id) => [id, template])) },
    edges: others.map((id, index) => ({
      from: { node: ids[Math.floor(index / 2)], port: 'text' },
      to: { node: id, port: 'text' },
    })),
  }
}

export async function measureGraph({ stage, figures, watch }: Bench): Promise<void> {
  const { id } = await stage.post<{ id: string }>('/api/v1/graphs', { name: 'Thousand', definition: definition() })
  figures.heading('A graph of 1,000 nodes')
  const url = `${stage.url}/graphs/${id}`
  const page = await measureOpening(stage, figures, url)
  await page.goto(`${stage.url}/graphs`)
  const link = page.locator(`a[href="/graphs/${id}"]`).first()
  await link.waitFor()
  await page.evaluate(
    `document.querySelector('a[href="/graphs/${id}"]').addEventListener('click', () => { clicked = performance.now() })`,
  )
  let shown = 0
  const opening = await watch(page, 'graph-open', async () => {
    await link.click()
    shown = await page.evaluate(untilNodeShows('n0'))
  })
  const fromList = shown - Number(await page.evaluate('clicked'))
  figures.add(
    { what: 'opened from the list of graphs', figure: fromList, unit: 'ms', atMost: 1_000 },
    ...heldFigures('… meanwhile', opening),
  )
  const pan = await watch(page, 'graph-pan', () => panned(page))
  figures.add(...heldFigures('panning with the mouse, 4,000 px', pan))
  const zoom = await watch(page, 'graph-zoom', () => zoomed(page))
  figures.add(...heldFigures('zooming out to all of it and in again', zoom))
  await page.context().close()
}

const visitors = 5

/**
 * Measures how long it takes to open the graph; returns the page of the last visitor. The time varies by a third, so the median of
 * several openings is reported. Tracing makes an opening a third slower, so the page's processor time is traced during an opening
 * of its own.
 */
async function measureOpening(stage: WebStage, figures: Figures, url: string): Promise<Page> {
  const add = (what: string, times: readonly number[], work: number): void => {
    const sorted = times.toSorted((a, b) => a - b)
    figures.add({
      what: `${what}, the median of ${times.length}`,
      figure: sorted[Math.floor(sorted.length / 2)] ?? 0,
      unit: 'ms',
      atMost: 1_000,
      note: `the slowest ${Math.round(sorted.at(-1) ?? 0)} ms; ${Math.round(work)} ms of one of them work of the page`,
    })
  }
  const first: number[] = []
  for (let visitor = 0; visitor < visitors; visitor += 1) {
    const page = await stage.visitor()
    first.push(await opened(page, url))
    await page.context().close()
  }
  const page = await stage.visitor()
  const work = (): Promise<number> => processorTime(page, async () => void (await opened(page, url)))
  add('opened by its address in a browser that has never been here', first, await work())
  const again: number[] = []
  for (let time = 0; time < visitors; time += 1) again.push(await opened(page, url))
  add('opened by its address again', again, await work())
  return page
}

/** Opens the URL, and returns how many ms it takes until the first node is shown on the canvas. */
async function opened(page: Page, url: string): Promise<number> {
  await page.goto(url, { waitUntil: 'commit' })
  return page.evaluate(untilNodeShows('n0'))
}

/**
 * A script by which the page itself measures when the frame that shows the node has ended, in ms since the page was opened. Polling
 * from outside could be half a second late.
 */
const untilNodeShows = (id: string): string => `new Promise((resolve) => {
  const look = () => {
    const node = document.querySelector('.react-flow__node[data-id="${id}"]')
    const shows = node !== null && getComputedStyle(node).visibility === 'visible'
    requestAnimationFrame(shows ? () => resolve(performance.now()) : look)
  }
  look()
})`

const frame = 'new Promise((resolve) => requestAnimationFrame(resolve))'

async function panned(page: Page): Promise<void> {
  for (let stroke = 0; stroke < 8; stroke += 1) {
    const left = stroke % 2 === 0
    await page.mouse.move(left ? 900 : 400, 640)
    await page.mouse.down()
    for (let step = 1; step <= 25; step += 1) {
      await page.mouse.move(left ? 900 - 20 * step : 400 + 20 * step, 640 - step)
      await page.evaluate(frame)
    }
    await page.mouse.up()
  }
}

async function zoomed(page: Page): Promise<void> {
  await page.mouse.move(600, 400)
  for (const direction of [1, -1]) {
    for (let turn = 0; turn < 30; turn += 1) {
      await page.mouse.wheel(0, 100 * direction)
      await page.evaluate(frame)
    }
  }
}
