// Facts about going back in the browser: a list is where the user has left it, and shows what it showed; over a picture, Back leads
// to the page below.
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { definitionOf } from '../server/test/support/definitions.ts'
import { makeGraph } from '../server/test/support/runs.ts'
import { type App, startApp } from './support/app.ts'
import { typeInto } from './support/fields.ts'
import { focused } from './support/keyboard.ts'
import { isClosed, viewer } from './support/viewer.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
  for (let count = 1; count <= 40; count += 1) await app.service.post('/api/v1/graphs', { name: `Recipe ${count}` })
})
afterAll(() => app.close())

test('Back leads to the place in a long list that was left, and another page begins at its top', async () => {
  const page = await app.open('/graphs')
  const top = () => page.locator('.main').evaluate((main: { scrollTop: number }) => main.scrollTop)
  await page.getByRole('button', { name: 'More' }).click()
  const last = page.getByRole('link', { name: 'Recipe 1', exact: true })
  await last.scrollIntoViewIfNeeded()
  const left = await top()
  expect(left).toBeGreaterThan(500)
  // By its own entry in the list, as a pointer would: a click of Playwright could scroll once more.
  await last.evaluate((link: { click(): void }) => link.click())
  await page.getByLabel('Name of the graph').waitFor()
  expect(await top()).toBe(0)
  await page.goBack()
  await page.getByRole('heading', { name: 'Graphs', level: 1 }).waitFor()
  await expect.poll(top).toBe(left)
  await page.goForward()
  await page.getByLabel('Name of the graph').waitFor()
  await expect.poll(top).toBe(0)
})

test('a reload leaves a list where it was, and a page that is opened after it begins at its top', async () => {
  const page = await app.open('/graphs')
  const top = () => page.locator('.main').evaluate((main: { scrollTop: number }) => main.scrollTop)
  await page.getByRole('link', { name: 'Recipe 40', exact: true }).waitFor()
  await page.locator('.main').evaluate((main: { scrollTop: number }) => {
    main.scrollTop = 300
  })
  const left = await top()
  expect(left).toBeGreaterThan(100)
  await page.reload()
  await page.getByRole('link', { name: 'Recipe 40', exact: true }).waitFor()
  await expect.poll(top).toBe(left)
  await page.getByRole('link', { name: 'Runs', exact: true }).first().click()
  await page.getByRole('heading', { name: 'Runs', level: 1 }).waitFor()
  await page.getByRole('link', { name: 'Graphs', exact: true }).first().click()
  await page.getByRole('link', { name: 'Recipe 40', exact: true }).waitFor()
  await expect.poll(top).toBe(0)
})

test('a reload leaves a list where it was also if the place is on a page of it that was read by “More”', async () => {
  const graph = await makeGraph(app.service, definitionOf({}), 'Run often')
  for (let made = 0; made < 90; made += 1) await app.service.post(`/api/v1/graphs/${graph.id}/runs`, {})
  const page = await app.open(`/runs?graph=${graph.id}`)
  const main = page.locator('.main')
  const top = () => main.evaluate((element: { scrollTop: number }) => element.scrollTop)
  const rows = page.locator('.run-list > li')
  const more = page.getByRole('button', { name: 'More' })
  for (const count of [80, 90]) {
    await more.click()
    await expect.poll(() => rows.count()).toBe(count)
  }
  await rows.nth(85).scrollIntoViewIfNeeded()
  const left = await top()
  await page.reload()
  await expect.poll(top).toBe(left)
  expect(await rows.count()).toBe(90)
})

test('the list of graphs keeps its search and whose graphs it shows', async () => {
  const page = await app.open('/graphs')
  const search = page.getByLabel('Search graphs')
  await page.getByText('Mine', { exact: true }).click()
  await typeInto(search, 'Recipe 27')
  await page.waitForURL((address) => address.search.includes('q='))
  await page.getByRole('link', { name: 'Recipe 27', exact: true }).click()
  await page.getByLabel('Name of the graph').waitFor()
  await page.goBack()
  await page.getByRole('heading', { name: 'Mine' }).waitFor()
  expect(await search.inputValue()).toBe('Recipe 27')
  expect(await page.getByRole('radio', { name: 'Mine' }).isChecked()).toBe(true)
  // The link in the top bar leads to all graphs.
  await page.getByRole('link', { name: 'Graphs', exact: true }).first().click()
  await expect.poll(() => search.inputValue()).toBe('')
  await page.getByRole('link', { name: 'Recipe 40', exact: true }).waitFor()
})

