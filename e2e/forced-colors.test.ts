// Facts about forced colours, such as the contrast themes of Windows: what is on or chosen shows there although backgrounds do not.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, startApp } from './support/app.ts'
import { keepShot } from './support/shots.ts'

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

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
