// In charge of filling in fields key by key, as users do. Playwright's `fill` sets the text of a field directly, and in Firefox the
// app does not notice that.
import type { Locator } from 'playwright-core'

/** Replaces the text of the field. */
export async function typeInto(field: Locator, text: string): Promise<void> {
  await field.press('ControlOrMeta+a')
  await field.pressSequentially(text)
}
