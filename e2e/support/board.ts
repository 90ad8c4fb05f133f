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

/** Picks up a card with the mouse, at a place near its upper left corner. */
export async function pickUpByMouse(page: Page, name: string): Promise<void> {
  const box = await card(page, name).boundingBox()
  if (!box) throw new Error(`The card ${name} has no size.`)
  await page.mouse.move(box.x + 80, box.y + 12)
  await page.mouse.down()
  await page.mouse.move(box.x + 100, box.y + 40, { steps: 3 })
}

/** Drags a card with the mouse to the column `label`. */
export async function dragByMouse(page: Page, name: string, label: string): Promise<void> {
  const box = await column(page, label).boundingBox()
  if (!box) throw new Error(`The column ${label} has no size.`)
  await pickUpByMouse(page, name)
  await page.mouse.move(box.x + box.width / 2, box.y + 200, { steps: 6 })
  await page.mouse.up()
}

/** Waits until the cards of the columns with these labels have been loaded. */
export const columnsRead = async (page: Page, ...labels: string[]): Promise<void> => {
  for (const label of labels) await column(page, label).getByRole('list').waitFor({ state: 'attached' })
}

/** The card's name, a link that opens the task. */
export const cardLink = (place: Page | Locator, name: string): Locator => place.getByRole('link', { name, exact: true })
