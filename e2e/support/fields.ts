// In charge of filling in fields key by key, as users do. Playwright's `fill` sets a field's text directly, which the app does not
// notice in Firefox.
import type { Locator } from 'playwright-core'

/** Replaces the text of the field. */
export async function typeInto(field: Locator, text: string): Promise<void> {
  await field.press('ControlOrMeta+a')
  await field.pressSequentially(text)
}
