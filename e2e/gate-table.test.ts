// Facts about a gate that asks about a table: it is edited as rows and columns, by mouse, keyboard and paste, and every value that is not
// edited goes on as it was.
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { definitionOf } from '../server/test/support/definitions.ts'
import { makeRun, readRun, runThrough, until } from '../server/test/support/runs.ts'
import { type App, startApp } from './support/app.ts'
import { violationsInBothThemes } from './support/axe.ts'
import { typeInto } from './support/fields.ts'
import { focused } from './support/keyboard.ts'
import { keepShot } from './support/shots.ts'
import { phone } from './support/touch.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
  await app.service.app.worker.start()
})
afterAll(() => app.close())

const rows = [
  { headline: 'Sleep well\nevery night', price: 19.9, live: true, tags: ['soft', 'warm'], note: null },
  { headline: 'Two pillows', price: 35, live: false, tags: [] },
  { headline: '', price: 5, live: true, tags: [], note: 'Check' },
]
const columns = ['headline', 'price', 'live', 'tags', 'note']

/** A run that asks about the value in a page, and what its gate gives on once it is answered. */
async function asking(value: unknown, options: Parameters<App['open']>[1] = {}) {
  const check = { type: 'gate.edit', params: { title: 'Check the rows' }, inputs: { value } }
  const { id } = await makeRun(app.service, definitionOf({ check }))
  await runThrough(app.service, id)
  const page = await app.open(`/runs/${id}`, options)
  const gate = page.getByRole('region', { name: 'Check the rows' })
  const cell = (name: string, row: number): Locator =>
    gate.locator(`[data-row="${row - 1}"][data-column="${columns.indexOf(name)}"]`)
  const answered = async () => {
    await gate.getByRole('button', { name: 'Go on with this' }).press('Enter')
    return (await until(app.service, id, ({ status }) => status === 'succeeded')).nodes.check.outputs.value
  }
  return { id, page, gate, cell, answered }
}

/** Pastes into the focused cell as if a program had filled the clipboard; returns whether the page has taken it instead of the browser. */
const paste = (page: Page, text: string, html = ''): Promise<boolean> =>
  page.evaluate(`(() => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', ${JSON.stringify(text)})
    if (${JSON.stringify(html)} !== '') clipboardData.setData('text/html', ${JSON.stringify(html)})
    const options = { clipboardData, bubbles: true, cancelable: true }
    return !document.activeElement.dispatchEvent(new ClipboardEvent('paste', options))
  })()`)

const asJson = (page: Page) => page.getByRole('button', { name: 'Edit as JSON' })

test('a cell that is edited changes only itself: line breaks, numbers, true and false, lists and null stay what they were', async () => {
  const { page, cell, gate, answered } = await asking(rows)
  // The row has two lines: below the text of a cell of one line, a click is for the cell too.
  const note = await cell('note', 1).locator('..').boundingBox()
  if (note === null) throw new Error('The cell is not on the screen.')
  await page.mouse.click(note.x + 20, note.y + note.height - 3)
  await focused(page, cell('note', 1))
  expect(await cell('headline', 1).inputValue()).toBe('Sleep well\nevery night')
  expect(await cell('tags', 1).inputValue()).toBe('["soft","warm"]')
  expect(await cell('tags', 1).getAttribute('readonly')).not.toBeNull()
  expect(await gate.getByLabel('note, row 2').getAttribute('placeholder')).toBe('no value')
  await typeInto(cell('headline', 2), 'Three pillows')
  await typeInto(cell('price', 2), '45.50')
  await cell('live', 3).selectOption('false')
  expect(await answered()).toEqual([
    rows[0],
    { ...rows[1], headline: 'Three pillows', price: 45.5 },
    { ...rows[2], live: false },
  ])
})

test('by keyboard: Enter and arrows go on to a cell that is then replaced, Shift Enter breaks the line, Escape takes back', async () => {
  const { page, cell, answered } = await asking(rows)
  await focused(page, cell('headline', 1))
  await page.keyboard.press('Enter')
  await focused(page, cell('headline', 2))
  await page.keyboard.type('Four')
  await page.keyboard.press('Shift+Enter')
  await page.keyboard.type('pillows')
  await page.keyboard.press('Tab')
  await focused(page, cell('price', 2))
  await page.keyboard.press('Enter')
  await focused(page, cell('price', 3))
  await page.keyboard.type('12')
  await page.keyboard.press('ArrowRight')
  await focused(page, cell('live', 3))
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await focused(page, cell('note', 3))
  await page.keyboard.press('ArrowUp')
  await focused(page, cell('note', 2))
  await page.keyboard.type('Oh')
  await page.keyboard.press('Alt+Enter')
  await page.keyboard.type('no')
  expect(await cell('note', 2).inputValue()).toBe('Oh\nno')
  await page.keyboard.press('Escape')
  expect(await cell('note', 2).inputValue()).toBe('')
  expect(await answered()).toEqual([rows[0], { ...rows[1], headline: 'Four\npillows' }, { ...rows[2], price: 12 }])
})

