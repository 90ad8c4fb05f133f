// In charge of moving the focus by keyboard in tests, and of checking where it is.
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

const nameOfFocused =
  'document.activeElement === document.body ? "nothing" : (document.activeElement.ariaLabel ?? document.activeElement.textContent)'

/** Waits until this element has the focus. */
export const focused = (page: Page, place: Locator) => place.and(page.locator(':focus')).waitFor()

/** Waits until the focused element has this `aria-label` or, if it has none, this text. */
export const focusIs = (page: Page, name: string) => expect.poll(() => page.evaluate(nameOfFocused)).toBe(name)

/** Presses Tab (or Shift+Tab) until the focused element has this `aria-label` or text. */
export async function tabTo(page: Page, name: string, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  const passed: unknown[] = []
  for (let steps = 0; steps < 80; steps++) {
    await page.keyboard.press(key)
    const at = await page.evaluate(nameOfFocused)
    if (at === name) return
    passed.push(at)
  }
  throw new Error(`${key} never came to “${name}”, only to ${passed.join(', ')}.`)
}
