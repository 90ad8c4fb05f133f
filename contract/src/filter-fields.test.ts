// Facts about the catalogue of filter fields: it agrees with the schema of the card and with react-querybuilder.
import { defaultOperators } from '@react-querybuilder/core'
import { describe, expect, test } from 'vitest'
import { filterFields, filterOperators, operatorsByType, operatorsOf } from './filter-fields.ts'
import { TaskCard } from './tasks.ts'

const field = (name: string) => {
  const found = filterFields.find((candidate) => candidate.name === name)
  if (!found) throw new Error(`no field ${name}`)
  return found
}

/** The schema of one member of the card, as plain JSON. */
const member = (name: string): Record<string, unknown> => {
  const { properties }: { properties: Record<string, Record<string, unknown>> } = JSON.parse(JSON.stringify(TaskCard))
  return properties[name] ?? {}
}

describe('the catalogue of filter fields', () => {
  test('holds every member of a card but its id and its automation, and the campaign id', () => {
    const expected = Object.keys(TaskCard.properties).filter((name) => name !== 'id' && name !== 'automation')
    expect(filterFields.map(({ name }) => name).toSorted()).toEqual([...expected, 'ad_id'].toSorted())
  })

  test.each(filterFields.filter(({ name }) => name !== 'ad_id' && name !== 'varied_elements'))(
    '$name is nullable exactly where the card says so',
    ({ name, nullable }) => {
      expect([member(name).type].flat().includes('null')).toBe(nullable)
    },
  )

  test.each(filterFields.filter(({ type }) => type === 'enum' || type === 'enum_list'))(
    '$name takes its allowed values from where the card does',
    ({ name, vocabulary, values }) => {
      const schema = member(name)
      const items: unknown = schema['x-vocabulary'] ?? JSON.parse(JSON.stringify(schema.items ?? {}))['x-vocabulary']
      expect({ vocabulary, values }).toEqual({ vocabulary: items, values: schema.enum })
    },
  )

  test('only enumerations have allowed values', () => {
    const others = filterFields.filter(({ type }) => type !== 'enum' && type !== 'enum_list')
    expect(others.filter(({ vocabulary, values }) => vocabulary || values)).toEqual([])
  })

  test('has a label of its own for each field', () => {
    const labels = filterFields.map(({ label }) => label)
    expect(new Set(labels).size).toBe(labels.length)
  })
})

describe('the operators', () => {
  test("are react-querybuilder's defaults", () => {
    expect(filterOperators).toEqual(defaultOperators.map(({ name }) => name))
  })

  test('are all offered by some type, and by none twice', () => {
    expect(new Set(Object.values(operatorsByType).flat())).toEqual(new Set(filterOperators))
    for (const operators of Object.values(operatorsByType)) expect(new Set(operators).size).toBe(operators.length)
  })

  test('ask for null only where a field can be empty', () => {
    expect(operatorsOf(field('topic'))).toContain('null')
    expect(operatorsOf(field('name'))).not.toContain('null')
    expect(operatorsOf(field('name'))).not.toContain('notNull')
    expect(operatorsOf(field('varied_elements'))).toContain('notNull')
  })
})
