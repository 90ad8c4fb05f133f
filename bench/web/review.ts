// In charge of measuring a review: five hundred comments on a picture, and two hundred pictures in a guest link.
import sharp from 'sharp'
import type { Bench } from '../web.ts'
import { heldFigures } from './watch.ts'

const comments = 500
const creatives = 200
const answersEvery = 5

type Made = { id: string }

/** A part of all names that makes them unique: a database kept with `--data` may contain names of an earlier measurement. */
const run = Date.now()
const nameOf = (number: number): string => `LONG_REVIEW_${run}_${number}`

export async function measureReview(bench: Bench): Promise<void> {
  const { stage, figures } = bench
  figures.heading(`${comments} comments on a picture, ${creatives} pictures in a link for guests`)
  const background = '#24508c'
  const bytes = await sharp({ create: { width: 1200, height: 900, channels: 3, background } })
    .png()
    .toBuffer()
  const file = await stage.upload(bytes, 'image/png')
  const task = await stage.post<Made>('/api/v1/tasks', { name: 'A long review' })
  const made: Made[] = []
  for (let number = 1; number <= creatives; number++)
    made.push(await stage.post<Made>(`/api/v1/tasks/${task.id}/creatives`, { name: nameOf(number), file }))
  const said = `/api/v1/creatives/${made[0]?.id}/review-comments`
  for (let number = 0; number < comments; number++) {
    const mark = { kind: 'pin', lines: [[[(number % 25) / 25, Math.floor(number / 25) / 20]]] }
    const text = `Comment ${number + 1}: the bottle should stand a little more to the left, and the light is cold.`
    const { id } = await stage.post<Made>(said, { text, mark, visibility: 'guests' })
    if (number % answersEvery === 0) await stage.post(said, { text: 'Seen.', thread_id: id })
  }
  await measureReviewer(bench, task)
  await measureGuest(bench, task)
}

async function measureReviewer({ stage, figures, watch }: Bench, task: Made): Promise<void> {
  const page = await stage.open(`/tasks/${task.id}#creatives`)
  const rows = page.locator('.creative-list')
  await rows.locator(`> li:nth-child(${creatives})`).waitFor({ state: 'attached' })
  // CSS selectors are used, since finding elements by role keeps the page busy for long, and this time would be measured too.
  const picture = rows.locator(`[aria-label="Open the file of ${nameOf(1)}"]`)
  const list = page.locator('.review-list')
  const last = list.locator(`> li:nth-child(${comments})`)
  const opening = await watch(page, 'review-open', async () => {
    await picture.click()
    await last.waitFor({ state: 'attached' })
  })
  figures.add(...heldFigures('opening it', opening))
  const next = await watch(page, 'review-next', async () => {
    for (let at = 1; at <= 10; at++) {
      await page.keyboard.press('j')
      await list.locator(`> li:nth-child(${at})[data-chosen]`).waitFor()
    }
  })
  figures.add(...heldFigures('ten comments further by j', next))
  const zooming = await watch(page, 'review-zoom', async () => {
    for (let at = 0; at < 10; at++) await page.keyboard.press('+')
    for (let at = 0; at < 10; at++) await page.keyboard.press('Shift+ArrowLeft')
  })
  figures.add(...heldFigures('nearer, and moving it', zooming))
  await page.keyboard.press('c')
  const typing = await watch(page, 'review-type', () => page.keyboard.type('Make this a little warmer, please'))
  figures.add(...heldFigures('typing a comment', typing))
  const sending = await watch(page, 'review-send', async () => {
    await page.keyboard.press('Control+Enter')
    await list.locator(`> li:nth-child(${comments + 1})`).waitFor({ state: 'attached' })
  })
  figures.add(...heldFigures('sending it', sending))
  await page.context().close()
}

async function measureGuest({ stage, figures, watch }: Bench, task: Made): Promise<void> {
  const link = await stage.post<{ url: string }>(`/api/v1/tasks/${task.id}/guest-links`, { name: 'The client' })
  const guest = await stage.visitor()
  await guest.goto(`${stage.url}/guest${new URL(link.url, stage.url).hash}`)
  await guest.getByRole('textbox', { name: 'Your name' }).fill('Grace')
  const gallery = guest.getByRole('list', { name: 'Creatives' })
  const entering = await watch(guest, 'guest-enter', async () => {
    await guest.getByRole('button', { name: 'Look at it' }).click()
    await gallery.locator(`> li:nth-child(${creatives})`).waitFor({ state: 'attached' })
  })
  figures.add(...heldFigures('a guest comes in', entering))
  const scrolling = await watch(guest, 'guest-scroll', async () => {
    for (let at = 0; at < 30; at++) await guest.mouse.wheel(0, 400)
  })
  figures.add(...heldFigures('scrolling through the pictures', scrolling))
  const looking = await watch(guest, 'guest-open', async () => {
    await gallery.getByRole('button', { name: new RegExp(`${nameOf(1)}$`) }).click()
    await guest
      .getByRole('list', { name: 'Comments' })
      .locator(`> li:nth-child(${comments})`)
      .waitFor({ state: 'attached' })
  })
  figures.add(...heldFigures('a guest looks at the one with the comments', looking))
  const words = guest.getByRole('textbox', { name: 'Your comment' })
  await words.focus()
  const writing = await watch(guest, 'guest-type', () => guest.keyboard.type('A little warmer, please'))
  figures.add(...heldFigures('a guest writes', writing))
  await guest.context().close()
}
