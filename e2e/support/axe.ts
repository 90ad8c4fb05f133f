// In charge of asking axe what is wrong with a page for people who do not see it, or do not use a mouse.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type Violation = { id: string; nodes: { target: string[]; failureSummary: string }[] }

/** What axe finds, a line each. */
export async function violations(page: Page, without: readonly string[] = []): Promise<string[]> {
  const rules = Object.fromEntries(without.map((rule) => [rule, { enabled: false }]))
  // Not as a script of the page: its policy would refuse that, as it should.
  const found: Violation[] = await page.evaluate(
    `(() => { ${axe} })(); axe.run({ rules: ${JSON.stringify(rules)} }).then(({ violations }) => violations)`,
  )
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')}: ${failureSummary}`),
  )
}
