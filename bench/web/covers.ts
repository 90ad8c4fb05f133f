// In charge of measuring pictures on the board: the time until covers show in a browser without a cache, and scrolling the gallery.
import type { Page } from 'playwright-core'
import type { Bench } from '../web.ts'
import { heldFigures } from './watch.ts'

const patienceMs = 120_000
const tries = 5
const frame = 'new Promise((resolve) => requestAnimationFrame(resolve))'

/** A script by which the page records when the first cover and the latest cover were loaded. */
const noteCovers = `(() => {
  window.covers = { first: null, last: null, count: 0 }
  document.addEventListener('load', ({ target }) => {
    if (!(target instanceof HTMLImageElement) || !target.closest('.card-cover')) return
    window.covers = { first: window.covers.first ?? performance.now(), last: performance.now(), count: window.covers.count + 1 }
  }, true)
})()`
/**
 * Counts the covers that are on the screen and not loaded yet; covers that are prepared above and below the screen are left out.
 */
const missing = `[...document.querySelectorAll('.card-cover')].filter((place) => {
  const { top, bottom, left, right } = place.getBoundingClientRect()
  const isSeen = bottom > 0 && top < innerHeight && right > 0 && left < innerWidth
  const picture = place.querySelector('img')
  return isSeen && !(picture?.complete && picture.naturalWidth > 0)
}).length`

type Noted = { first: number | null; last: number; count: number }

export async function measureCovers(bench: Bench): Promise<void> {
  const { stage, figures } = bench
  figures.heading('Pictures, by a browser that has never been here')
  const first = await openedCold(bench)
  const again: Noted[] = []
  for (let attempt = 0; attempt < tries; attempt += 1) again.push(await openedCold(bench))
  figures.add(
    {
      what: 'until the first cover shows',
      figure: median(again.map((one) => one.first ?? NaN)),
      unit: 'ms',
      atMost: 1000,
    },
    { what: '… until all on the screen do', figure: median(again.map(({ last }) => last)), unit: 'ms' },
    {
      ...{ what: '… where no thumbnail has been made yet, the first', figure: first.first ?? NaN, unit: 'ms' },
      note: `all ${Math.round(first.last)} ms, ${first.count} pictures; in data that was kept they are there already`,
    },
  )
  figures.heading(`The gallery of ${stage.cards.toLocaleString('en')} cards and more`)
  await measureGallery(bench)
}

async function openedCold({ stage }: Bench): Promise<Noted> {
  const page = await stage.visitor()
  await page.addInitScript(noteCovers)
  await page.goto(`${stage.url}/`)
  await page.locator('.card-cover img').first().waitFor()
  await until(page, `${missing} === 0`)
  const noted: Noted = await page.evaluate('window.covers')
  await page.context().close()
  return noted
}

async function measureGallery({ stage, figures, watch }: Bench): Promise<void> {
  const page = await stage.open('/?layout=gallery')
  await page.locator('.gallery-picture img').first().waitFor()
  await page.locator('.gallery').hover()
  const down = await watch(page, 'gallery-wheel', () => turned(page, 2_400, `${last} >= ${stage.cards}`))
  figures.add(
    ...heldFigures(`by the wheel over ${stage.cards.toLocaleString('en')} pictures, reading every page`, down),
  )
  const up = await watch(page, 'gallery-wheel-back', () =>
    turned(page, -4_800, `document.querySelector('.gallery').scrollTop === 0`),
  )
  figures.add(...heldFigures('by the wheel back to the beginning', up))
  await page.context().close()
}

const last = `Number([...document.querySelectorAll('.gallery li')].at(-1)?.ariaPosInSet)`

/** Turns the wheel as fast as frames are drawn, until the condition is true. */
async function turned(page: Page, by: number, condition: string): Promise<void> {
  for (const deadline = performance.now() + patienceMs; performance.now() < deadline; ) {
    for (let turn = 0; turn < 4; turn += 1) await page.mouse.wheel(0, by / 4)
    await page.evaluate(frame)
    if (await page.evaluate(condition)) return
  }
  throw new Error(`It did not come about: ${condition}; the last one shown is ${await page.evaluate(last)}`)
}

async function until(page: Page, condition: string): Promise<void> {
  for (const deadline = performance.now() + patienceMs; performance.now() < deadline; ) {
    await page.evaluate(frame)
    if (await page.evaluate(condition)) return
  }
  throw new Error(`It did not come about: ${condition}`)
}

const median = (values: number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? NaN
