// In charge of finding nodes and ports on the canvas in tests, and of actions there, such as drawing wires.
import type { Locator, Page } from 'playwright-core'
import { typeInto } from './fields.ts'

export const node = (page: Page, id: string): Locator => page.locator(`.react-flow__node[data-id="${id}"]`)

export const port = (page: Page, id: string, name: string, side: 'source' | 'target'): Locator =>
  node(page, id).locator(`.react-flow__handle.${side}[data-handleid="${name}"]`)

/** Draws a wire between two ports with the mouse, in several moves as a user does. */
export async function draw(page: Page, from: [node: string, port: string], to: [node: string, port: string]) {
  // `trial` waits until the port has stopped moving: the canvas may still be moving to show the whole graph.
  for (const place of [port(page, ...from, 'source'), port(page, ...to, 'target')]) await place.hover({ trial: true })
  const [start, end] = await Promise.all([
    middleOf(port(page, ...from, 'source')),
    middleOf(port(page, ...to, 'target')),
  ])
  await page.mouse.move(start.x, start.y)
  await page.mouse.down()
  await page.mouse.move((start.x + end.x) / 2, (start.y + end.y) / 2)
  await page.mouse.move(end.x, end.y, { steps: 4 })
  await untilMet(page, port(page, ...to, 'target'), end)
  await page.mouse.up()
}

/**
 * Waits until the page shows that the wire has met the port, as a user does before releasing the mouse button: a busy page may
 * react late. Each small move of the mouse makes the page check again.
 */
async function untilMet(page: Page, target: Locator, { x, y }: { x: number; y: number }): Promise<void> {
  for (let nudge = 0; nudge < 50; nudge += 1) {
    if ((await target.getAttribute('class'))?.split(' ').includes('connectingto')) return
    await page.mouse.move(x + (nudge % 2), y)
  }
  throw new Error('The wire did not meet the port.')
}

export async function middleOf(place: Locator): Promise<{ x: number; y: number }> {
  const box = await place.boundingBox()
  if (!box) throw new Error('What was meant is not on the screen.')
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

/** Adds a node by keyboard: searches the palette of node types for `search` and takes the first type found. */
export async function add(page: Page, search: string): Promise<void> {
  await page.locator('body').press('/')
  await typeInto(page.getByLabel('Find a node type'), search)
  await page.getByLabel('Find a node type').press('Enter')
  await page.getByRole('region', { name: 'Graph' }).click({ position: { x: 400, y: 20 }, trial: true })
}

/** From the editor, opens the dialog that starts a run for a task. Such a run is shown on a page of its own. */
export async function runForTask(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Other ways to run' }).click()
  await page.getByRole('menuitem', { name: /^For a task/ }).click()
}
