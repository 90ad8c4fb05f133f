// In charge of filling in fields key by key, as users do. Playwright's `fill` sets the text of a field without keys, which the app
// does not notice in Firefox.
import type { Locator } from 'playwright-core'

/** Replaces the text in the field by `text`. */
export async function typeInto(field: Locator, text: string): Promise<void> {
  await field.press('ControlOrMeta+a')
  await field.pressSequentially(text)
}
