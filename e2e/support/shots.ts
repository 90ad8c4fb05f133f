// In charge of screenshots of pages for a person to look at, saved in the folder that `ATELIER_KEEP_ARTIFACTS` names.
import type { Page } from 'playwright-core'
import { keepArtifact } from '../../server/test/support/artifacts.ts'
import { engine } from '../../server/test/support/harness.ts'
import { browserName } from './browsers.ts'

/** Saves a screenshot; its file name also has the browser and the database. Does nothing unless `ATELIER_KEEP_ARTIFACTS` is set. */
export async function keepShot(page: Page, name: string): Promise<void> {
  if (process.env.ATELIER_KEEP_ARTIFACTS)
    await keepArtifact(`${browserName}-${engine}-${name}.png`, await page.screenshot())
}
