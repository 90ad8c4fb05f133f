// Facts about docs/errors.md and the page at /docs/errors: both describe every refusal code, and no other code.
import { readFileSync } from 'node:fs'
import { refusalMembers, refusals } from '@atelier/contract/wire/errors.ts'
import { expect, test } from 'vitest'
import { errorsPage } from './errors-page.ts'

const text = readFileSync(new URL('../../../../docs/errors.md', import.meta.url), 'utf8')
const members = new Map(Object.entries(refusalMembers).map(([code, added]) => [code, Object.keys(added)]))

test('docs/errors.md has a row for each code, in the words of the registry', () => {
  const rows = text.split('\n').filter((line) => /^\| `\w+` \|/.test(line))
  const expected = Object.entries(refusals).map(([code, { status, when, action }]) => {
    const also = (members.get(code) ?? []).map((member) => ` \`${member}\``)
    return `| \`${code}\` | ${status} | ${when} | ${action} |${also.join(',')} |`
  })
  expect(rows).toEqual(expected)
})

test('the page has a section for each code, where the type of its problem leads', () => {
  const sections = [...errorsPage('/icon.svg').matchAll(/<section id="(\w+)">/g)].map(([, code]) => code)
  expect(sections).toEqual(Object.keys(refusals))
})

test('the page shows what stands between backticks as code, and escapes the rest', () => {
  const page = errorsPage('/icon.svg')
  expect(page).toContain('Send <code>Authorization: Bearer &lt;token&gt;</code>.')
  expect(page).not.toContain('`')
})
