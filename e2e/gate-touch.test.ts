// Facts about runs and graphs on phones and tablets: prices before a press, buttons for fingers, and that nothing covers what a user needs next.
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { definitionOf } from '../server/test/support/definitions.ts'
import { makeRun, runThrough } from '../server/test/support/runs.ts'
import { type App, startApp } from './support/app.ts'
import { intercept } from './support/intercept.ts'
import { keepShot } from './support/shots.ts'
import { phone } from './support/touch.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
  await app.service.app.worker.start()
})
afterAll(() => app.close())

/** Makes a run that waits for a choice among this many pictures; returns its id. */
async function waiting(count: number, names: { task?: string; graph?: string } = {}): Promise<string> {
  const task = names.task === undefined ? undefined : await app.make.task({ name: names.task })
  const values = Array.from({ length: count }, (_, index) => `Picture ${index + 1}`)
  const nodes = {
    rows: { type: 'list.collect', inputs: { values } },
    picture: { type: 'sample.image', params: { width: 64, height: 64 }, each: ['prompt'] },
    ask: { type: 'gate.choose', params: { title: 'Which one?' } },
  }
  const definition = definitionOf(nodes, 'rows.list > picture.prompt', 'picture.image > ask.options')
  const run = await makeRun(app.service, definition, task ? { pinned_task_id: task.id } : {})
  if (names.graph !== undefined) await app.service.patch(`/api/v1/graphs/${run.graph_id}`, { name: names.graph })
  await runThrough(app.service, run.id)
  return run.id
}

async function boxOf(place: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
  const box = await place.boundingBox()
  if (!box) throw new Error('What was meant is not on the screen.')
  return box
}

/** How many pixels of an element's text are cut off. */
const cutOff = ({ scrollWidth, clientWidth }: { scrollWidth: number; clientWidth: number }) => scrollWidth - clientWidth

/** The indices of the items of which the page has asked what rolling them alone costs. */
function askedPrices(page: Page): number[] {
  const items: number[] = []
  page.on('request', (request) => {
    if (!request.url().endsWith('/plan')) return
    const { regenerate } = JSON.parse(request.postData() ?? '{}')
    if (regenerate?.length === 1) items.push(regenerate[0].item)
  })
  return items
}

test('on a phone, the price of rolling one option again stands on its button, once the option is in sight', async () => {
  const path = `/runs/${await waiting(20)}`
  const page = await app.open('/runs', phone)
  const items = askedPrices(page)
  await page.goto(app.url + path)
  await page.getByRole('button', { name: 'Roll again · 1 credit, option 1' }).waitFor()
  expect(items).toContain(0)
  expect(items).not.toContain(19)
  await page.getByRole('button', { name: 'Option 20', exact: true }).scrollIntoViewIfNeeded()
  await page
    .getByRole('button', { name: 'Roll again · 1 credit, option 20' })
    .getByText('Roll again · 1 credit')
    .waitFor()
  expect(items.length).toBe(new Set(items).size)
})

test('on a phone, the buttons of an option are high enough for a finger, and apart', async () => {
  const page = await app.open(`/runs/${await waiting(2)}`, phone)
  const roll = page.getByRole('button', { name: 'Roll again · 1 credit, option 1' })
  await roll.waitFor()
  await keepShot(page, 'gate-phone')
  const choose = await boxOf(page.getByRole('button', { name: 'Choose option 1' }))
  const again = await boxOf(roll)
  for (const box of [choose, again]) expect(box.height).toBeGreaterThanOrEqual(36)
  const [beside, below] = [again.x - (choose.x + choose.width), again.y - (choose.y + choose.height)]
  expect(Math.max(beside, below)).toBeGreaterThanOrEqual(8)
})

test('on a phone, a message that an answer did not arrive leaves the buttons that answer free', async () => {
  const page = await app.open(`/runs/${await waiting(2)}`, phone)
  const answer = page.getByRole('button', { name: 'Choose this' })
  await page.getByRole('button', { name: 'Option 1', exact: true }).tap()
  await intercept(page, '**/answers', (route) => route.fulfill({ status: 503, json: { error: 'unavailable' } }))
  await answer.tap()
  const message = page.getByRole('alert').filter({ hasText: 'Not answered' })
  await message.waitFor()
  await keepShot(page, 'gate-phone-message')
  const [low, foot] = [await boxOf(message), await boxOf(page.locator('footer').filter({ has: answer }))]
  expect(low.y + low.height).toBeLessThanOrEqual(foot.y)
})

test('on a tablet, and on a phone held sideways, the name of a graph can be read in the head of its run', async () => {
  const names = { graph: 'Quiltern statics', task: 'The cool side of the pillow, in every size that a launch needs' }
  const page = await app.open(`/runs/${await waiting(2, names)}`, phone)
  const title = page.getByRole('link', { name: names.graph })
  for (const [width, height] of [
    [820, 1180],
    [844, 390],
    [1024, 768],
  ] as const) {
    await page.setViewportSize({ width, height })
    await title.waitFor()
    const cut = await title.evaluate(cutOff)
    expect(cut, `cut at ${width}`).toBe(0)
    const more = await boxOf(page.getByRole('button', { name: 'More about this run' }))
    expect(more.x + more.width, `the last button at ${width}`).toBeLessThanOrEqual(width)
  }
})

test('the pages of a graph and of a run do not scroll as a whole, which would put their head out of sight', async () => {
  const run = await app.make.read(`/api/v1/runs/${await waiting(2)}`)
  const page = await app.open(`/graphs/${run.graph_id}`, { ...phone, viewport: { width: 844, height: 390 } })
  for (const path of [`/graphs/${run.graph_id}`, `/runs/${run.id}`]) {
    await page.goto(app.url + path)
    if (path.startsWith('/runs')) await page.getByRole('button', { name: 'See the graph' }).tap()
    await page.locator('.react-flow__node').first().waitFor()
    const spare = await page
      .locator('.main')
      .evaluate(
        ({ scrollHeight, clientHeight }: { scrollHeight: number; clientHeight: number }) => scrollHeight - clientHeight,
      )
    expect(spare, path).toBe(0)
  }
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