/** Goes from the board to a task, and opens the first of its two pictures. */
async function overPictures(name: string) {
  const task = await app.make.task({ name, status: 'in_progress' })
  for (const [title, background] of [
    ['Blue', '#24508c'],
    ['Green', '#248c50'],
  ] as const) {
    const image = sharp({ create: { width: 400, height: 300, channels: 3, background } })
    const file = await app.make.file(await image.png().toBuffer(), 'image/png')
    await app.make.creative(task.id, { name: `${name} ${title}`, file })
  }
  const page = await app.open('/')
  const address = `${app.url}/tasks/${task.id}#creatives`
  await page.goto(address)
  const opener = page.getByRole('button', { name: `Open the file of ${name} Blue` })
  await opener.click()
  await viewer(page).getByText('1 of 2').waitFor()
  return { page, address, opener }
}
/** Goes back once, which has to lead to the board. */
async function backToBoard(page: Page): Promise<void> {
  await page.goBack()
  await page.waitForURL(`${app.url}/`)
}

test('Back closes the picture and leaves its page, however many pictures were looked at', async () => {
  const { page, address, opener } = await overPictures('Looked through')
  await page.keyboard.press('ArrowRight')
  await viewer(page).getByText('2 of 2').waitFor()
  await page.goBack()
  await isClosed(page)
  expect(page.url()).toBe(address)
  await focused(page, opener)
  await backToBoard(page)
})

test('a picture that is closed leaves nothing behind for Back, also if it is opened again', async () => {
  const { page, address, opener } = await overPictures('Closed twice')
  await page.keyboard.press('Escape')
  await viewer(page).waitFor({ state: 'detached' })
  await opener.click()
  await viewer(page).getByRole('button', { name: 'Close (Esc)' }).click()
  await isClosed(page)
  expect(page.url()).toBe(address)
  await backToBoard(page)
})

test('after a reload over a picture, Back leads from its page to the page before it', async () => {
  const { page, address } = await overPictures('Loaded again')
  await page.reload()
  await isClosed(page)
  expect(page.url()).toBe(address)
  await backToBoard(page)
})

/** The card at the upper edge of the column Backlog, and how many pixels of it are above that edge. */
const atEdge = (page: Page): Promise<[string, number]> =>
  page.evaluate(`(() => {
    const cards = document.querySelector('[data-column="backlog"] .column-cards')
    const edge = cards?.getBoundingClientRect().top ?? 0
    const row = [...(cards?.querySelectorAll('li') ?? [])].find((one) => one.getBoundingClientRect().bottom > edge)
    return [row?.querySelector('.card-name').textContent ?? '', Math.round(edge - (row?.getBoundingClientRect().top ?? 0))]
  })()`)

test('a column of the board is where it was after a reload and after Back, also on cards that were read later', async () => {
  // The heights of the cards are not those that a list expects of cards that it has not drawn.
  const long = 'with a name that needs more lines than one because it says all that there is to be said about it'
  for (let made = 1; made <= 130; made += 1)
    await app.make.task({ name: `Far ${made}${made % 3 === 0 ? ` ${long}` : ''}` })
  const page = await app.open('/?q=Far')
  const [cards, board] = [page.locator('[data-column="backlog"] .column-cards'), page.locator('.board')]
  const scrolled = (wanted: number) =>
    cards.evaluate((list: { scrollTop: number }, top) => {
      list.scrollTop = top
      return list.scrollTop
    }, wanted)
  // The column becomes as long as this when its next page has been read.
  await expect.poll(() => scrolled(11_037)).toBe(11_037)
  const left = () => board.evaluate((element: { scrollLeft: number }) => element.scrollLeft)
  await board.evaluate((element: { scrollLeft: number }) => {
    element.scrollLeft = 120
  })
  const place = await atEdge(page)
  expect(place[0]).toMatch(/^Far/)
  await page.reload()
  await expect.poll(() => atEdge(page)).toEqual(place)
  expect(await left()).toBe(120)

  await page.getByRole('link', { name: 'Graphs', exact: true }).first().click()
  await page.getByRole('heading', { name: 'Graphs', level: 1 }).waitFor()
  await page.goBack()
  await expect.poll(() => atEdge(page)).toEqual(place)
  expect(await left()).toBe(120)

  // If the user opens the board by a link instead, its columns begin at the top.
  await page.getByRole('link', { name: 'Graphs', exact: true }).first().click()
  await page.getByRole('heading', { name: 'Graphs', level: 1 }).waitFor()
  await page.getByRole('link', { name: 'Board', exact: true }).click()
  await page.locator('[data-column="backlog"] .card').first().waitFor()
  expect(await cards.evaluate((list: { scrollTop: number }) => list.scrollTop)).toBe(0)
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
