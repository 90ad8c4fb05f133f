// In charge of measuring a board with a column of thousands of cards: loading it, scrolling the column, and dragging a card.
import type { Locator, Page, Request } from 'playwright-core'
import { column } from '../../e2e/support/board.ts'
import type { Bench } from '../web.ts'
import { heldFigures } from './watch.ts'

const backlog = (page: Page): Locator => column(page, 'Backlog')
const cards = (page: Page): Locator => backlog(page).getByRole('article')
const scroller = (page: Page): Locator => backlog(page).locator('.column-cards')

const patienceMs = 120_000
const glideSteps = 30
const scrolledBy = `document.querySelector('[data-column="backlog"] .column-cards').scrollTop`
const board = `document.querySelector('.board')`
const frame = 'new Promise((resolve) => requestAnimationFrame(resolve))'

/** Measures the scripts that a browser without a cache loads until the board shows cards. */
export async function measureFirstLoad({ stage, figures }: Bench): Promise<void> {
  const page = await stage.open('/')
  await cards(page).first().waitFor()
  const scripts: number = await page.evaluate(`performance.getEntriesByType('resource')
    .filter(({ name }) => new URL(name).pathname.endsWith('.js'))
    .reduce((sum, { transferSize }) => sum + transferSize, 0)`)
  const shown: number = await page.evaluate('performance.now()')
  figures.heading('The board, opened by a browser that has never been here')
  figures.add(
    { what: 'script, compressed', figure: scripts / 1000, unit: 'KB', atMost: 250 },
    { what: 'until cards show', figure: shown, unit: 'ms' },
  )
  await page.context().close()
}

export async function measureColumn(bench: Bench): Promise<void> {
  const { stage, figures, watch } = bench
  figures.heading(`A column of ${stage.cards.toLocaleString('en')} cards`)
  const page = await stage.open('/')
  await page.locator('.frame[data-live="live"]').waitFor()
  await cards(page).first().waitFor()
  const keys = await watch(page, 'board-keys', () => pressed(page, cards(page).first(), 'j'))
  figures.add(...heldFigures(`${presses} cards by the keyboard, from its beginning`, keys))
  const wheel = await watch(page, 'board-wheel', () => toTheEnd(page, stage.cards))
  figures.add(...heldFigures('by the wheel to its end, reading every page', wheel))
  const back = await watch(page, 'board-keys-end', () => pressed(page, cards(page).last(), 'k'))
  figures.add(...heldFigures(`${presses} cards by the keyboard, from its end`, back))
  const up = await watch(page, 'board-wheel-back', () => toTheBeginning(page))
  figures.add(...heldFigures('by the wheel back to its beginning', up))
  await measureDragging(bench, page)
  await page.context().close()
}

/**
 * A script by which the page measures the time from the release of the mouse button to the end of the frame that shows the card in
 * its new column.
 */
const noteDrop = (id: string): string => `addEventListener('mouseup', ({ timeStamp }) => {
  window.dropShown = new Promise((resolve) => {
    const look = () => document.querySelector('[data-column="in_progress"] [data-card="${id}"]')
      ? requestAnimationFrame(() => resolve(performance.now() - timeStamp))
      : requestAnimationFrame(look)
    requestAnimationFrame(look)
  })
}, { once: true, capture: true })`

const presses = 200

async function pressed(page: Page, from: Locator, key: string): Promise<void> {
  await from.getByRole('link').focus()
  for (let press = 0; press < presses; press += 1) await page.keyboard.press(key)
}

/**
 * Returns the position of the last card that is drawn. One expression reads the position, since a search by role would cost the
 * page more work.
 */
const lastShown = (page: Page): Promise<number> =>
  page.evaluate(`Number([...document.querySelectorAll('[data-column="backlog"] li')].at(-1).ariaPosInSet)`)

/** Turns the wheel as fast as frames are drawn, until the last card is shown. */
async function toTheEnd(page: Page, count: number): Promise<void> {
  await scroller(page).hover()
  for (const deadline = performance.now() + patienceMs; performance.now() < deadline; ) {
    for (let turn = 0; turn < 4; turn += 1) await page.mouse.wheel(0, 1_200)
    await page.evaluate(frame)
    if ((await lastShown(page)) === count) return
  }
  throw new Error(`The column came to card ${await lastShown(page)} of ${count} within ${patienceMs / 1000} s.`)
}

async function toTheBeginning(page: Page): Promise<void> {
  await scroller(page).hover()
  for (const deadline = performance.now() + patienceMs; performance.now() < deadline; ) {
    for (let turn = 0; turn < 8; turn += 1) await page.mouse.wheel(0, -2_400)
    await page.evaluate(frame)
    if ((await page.evaluate(scrolledBy)) === 0) return
  }
  throw new Error(`The column did not come to its beginning within ${patienceMs / 1000} s.`)
}

