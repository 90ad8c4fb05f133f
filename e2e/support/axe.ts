// In charge of asking axe what is wrong with a page for people who do not see it, or do not use a mouse.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type Violation = { id: string; nodes: { target: string[]; failureSummary: string }[] }

/** The rules whose outcome depends on the theme. */
const rulesOfColour = ['color-contrast', 'link-in-text-block']

/** What axe finds, a line each; `without`: these rules are left out. */
export async function violations(page: Page, without: readonly string[] = []): Promise<string[]> {
  const rules = Object.fromEntries(without.map((rule) => [rule, { enabled: false }]))
  return run(page, { rules })
}

/** What axe finds in the light theme, and what the dark one has wrong with its colours: its only difference. */
export async function violationsInBothThemes(page: Page, without: readonly string[] = []): Promise<string[]> {
  const light = await violations(page, without)
  await changeTheme(page, 'dark')
  const dark = await run(page, { runOnly: rulesOfColour })
  await changeTheme(page, 'light')
  return [...light, ...dark.map((line) => `dark: ${line}`)]
}

/** Resolves once the page is drawn in the theme, and colours that change by degrees have changed. */
async function changeTheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor()
  await page.evaluate(`new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))).then(() =>
    Promise.allSettled(document.getAnimations().flatMap((one) => (one instanceof CSSTransition ? [one.finished] : []))))`)
}

/** Loaded once for each page: half a megabyte of script takes the browser as long to read as a look at a page. */
async function run(page: Page, options: object): Promise<string[]> {
  // Not as a script of the page: its policy would refuse that, as it should.
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(`(() => { ${axe} })()`)
  // Of what is as it should be it keeps nothing.
  const found: Violation[] = await page.evaluate(
    `axe.run(${JSON.stringify({ ...options, resultTypes: ['violations'] })}).then(({ violations }) => violations)`,
  )
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')}: ${failureSummary}`),
  )
}
