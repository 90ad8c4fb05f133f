// In charge of filling in fields key by key, as users do. Playwright's `fill` sets the text of a field without keys, which the app
// does not notice in Firefox.
import type { Locator } from 'playwright-core'

/**
 * Replaces the text in the field by `text`. The text is not selected by Ctrl+A: Firefox leaves that key to its window, and in a
 * headless one on a busy machine it was sometimes not heard, so that `3` became `31`.
 */
export async function typeInto(field: Locator, text: string): Promise<void> {
  await field.selectText()
  await field.pressSequentially(text)
}
