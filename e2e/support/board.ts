// In charge of locators and actions on the board for tests.
import type { Locator, Page } from 'playwright-core'

/** A column by its label. */
export const column = (page: Page, label: string): Locator => page.getByRole('region', { name: label, exact: true })

/** The cards with a name, on the whole board or in one column. */
export const card = (place: Page | Locator, name: string): Locator =>
  place.getByRole('article').filter({ hasText: name })

/** Picks up a card with the keyboard, from the column `label`. */
export async function pickUp(page: Page, name: string, label: string): Promise<void> {
  await cardLink(page, name).focus()
  await page.keyboard.press('Space')
  await page.getByText(`${name} is over ${label}.`).waitFor()
  // The app listens to further keys only after a timer. Browsers handle keys before timers, so this waits until a timer has fired.
  await page.evaluate('new Promise((resolve) => setTimeout(resolve))')
}

/** Waits until the cards of these columns have been loaded. */
export const columnsRead = async (page: Page, ...labels: string[]): Promise<void> => {
  for (const label of labels) await column(page, label).getByRole('list').waitFor({ state: 'attached' })
}

/** The card's name, a link that opens the task. */
export const cardLink = (place: Page | Locator, name: string): Locator => place.getByRole('link', { name, exact: true })
