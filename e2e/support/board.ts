// In charge of the words tests speak of the board in.
import type { Locator, Page } from 'playwright-core'

/** A column by what it is called. */
export const column = (page: Page, label: string): Locator => page.getByRole('region', { name: label, exact: true })

/** The cards of a name, on the whole board or in one column. */
export const card = (place: Page | Locator, name: string): Locator =>
  place.getByRole('article').filter({ hasText: name })

/** Picks a card up with the keyboard, from `label`. */
export async function pickUp(page: Page, name: string, label: string): Promise<void> {
  await cardLink(page, name).focus()
  await page.keyboard.press('Space')
  await page.getByText(`${name} is over ${label}.`).waitFor()
  // The keyboard is listened to from the next timer on, and browsers handle keys before timers.
  await page.evaluate('new Promise((resolve) => setTimeout(resolve))')
}

/** Waits until these columns have been read. */
export const columnsRead = async (page: Page, ...labels: string[]): Promise<void> => {
  for (const label of labels) await column(page, label).getByRole('list').waitFor({ state: 'attached' })
}

/** The name of a card, which opens it. */
export const cardLink = (place: Page | Locator, name: string): Locator => place.getByRole('link', { name, exact: true })
