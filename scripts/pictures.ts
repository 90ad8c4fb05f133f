// In charge of `npm run pictures`: starts a new demo and takes the screenshots in README.md, so that they show the current app.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { launchChromium } from '../e2e/support/browsers.ts'
import { setup as buildWeb } from '../e2e/support/build.ts'
import { killChildren } from '../server/test/support/child.ts'
import { startServing } from '../server/test/support/serving.ts'

const pictures = path.resolve(import.meta.dirname, '../docs/pictures')
const data = mkdtempSync(path.join(tmpdir(), 'atelier-pictures-'))
mkdirSync(pictures, { recursive: true })
buildWeb()
const browser = await launchChromium()
try {
  const serving = await startServing({ ATELIER_DATA_DIR: data, ATELIER_DEMO: 'true' })
  const ask = async (address: string) =>
    (await serving.ask('GET', `/api/v1${address}`, { token: serving.access })).body.data
  const run = await waitFor(async () => {
    const { items } = await ask('/runs')
    return items.find(({ status }: { status: string }) => status === 'awaiting_input')
  })
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' })
  context.setDefaultTimeout(60_000)
  const page = await context.newPage()
  await page.goto(await serving.link())
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('region').first().waitFor()
  await take(page, 'board')
  await page.goto(`${serving.url}/runs/${run.id}`)
  await page.getByRole('button', { name: 'Go on with this' }).click()
  const option = page.getByRole('button', { name: 'Option 2', exact: true })
  await option.waitFor()
  await take(page, 'gate')
  await option.click()
  await page.getByRole('button', { name: 'Choose this' }).click()
  await waitFor(async () => ((await ask(`/runs/${run.id}`)).status === 'succeeded' ? true : undefined))
  await page.reload()
  await take(page, 'result')
  serving.kill('SIGTERM')
  await serving.ended
} finally {
  await browser.close()
  await killChildren()
  rmSync(data, { recursive: true, force: true })
}

/** Waits until all images on the page are drawn, and returns the number of images. */
async function drawnImages(page: Page): Promise<number> {
  const isDrawn = '[...document.images].every((image) => image.complete && image.naturalWidth > 0)'
  await waitFor(async () => ((await page.evaluate(isDrawn)) === true ? true : undefined))
  return page.locator('img').count()
}

/** Takes a screenshot once every image on the page is drawn, and saves it as WebP. */
async function take(page: Page, name: string): Promise<void> {
  // The page keeps an event stream open, so its network never becomes idle. Instead, the page counts as ready when all its images
  // are drawn and no more have been added.
  await page.locator('img').first().waitFor()
  let before = -1
  for (let now = await drawnImages(page); now !== before; now = await drawnImages(page)) {
    before = now
    await page.evaluate('new Promise((resolve) => requestIdleCallback(() => setTimeout(resolve, 300)))')
  }
  const file = path.join(pictures, `${name}.webp`)
  await sharp(await page.screenshot())
    .webp({ quality: 80 })
    .toFile(file)
  console.log(path.relative(process.cwd(), file))
}

async function waitFor<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}
