// In charge of filling in fields as people do: key by key. Playwright sets the text of a field itself, which the app does not
// hear of in Firefox.
import type { Locator } from 'playwright-core'

/** Replaces what the field has. */
export async function typeInto(field: Locator, text: string): Promise<void> {
  await field.press('ControlOrMeta+a')
  await field.pressSequentially(text)
}
