// Facts about cards dragged with the mouse: they land where they are dropped, and the board scrolls only at its edge.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, startApp } from './support/app.ts'
import { card, cardLink, column } from './support/board.ts'

const statuses = ['backlog', 'ready_for_production', 'in_progress', 'creative_check']

let app: App
beforeAll(async () => {
  app = await startApp()
  // The board is as full as in practice, because a full board takes longer to draw: fewer frames come between two mouse moves.
  for (let number = 0; number < 60; number += 1) {
    await app.make.task({ name: `Filler ${number}`, status: statuses[number % statuses.length] })
  }
})
afterAll(() => app.close())

const statusOf = async (id: string): Promise<string> => (await app.make.read(`/api/v1/tasks/${id}`)).status
const scrolled = (page: Page): Promise<number> => page.evaluate(`document.querySelector('.board').scrollLeft`)
const frame = (page: Page) => page.evaluate('new Promise((resolve) => requestAnimationFrame(() => resolve()))')
const frames = async (page: Page, count: number) => {
  for (let drawn = 0; drawn < count; drawn += 1) await frame(page)
}
const boxOf = async (place: ReturnType<typeof card>) => {
  const box = await place.boundingBox()
  if (!box) throw new Error('What was meant is not on the screen.')
  return box
}

test('a card held at the right side of its column leaves the board where it is', async () => {
  await app.make.task({ name: 'Held still' })
  const page = await app.open('/', { viewport: { width: 1440, height: 900 } })
  const from = await boxOf(card(page, 'Held still'))
  const x = from.x + 209
  for (let pick = 0; pick < 30; pick += 1) {
    await page.mouse.move(x, from.y + 12)
    await page.mouse.down()
    await page.mouse.move(x + 8, from.y + 20)
    await frames(page, pick % 3)
    await page.mouse.move(x + 10, from.y + 24)
    await frames(page, 5)
    expect(await scrolled(page), `pick ${pick}`).toBe(0)
    await page.mouse.up()
  }
})

const sizes = [
  { width: 1440, height: 900 },
  { width: 1920, height: 1080 },
  { width: 1100, height: 700 },
]
/** Into how many mouse moves the way to the target is divided: with 1 the drag is very fast, with 25 slow. */
const speeds = [1, 3, 10, 25]

test.each(sizes)('each of ten drags lands where it was let go, on a page of $width by $height', async (viewport) => {
  const name = `Thrown ${viewport.width}`
  const task = await app.make.task({ name })
  const page = await app.open('/', { viewport })
  await card(page, name).waitFor()
  const labels = ['Backlog', 'Ready for production', 'In progress', 'Creative check']
  const seen = await Promise.all(labels.map((label) => boxOf(column(page, label))))
  // A card is dropped only in columns whose middle is far from the board's right edge, because the board scrolls near that edge.
  const reachable = seen.flatMap((box, at) => (box.x + box.width / 2 < viewport.width - 150 ? [at] : []))
  let at = 0
  for (let drag = 0; drag < 10; drag += 1) {
    const to = reachable[(reachable.indexOf(at) + 1 + (drag % (reachable.length - 1))) % reachable.length] ?? 0
    const [start, target] = [await boxOf(card(page, name)), seen[to]]
    if (!target) throw new Error('There is no such column.')
    const grip = { x: start.x + 60 + ((drag * 37) % 170), y: start.y + 12 }
    await page.mouse.move(grip.x, grip.y)
    await page.mouse.down()
    await page.mouse.move(grip.x + 9, grip.y + 5)
    const steps = speeds[drag % speeds.length] ?? 1
    await page.mouse.move(target.x + target.width / 2, target.y + 120 + drag * 20, { steps })
    await page.mouse.up()
    await cardLink(column(page, labels[to] ?? ''), name).waitFor()
    await expect.poll(() => statusOf(task.id)).toBe(statuses[to])
    expect(await scrolled(page)).toBe(0)
    at = to
  }
})

