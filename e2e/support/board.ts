// In charge of finding columns and cards on the board in tests, and of actions on them.
import type { Locator, Page } from 'playwright-core'

/** The column with this label. */
export const column = (page: Page, label: string): Locator => page.getByRole('region', { name: label, exact: true })

/** The cards whose text contains `name`: in `place`, which is the whole page or a column. */
export const card = (place: Page | Locator, name: string): Locator =>
  place.getByRole('article').filter({ hasText: name })

/** Picks up a card with the keyboard, from the column `label`. */
export async function pickUp(page: Page, name: string, label: string): Promise<void> {
  await cardLink(page, name).focus()
  await page.keyboard.press('Space')
  await page.getByText(`${name} is over ${label}.`).waitFor()
  // After a pick-up, the app listens to further keys only when a timer has fired. A timer that is set now fires after that timer.
  await page.evaluate('new Promise((resolve) => setTimeout(resolve))')
}

/** Waits until the cards of the columns with these labels have been loaded. */
export const columnsRead = async (page: Page, ...labels: string[]): Promise<void> => {
  for (const label of labels) await column(page, label).getByRole('list').waitFor({ state: 'attached' })
}

/** The card's name, a link that opens the task. */
export const cardLink = (place: Page | Locator, name: string): Locator => place.getByRole('link', { name, exact: true })
