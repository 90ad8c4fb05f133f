// In charge of pictures of pages for a person to look at, kept where `ATELIER_KEEP_ARTIFACTS` says.
import type { Page } from 'playwright-core'
import { keepArtifact } from '../../server/test/support/artifacts.ts'
import { engine } from '../../server/test/support/harness.ts'
import { browserName } from './browsers.ts'

/** Named by the browser, and the database the page stood on; nothing is made where nobody asked for it. */
export async function keepShot(page: Page, name: string): Promise<void> {
  if (process.env.ATELIER_KEEP_ARTIFACTS)
    await keepArtifact(`${browserName}-${engine}-${name}.png`, await page.screenshot())
}
