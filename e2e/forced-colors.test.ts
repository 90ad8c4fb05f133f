// Facts about forced colours, such as the contrast themes of Windows: what is on or chosen shows there although backgrounds do not.
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, startApp } from './support/app.ts'
import { keepShot } from './support/shots.ts'
import { shows } from './support/viewer.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

/** A CSS property, as the browser uses it, of the first element that fits the selector. */
const styleOf = (page: Page, selector: string, property: string): Promise<string> =>
  page.evaluate(`getComputedStyle(document.querySelector(${JSON.stringify(selector)})).${property}`)

test('switches, checked boxes and what is chosen show in forced colours, in light and in dark', async () => {
  const page = await app.open('/people')
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, forcedColors: 'active' })
    await page.goto(`${app.url}/people`)
    await page.getByRole('switch').first().waitFor()
    await keepShot(page, `forced-${colorScheme}-people`)
    const [track, thumb] = ['.mantine-Switch-track', '.mantine-Switch-thumb']
    expect(await styleOf(page, track, 'borderTopStyle')).toBe('solid')
    expect(await styleOf(page, thumb, 'backgroundColor')).not.toBe(await styleOf(page, track, 'backgroundColor'))

    await page.goto(`${app.url}/notices/settings`)
    await page.getByRole('checkbox', { checked: true }).first().waitFor()
    await keepShot(page, `forced-${colorScheme}-settings`)
    const icon = 'input:checked + .mantine-Checkbox-icon'
    expect(await styleOf(page, icon, 'color')).toBe(await styleOf(page, 'body', 'color'))

    await page.goto(app.url)
    await page.getByRole('button', { name: 'Columns', pressed: true }).waitFor()
    expect(await styleOf(page, '[aria-label=Columns]', 'outlineStyle')).toBe('solid')
    expect(await styleOf(page, '[aria-label=Gallery]', 'outlineStyle')).toBe('none')
    await page.keyboard.press('Control+k')
    await page.getByRole('option', { selected: true }).waitFor()
    await keepShot(page, `forced-${colorScheme}-commands`)
    expect(await styleOf(page, '[role=option][aria-selected=true]', 'outlineStyle')).toBe('solid')
  }
})

test('the viewer shows which comment is chosen and what is off, and the colours of a note stay, in forced colours', async () => {
  const { task, creatives } = await app.make.taskWith(['One', 'Two'], { name: 'Forced' })
  const image = sharp({ create: { width: 400, height: 300, channels: 3, background: '#24508c' } })
  const file = await app.make.file(await image.png().toBuffer(), 'image/png')
  for (const { id } of creatives) {
    await app.service.patch(`/api/v1/creatives/${id}`, { file })
    const mark = { kind: 'pin', lines: [[[0.3, 0.4]]] }
    for (const text of ['Warmer', 'Colder'])
      await app.service.post(`/api/v1/creatives/${id}/review-comments`, { text, version: 1, mark })
  }
  const note = { kind: 'note', colour: 'yellow', text: 'Why', x: 0, y: 0, width: 240, height: 140 }
  const words = { type: 'input.text', version: 1, params: { value: 'Glow' } }
  const ui_state = { nodes: { words: { x: 300, y: 0 } }, annotations: { 'note/1': note } }
  const graph = { name: 'Forced', definition: { schema: 1, nodes: { words }, edges: [] }, ui_state }
  const { data } = await app.service.post('/api/v1/graphs', graph)
  const page = await app.open('/')
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, forcedColors: 'active' })
    await page.goto(`${app.url}/tasks/${task.id}#creatives`)
    await page.getByRole('list', { name: 'Creatives' }).getByRole('button', { name: /One/ }).first().click()
    await shows(page, 'One', '400 × 300')
    await page.getByRole('list', { name: 'Comments on the picture' }).getByText('Warmer').waitFor()
    await page.keyboard.press('j')
    await page.locator('.review-list > [data-chosen]').waitFor()
    await keepShot(page, `forced-${colorScheme}-viewer`)
    expect(await styleOf(page, '.review-list > [data-chosen]', 'outlineStyle')).toBe('solid')
    expect(await styleOf(page, '.review-list > :not([data-chosen])', 'outlineStyle')).toBe('none')
    const [off, on] = ['.viewer-turn[aria-disabled]', '.viewer-turn:not([aria-disabled])']
    expect(await styleOf(page, off, 'color')).not.toBe(await styleOf(page, on, 'color'))
    await page.keyboard.press('b')
    await page.getByRole('button', { name: /^Wipe/ }).click()
    await keepShot(page, `forced-${colorScheme}-compare`)
    await page.getByRole('button', { name: 'Box' }).press('Enter')
    await page.locator('path.cross').waitFor()
    await keepShot(page, `forced-${colorScheme}-cross`)

    await page.goto(`${app.url}/graphs/${data.id}`)
    await page.locator('.canvas-note').click()
    await page.getByRole('radio', { name: 'pink' }).waitFor()
    await keepShot(page, `forced-${colorScheme}-note`)
    const backs = ['yellow', 'pink'].map((colour) => `.colour-choice [data-colour=${colour}]`)
    const [yellow, pink] = await Promise.all(backs.map((selector) => styleOf(page, selector, 'backgroundColor')))
    expect(yellow).not.toBe(pink)
    expect(await styleOf(page, '.colour-choice [aria-checked=true]', 'outlineStyle')).toBe('solid')
  }
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
