// In charge of filling in fields key by key, as users do. Playwright's `fill` sets the text of a field without keys, which the app
// does not notice in Firefox.
import type { Locator } from 'playwright-core'

/**
 * Replaces the text in the field by `text`. The keys are sent to the page: sent to the field, Playwright first undoes a selection if
 * the window does not have the focus, as in Firefox on a busy machine; then `3` for `1` became `31`.
 */
export async function typeInto(field: Locator, text: string): Promise<void> {
  await field.selectText()
  await field.page().keyboard.type(text)
}