test('Ctrl Enter in a cell answers', async () => {
  const { id, page, cell } = await asking(rows)
  await typeInto(cell('headline', 2), 'Sent')
  await page.keyboard.press('Control+Enter')
  const { nodes } = await until(app.service, id, ({ status }) => status === 'succeeded')
  expect(nodes.check.outputs.value[1].headline).toBe('Sent')
})

test('a row is added and removed, and a removal is undone beside what was edited since', async () => {
  const { page, gate, cell, answered } = await asking(rows)
  await gate.getByRole('button', { name: 'Add a row' }).click()
  await focused(page, cell('headline', 4))
  await page.keyboard.type('New')
  await gate.getByRole('button', { name: 'Remove row 1' }).click()
  await focused(page, gate.getByRole('button', { name: 'Remove row 1' }))
  expect(await cell('headline', 1).inputValue()).toBe('Two pillows')
  await typeInto(cell('headline', 1), 'Five pillows')
  await page.getByRole('button', { name: 'Undo' }).click()
  await gate.getByText('4 rows').waitFor()
  await gate.getByRole('button', { name: 'Remove row 3' }).click()
  await gate.getByText('3 rows').waitFor()
  expect(await answered()).toEqual([
    rows[0],
    { ...rows[1], headline: 'Five pillows' },
    { headline: 'New', price: null, live: null, tags: null, note: '' },
  ])
})

