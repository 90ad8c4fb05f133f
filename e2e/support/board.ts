// In charge of the words tests speak of the board in.
import type { Locator, Page } from 'playwright-core'

/** A column by what it is called. */
export const column = (page: Page, label: string): Locator => page.getByRole('region', { name: label, exact: true })

/** The cards of a name, on the whole board or in one column. */
export const card = (place: Page | Locator, name: string): Locator =>
  place.getByRole('article').filter({ hasText: name })

/** The name of a card, which opens it. */
export const cardLink = (place: Page | Locator, name: string): Locator => place.getByRole('link', { name, exact: true })
