// In charge of telling whether the browser would ask the user before it closes a page.
import type { Page } from 'playwright-core'

export const asksBeforeClosing = (page: Page): Promise<boolean> =>
  page.evaluate("!dispatchEvent(new Event('beforeunload', { cancelable: true }))")
