// In charge of finding the viewer in tests, and of waiting for what it shows and for its end.
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

export const viewer = (page: Page) => page.getByRole('dialog', { name: /^Picture / })

/** Waits until the viewer shows the picture `name` and, as a text, its size in pixels, such as `300 × 250`. */
export const shows = (page: Page, name: string, pixels: string) =>
  Promise.all([
    page.getByRole('dialog', { name: `Picture ${name}`, exact: true }).waitFor(),
    viewer(page).getByText(pixels, { exact: true }).waitFor(),
  ])

/** Waits until the viewer is closed, and the browser is at the entry of the page below. */
export async function isClosed(page: Page): Promise<void> {
  await viewer(page).waitFor({ state: 'detached' })
  await expect.poll(() => page.evaluate('history.state.isViewers ?? false')).toBe(false)
}

/** Waits until the picture at this selector is loaded. */
export const loaded = (page: Page, selector: string) =>
  expect
    .poll(() => page.evaluate(`document.querySelector(${JSON.stringify(selector)})?.naturalWidth ?? 0`))
    .toBeGreaterThan(0)