test('a removal is not undone once the table is as it was, which has the row', async () => {
  const { page, gate, cell } = await asking(rows)
  await gate.getByRole('button', { name: 'Remove row 2' }).click()
  await gate.getByText('2 rows').waitFor()
  await gate.getByRole('button', { name: 'As it was' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('The table was changed since.').waitFor()
  expect(await gate.locator('tbody tr').count()).toBe(3)
  expect(await cell('headline', 2).inputValue()).toBe('Two pillows')
})

test('cells of a spreadsheet are pasted from a cell on, with new rows, and the paste is undone', async () => {
  const { page, gate, cell, answered } = await asking(rows)
  await cell('headline', 3).click()
  await paste(page, '"Line one\nline two"\t7\tFALSE\r\nA throw\t8,50\tTRUE\tsoft\r\n')
  await gate.getByText('4 rows').waitFor()
  expect(await cell('headline', 3).inputValue()).toBe('Line one\nline two')
  await gate.getByText('Row 4, “price”: “8,50” is not a number.').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await gate.getByText('3 rows').waitFor()
  expect(await gate.getByText('is not a number').count()).toBe(0)
  await cell('headline', 3).click()
  await paste(page, '"Line one\nline two"\t7\tFALSE\r\nA throw\t8.50\tTRUE\tsoft\r\n')
  expect(await answered()).toEqual([
    rows[0],
    rows[1],
    { ...rows[2], headline: 'Line one\nline two', price: 7, live: false },
    { headline: 'A throw', price: 8.5, live: true, tags: 'soft', note: '' },
  ])
})

test('lines fill rows where they replace all of a cell, and are a text of the cell where they do not', async () => {
  const { page, cell, gate } = await asking(rows)
  await cell('headline', 2).click()
  await page.keyboard.press('End')
  expect(await paste(page, ' and\nmore')).toBe(false)
  await cell('headline', 3).click()
  expect(await paste(page, 'One\nTwo', '<p>One</p><p>Two</p>')).toBe(false)
  expect(await paste(page, 'One\nTwo')).toBe(true)
  await gate.getByText('4 rows').waitFor()
  expect([await cell('headline', 3).inputValue(), await cell('headline', 4).inputValue()]).toEqual(['One', 'Two'])
})

test('a value that does not fit its column is named with row and column, keeps the answer back, and is gone to', async () => {
  const { page, gate, cell } = await asking(rows)
  await typeInto(cell('price', 2), 'cheap')
  await gate.getByRole('status').getByText('Row 2, “price”: “cheap” is not a number.').waitFor()
  expect(await cell('price', 2).getAttribute('aria-invalid')).toBe('true')
  await keepShot(page, 'gate-table-problem')
  const send = gate.getByRole('button', { name: 'Go on with this' })
  expect(await send.isEnabled()).toBe(false)
  await page.keyboard.press('Control+Enter')
  await gate.getByRole('button', { name: 'Go to the cell' }).click()
  await focused(page, cell('price', 2))
  await page.keyboard.type('40')
  await expect.poll(() => send.isEnabled()).toBe(true)
})

test('what was edited stays while one looks at the graph and after a reload, and can be edited as JSON and back', async () => {
  const { page, gate, cell, answered } = await asking(rows)
  page.on('dialog', (dialog) => void dialog.accept())
  await typeInto(cell('headline', 2), 'Kept')
  await page.keyboard.press('Escape')
  expect(await cell('headline', 2).inputValue()).toBe('Two pillows')
  await typeInto(cell('headline', 2), 'Kept')
  await gate.getByRole('button', { name: 'See the graph' }).click()
  await page.getByRole('button', { name: 'Answer', exact: true }).click()
  await expect.poll(() => cell('headline', 2).inputValue()).toBe('Kept')
  await page.reload()
  await expect.poll(() => cell('headline', 2).inputValue()).toBe('Kept')
  await asJson(page).click()
  const json = gate.getByRole('textbox', { name: 'Check the rows' })
  const text = await json.inputValue()
  expect(JSON.parse(text)).toEqual([rows[0], { ...rows[1], headline: 'Kept' }, rows[2]])
  await json.fill(text.replace('"soft"', '"hard"'))
  const asTable = gate.getByRole('button', { name: 'Edit as a table' })
  await json.fill(`${text} x`)
  expect(await asTable.isEnabled()).toBe(false)
  await json.fill(text.replace('"soft"', '"hard"'))
  await asTable.click()
  expect(await cell('tags', 1).inputValue()).toBe('["hard","warm"]')
  expect(await answered()).toEqual([{ ...rows[0], tags: ['hard', 'warm'] }, { ...rows[1], headline: 'Kept' }, rows[2]])
})

test('a table of 5,000 cells is edited as rows; a larger one as JSON, which says how large it is', async () => {
  const tableOf = (count: number) => Array.from({ length: count }, () => ({ a: 'x', b: 1 }))
  const { page, gate, cell } = await asking(tableOf(2_500))
  await cell('headline', 1).waitFor()
  await gate.getByRole('button', { name: 'Add a row' }).click()
  await page.getByText('at most 5,000 cells').waitFor()
  await gate.getByRole('button', { name: '2400 more rows' }).click()
  await cell('headline', 300).waitFor()
  const large = await asking(tableOf(2_501))
  await large.gate.getByText('This table has 5,002 cells').waitFor()
  expect(await large.gate.getByRole('table').count()).toBe(0)
  expect(await large.gate.getByRole('button', { name: 'Edit as a table' }).isEnabled()).toBe(false)
})

test('a list of texts, and a list of things that are no rows, are edited as before', async () => {
  for (const value of [['a', 'b'], [{ a: 1 }, 'b'], { a: 1 }]) {
    const { page, gate } = await asking(value)
    await gate.getByRole('textbox', { name: 'Check the rows' }).waitFor()
    expect(await asJson(page).count()).toBe(0)
  }
})

test('the table is accessible in both themes, and on a phone scrolls in itself', async () => {
  const { page, gate, cell } = await asking(rows)
  await typeInto(cell('price', 1), 'cheap')
  await keepShot(page, 'gate-table')
  expect(await violationsInBothThemes(page)).toEqual([])
  await page.emulateMedia({ colorScheme: 'dark' })
  await keepShot(page, 'gate-table-dark')

  const small = await asking(rows, phone)
  await small.cell('headline', 1).waitFor()
  await keepShot(small.page, 'gate-table-phone')
  const width = 'document.documentElement.scrollWidth <= innerWidth'
  expect(await small.page.evaluate(width)).toBe(true)
  // There is no Shift on the keyboard of a phone: Enter breaks the line.
  await small.cell('headline', 2).tap()
  await small.page.keyboard.press('End')
  await small.page.keyboard.press('Enter')
  expect(await small.cell('headline', 2).inputValue()).toBe('Two pillows\n')
  expect(await small.gate.getByRole('button', { name: 'Go on with this' }).isVisible()).toBe(true)
  expect(await gate.count()).toBe(1)
})

test('at a gate that somebody else answers, what was edited in the table is not lost', async () => {
  const { id, page, cell } = await asking(rows)
  await typeInto(cell('headline', 2), 'Mine, with care')
  const body = { node_id: 'check', answer: { value: [] } }
  expect((await app.service.post(`/api/v1/runs/${id}/answers`, body)).status).toBe(200)
  const unsent = page.getByRole('alert').filter({ hasText: 'What you wrote was not sent' })
  expect(await unsent.getByLabel('What you wrote').inputValue()).toContain('Mine, with care')
  expect((await readRun(app.service, id)).answers).toEqual({ check: { value: [] } })
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
