// In charge of checking pages with axe, a library that finds what hinders people who cannot see a page or do not use a mouse.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type Violation = { id: string; nodes: { target: string[]; failureSummary: string }[] }

/** The ids of axe's rules whose result depends on the theme. */
const rulesOfColour = ['color-contrast', 'link-in-text-block']

/** The violations that axe finds on a page, each as a text; `without`: the ids of rules to skip. */
export async function violations(page: Page, without: readonly string[] = []): Promise<string[]> {
  const rules = Object.fromEntries(without.map((rule) => [rule, { enabled: false }]))
  return run(page, { rules })
}

/**
 * All violations in the light theme, and those of `rulesOfColour` in the dark theme: the two themes differ only in colours.
 */
export async function violationsInBothThemes(page: Page, without: readonly string[] = []): Promise<string[]> {
  const light = await violations(page, without)
  await changeTheme(page, 'dark')
  const dark = await run(page, { runOnly: rulesOfColour })
  await changeTheme(page, 'light')
  return [...light, ...dark.map((line) => `dark: ${line}`)]
}

/** Changes the theme; resolves when the page has been drawn in it and all colour transitions have ended. */
async function changeTheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor()
  await page.evaluate(`new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))).then(() =>
    Promise.allSettled(document.getAnimations().flatMap((one) => (one instanceof CSSTransition ? [one.finished] : []))))`)
}

/** Runs axe on a page. Its script (half a megabyte) is loaded only once per page, because loading it takes as long as a check. */
async function run(page: Page, options: object): Promise<string[]> {
  // The script is evaluated, because the page's content security policy would refuse it in a script element.
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(`(() => { ${axe} })()`)
  // With the option `resultTypes`, axe keeps no details about elements without violations.
  const found: Violation[] = await page.evaluate(
    `axe.run(${JSON.stringify({ ...options, resultTypes: ['violations'] })}).then(({ violations }) => violations)`,
  )
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')}: ${failureSummary}`),
  )
}