test('held at the edge the board moves along, and stops when the pointer leaves it', async () => {
  const task = await app.make.task({ name: 'To the far end' })
  const page = await app.open('/', { viewport: { width: 1100, height: 700 } })
  const from = await boxOf(card(page, 'To the far end'))
  await page.mouse.move(from.x + 80, from.y + 12)
  await page.mouse.down()
  await page.mouse.move(1095, 300, { steps: 5 })
  await expect.poll(() => scrolled(page)).toBeGreaterThan(200)
  await page.mouse.move(550, 300, { steps: 3 })
  const rested = await scrolled(page)
  await frames(page, 10)
  expect(await scrolled(page)).toBe(rested)
  const over = (await page.locator('[data-over]').getAttribute('data-column')) ?? ''
  await page.mouse.up()
  await expect.poll(() => statusOf(task.id)).toBe(over)
})

test('a card let go outside the columns stays, and one put back with Escape is not opened by the release', async () => {
  const task = await app.make.task({ name: 'Nowhere' })
  const page = await app.open('/', { viewport: { width: 1440, height: 900 } })
  const from = await boxOf(card(page, 'Nowhere'))
  const pick = async () => {
    await page.mouse.move(from.x + 80, from.y + 12)
    await page.mouse.down()
    await page.mouse.move(from.x + 100, from.y + 40, { steps: 3 })
    await page.locator('.card-ghost').waitFor()
  }
  await pick()
  await page.mouse.move(700, 20, { steps: 3 })
  await page.mouse.up()
  await page.getByText('Nowhere was put back.').waitFor()
  await pick()
  await page.keyboard.press('Escape')
  await page.locator('.card-ghost').waitFor({ state: 'detached' })
  await page.mouse.move(from.x + 80, from.y + 40)
  await page.mouse.up()
  await frames(page, 3)
  expect(new URL(page.url()).pathname).toBe('/')
  expect(await statusOf(task.id)).toBe('backlog')
  // A click after the cancelled drag opens the task as usual.
  await cardLink(page, 'Nowhere').click()
  await expect.poll(() => new URL(page.url()).pathname).toBe(`/tasks/${task.id}`)
})

test('after a card was flicked faster than the page draws, keys work and the board is at rest', async () => {
  await app.make.task({ name: 'Flicked' })
  const page = await app.open('/', { viewport: { width: 1440, height: 900 } })
  const from = await boxOf(card(page, 'Flicked'))
  // All three events come in one task of the page, so that React cannot draw the start of the drag before its end.
  await page.evaluate(`(() => {
    const [x, y] = [${from.x + 80}, ${from.y + 12}]
    const card = document.elementFromPoint(x, y)
    const send = (type, by) =>
      card.dispatchEvent(new MouseEvent(type, { bubbles: true, cancelable: true, clientX: x + by, clientY: y + by }))
    send('mousedown', 0)
    send('mousemove', 20)
    send('mouseup', 20)
  })()`)
  await frames(page, 3)
  await page.keyboard.press('?')
  await page.getByRole('dialog').waitFor()
  expect(await page.locator('.board[data-dragging]').count()).toBe(0)
  await page.keyboard.press('Escape')
})

test('a window that loses the focus while a card is held at the edge does not scroll on by itself', async () => {
  await app.make.task({ name: 'Left at the edge' })
  const page = await app.open('/', { viewport: { width: 1100, height: 700 } })
  const from = await boxOf(card(page, 'Left at the edge'))
  await page.mouse.move(from.x + 80, from.y + 12)
  await page.mouse.down()
  await page.mouse.move(1095, 300, { steps: 5 })
  await expect.poll(() => scrolled(page)).toBeGreaterThan(50)
  const rested = await page.evaluate(`(() => {
    dispatchEvent(new Event('blur'))
    return document.querySelector('.board').scrollLeft
  })()`)
  await frames(page, 10)
  expect(await scrolled(page)).toBe(rested)
  // The card is still held: the board moves along again, once the pointer goes to the edge again.
  await page.mouse.move(1060, 300)
  await page.mouse.move(1095, 300, { steps: 5 })
  await expect.poll(() => scrolled(page)).toBeGreaterThan(Number(rested))
  await page.keyboard.press('Escape')
  await page.locator('.card-ghost').waitFor({ state: 'detached' })
  const put = await scrolled(page)
  await frames(page, 10)
  expect(await scrolled(page)).toBe(put)
  await page.mouse.up()
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
