// Facts about docs/configuration.md: it describes every setting, and the service accepts the examples in it.
import { readFileSync } from 'node:fs'
import { examples } from '@atelier/contract/examples/examples.ts'
import { parseCatalogue } from '@atelier/contract/graph/model-catalogue.ts'
import { creativeName, nameTokens, parseNameTemplate } from '@atelier/contract/names.ts'
import { parseVocabulary } from '@atelier/contract/vocabulary.ts'
import { expect, test } from 'vitest'
import { settings } from './settings.ts'

const text = readFileSync(new URL('../../../docs/configuration.md', import.meta.url), 'utf8')
const lines = text.split('\n')

test('the table has a row for each setting, with its default and in its words', () => {
  const byName = new Map(Object.values(settings).map((setting) => [setting.name, setting]))
  const expected = [...byName.values()].map(({ name, fallback, means }) => {
    return `| \`${name}\` |${fallback === '' ? '' : ` \`${fallback}\``} | ${means} |`
  })
  expect(lines.filter((line) => /^\| `[A-Z0-9_]+` \|/.test(line))).toEqual(expected)
})

test('a setting that takes one of some values names each of them', () => {
  const refusalOf = ({ parse }: (typeof all)[number]): string => {
    try {
      parse('no such value')
      return ''
    } catch (error) {
      return String(error)
    }
  }
  const all = Object.values(settings)
  const choices = all.flatMap((setting) => {
    const taken = /must be one of (.*)$/.exec(refusalOf(setting))?.[1]?.split(', ') ?? []
    return taken.length === 0 || taken.join() === 'true,false' ? [] : [{ ...setting, taken }]
  })
  expect(choices.map(({ name }) => name)).toContain('LOG_LEVEL')
  const unnamed = choices.flatMap(({ taken, means }) =>
    taken.filter((value) => !new RegExp(`\\b${value}\\b`).test(means)),
  )
  expect(unnamed).toEqual([])
})

test('the sample vocabulary file is one that a start takes', () => {
  const [, json = ''] = /```json\n([\s\S]*?)```/.exec(text) ?? []
  const parsed = parseVocabulary(JSON.parse(json))
  expect('errors' in parsed ? parsed.errors : []).toEqual([])
})

test('the sample templates give the names beside them', () => {
  const rows = lines.map((line) => /^\| `(.*\{number\}.*)` \| `(.*)` \|$/.exec(line)).filter((row) => row !== null)
  expect(rows.length).toBeGreaterThan(1)
  for (const [, template = '', name] of rows) {
    const parsed = parseNameTemplate(template)
    if ('errors' in parsed) throw new Error(parsed.errors.join())
    expect(creativeName(parsed.template, { ...examples.task, product: examples.product.name }, 1, 1)).toBe(name)
  }
})

test('every token of a template is told', () => {
  expect(nameTokens.filter((token) => !text.includes(`\`{${token}}\``))).toEqual([])
})

test('the sample list of models is one that a start takes', () => {
  const [, json = ''] = /```jsonc\n([\s\S]*?)```/.exec(text) ?? []
  expect(parseCatalogue(JSON.parse(json))).toHaveProperty('models')
})