/** Measures dragging a card; called when the whole column has been loaded. */
async function measureDragging({ figures, watch, stage }: Bench, page: Page): Promise<void> {
  const target = await boxOf(column(page, 'In progress'))
  const home = await boxOf(scroller(page))
  const first = cards(page).first()
  const id = (await first.getAttribute('data-card')) ?? ''
  const from = await boxOf(first)
  let shown = 0
  const drag = await watch(page, 'board-drag', async () => {
    await pickUp(page, from)
    await glide(page, { x: home.x + 80, y: home.y + home.height * 0.75 })
    await glide(page, { x: home.x + 80, y: home.y + home.height * 0.3 })
    await glide(page, { x: target.x + target.width / 2, y: target.y + 200 })
  })
  figures.add(...heldFigures('dragging a card down it, up it, and to another column', drag))
  let reads: Reads = { feeds: 0, all: [] }
  const drop = await watch(page, 'board-drop', async () => {
    reads = await feedsRead(page, async () => {
      await page.evaluate(noteDrop(id))
      await page.mouse.up()
      await column(page, 'In progress').locator(`[data-card="${id}"]`).waitFor()
      shown = await page.evaluate('window.dropShown')
      await untilStatus(stage, id, 'in_progress')
    })
  })
  figures.add(
    { what: 'until the drop shows', figure: shown, unit: 'ms', atMost: 100 },
    ...heldFigures('the drop, and what is read again for it', drop),
    { what: '… reads of cards for it', figure: reads.feeds, unit: '', atMost: 2, note: reads.all.join(', ') },
  )
  const rolling = await watch(page, 'board-drag-scroll', async () => {
    await pickUp(page, await boxOf(cards(page).first()))
    await glide(page, { x: 1_360, y: home.y + 300 })
    await until(page, `${board}.scrollLeft >= ${board}.scrollWidth - ${board}.clientWidth - 1`)
    await glide(page, { x: 4, y: home.y + 200 })
    await until(page, `${board}.scrollLeft === 0`)
    await page.keyboard.press('Escape')
  })
  figures.add(...heldFigures('a drag that scrolls the board to its last column and back', rolling))
}

async function untilStatus({ get }: Bench['stage'], id: string, status: string): Promise<void> {
  for (const deadline = performance.now() + patienceMs; performance.now() < deadline; ) {
    const task = await get<{ status: string }>(`/api/v1/tasks/${id}`)
    if (task.status === status) return
  }
  throw new Error(`The card was not moved to ${status}.`)
}

/**
 * Waits until a condition, which is given as text, is true. The text is evaluated from outside the page, since the page's security
 * policy forbids compiling text as code.
 */
async function until(page: Page, condition: string): Promise<void> {
  for (const deadline = performance.now() + patienceMs; performance.now() < deadline; ) {
    await page.evaluate(frame)
    if (await page.evaluate(condition)) return
  }
  throw new Error(`It did not come about: ${condition}`)
}

/** `feeds`: the number of requests for cards. `all`: the method and path of each request. */
type Reads = { feeds: number; all: string[] }

/** Performs the action, and records the page's requests to the service until none has been sent or finished for a second. */
async function feedsRead(page: Page, action: () => Promise<void>): Promise<Reads> {
  const reads: Reads = { feeds: 0, all: [] }
  let last = performance.now()
  const note = (request: Request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (!pathname.startsWith('/api/v1/')) return
    const of = searchParams.get('status')
    reads.all.push(`${request.method()} ${pathname.slice('/api/v1'.length)}${of === null ? '' : ` of ${of}`}`)
    if (/\/tasks\/(?:board|deleted)/.test(pathname)) reads.feeds += 1
    last = performance.now()
  }
  const wait = (request: Request) => {
    if (request.url().includes('/api/v1/')) last = performance.now()
  }
  page.on('request', note)
  page.on('requestfinished', wait)
  await action()
  while (performance.now() - last < 1_000) await page.evaluate('new Promise((resolve) => setTimeout(resolve, 100))')
  page.off('request', note)
  page.off('requestfinished', wait)
  return reads
}

type Point = { x: number; y: number }
type Box = Point & { width: number; height: number }

async function boxOf(place: Locator): Promise<Box> {
  const box = await place.boundingBox()
  if (!box) throw new Error('What was to be measured is not on the screen.')
  return box
}

const hands = new WeakMap<Page, Point>()

async function pickUp(page: Page, { x, y }: Box): Promise<void> {
  await page.mouse.move(x + 60, y + 30)
  await page.mouse.down()
  await page.mouse.move(x + 75, y + 45, { steps: 4 })
  await page.locator('.card-ghost').waitFor()
  hands.set(page, { x: x + 75, y: y + 45 })
}

/** Moves the mouse like a hand, one step per frame. */
async function glide(page: Page, to: Point): Promise<void> {
  const from = hands.get(page) ?? to
  for (let step = 1; step <= glideSteps; step += 1) {
    const share = step / glideSteps
    await page.mouse.move(from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share)
    await page.evaluate(frame)
  }
  hands.set(page, to)
}
