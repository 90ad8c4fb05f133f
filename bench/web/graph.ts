// In charge of measuring a graph of a thousand nodes: how soon it is open, and moving about in it.
import type { Page } from 'playwright-core'
import { node } from '../../e2e/support/canvas.ts'
import type { Bench } from '../web.ts'
import { heldFigures, processorTime } from './watch.ts'

const size = 1_000

/** A tree: every node feeds two others. */
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
  const page = await stage.visitor()
  const url = `${stage.url}/graphs/${id}`
  const openings = ['opened by its address in a browser that has never been here', 'opened by its address again']
  for (const what of openings) {
    let took = 0
    const work = await processorTime(page, async () => {
      took = await opened(page, url)
    })
    const note = `${Math.round(work)} ms of it work of the page`
    figures.add({ what, figure: took, unit: 'ms', atMost: 1_000, note })
  }
  await page.goto(`${stage.url}/graphs`)
  const link = page.locator(`a[href="/graphs/${id}"]`).first()
  await link.waitFor()
  await page.evaluate(
    `document.querySelector('a[href="/graphs/${id}"]').addEventListener('click', () => { clicked = performance.now() })`,
  )
  const opening = await watch(page, 'graph-open', async () => {
    await link.click()
    await node(page, 'n0').waitFor()
  })
  const fromList: number = await page.evaluate('performance.now() - clicked')
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

/** From the address being entered until its first node stands on the canvas. */
async function opened(page: Page, url: string): Promise<number> {
  await page.goto(url, { waitUntil: 'commit' })
  await node(page, 'n0').waitFor()
  return page.evaluate('performance.now()')
}

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
