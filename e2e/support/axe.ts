// In charge of checking a page with axe for barriers to people who cannot see it or do not use a mouse.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type Violation = { id: string; nodes: { target: string[]; failureSummary: string }[] }

/** The rules whose result depends on the theme. */
const rulesOfColour = ['color-contrast', 'link-in-text-block']

/** The violations that axe finds, each as one line of text; `without`: the ids of rules that are skipped. */
export async function violations(page: Page, without: readonly string[] = []): Promise<string[]> {
  const rules = Object.fromEntries(without.map((rule) => [rule, { enabled: false }]))
  return run(page, { rules })
}

/**
 * All violations in the light theme, and the violations of `rulesOfColour` in the dark theme, which differs from the light theme
 * only in colours.
 */
export async function violationsInBothThemes(page: Page, without: readonly string[] = []): Promise<string[]> {
  const light = await violations(page, without)
  await changeTheme(page, 'dark')
  const dark = await run(page, { runOnly: rulesOfColour })
  await changeTheme(page, 'light')
  return [...light, ...dark.map((line) => `dark: ${line}`)]
}

/** Changes the theme; resolves once the page is drawn in the theme and all colour transitions have ended. */
async function changeTheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor()
  await page.evaluate(`new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))).then(() =>
    Promise.allSettled(document.getAnimations().flatMap((one) => (one instanceof CSSTransition ? [one.finished] : []))))`)
}

/** Runs axe on a page. Loads axe only once per page, since parsing its half megabyte of script takes as long as checking a page. */
async function run(page: Page, options: object): Promise<string[]> {
  // axe is evaluated by the test, since the page's content security policy refuses it as a script element.
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(`(() => { ${axe} })()`)
  // With the option `resultTypes`, axe keeps no details about elements without violations.
  const found: Violation[] = await page.evaluate(
    `axe.run(${JSON.stringify({ ...options, resultTypes: ['violations'] })}).then(({ violations }) => violations)`,
  )
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')}: ${failureSummary}`),
  )
}
