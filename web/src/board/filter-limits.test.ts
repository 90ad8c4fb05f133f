// Facts about the limits of the board's filter: what it allows, the service takes with all that the board adds.
import { filterLimits } from '@atelier/contract/filter-fields.ts'
import { describe, expect, test } from 'vitest'
import type { Group } from './filter-group.ts'
import { limitExceeded } from './filter-limits.ts'

const rule = { field: 'priority', operator: '=', value: 1 }
const rules = (count: number) => Array.from({ length: count }, () => rule)
/** Groups within one another, `depth` of them together. */
const nested = (depth: number, combinator: string): Group => ({
  combinator,
  rules: depth === 1 ? [rule] : [nested(depth - 1, 'and')],
})
const exceeded = (group: Group) => limitExceeded({ query: JSON.stringify(group) })

describe('the conditions of a filter', () => {
  test.each(['and', 'or'])('are two fewer than the service takes, as the gallery adds two (%s)', (combinator) => {
    expect(exceeded({ combinator, rules: rules(filterLimits.rules - 2) })).toBeNull()
    expect(exceeded({ combinator, rules: rules(filterLimits.rules - 1) })).toMatch('at most 48 conditions')
  })
})

describe('the groups of a filter', () => {
  test('are nested as deep as the service takes where all have to hold', () => {
    expect(exceeded(nested(filterLimits.depth, 'and'))).toBeNull()
    expect(exceeded(nested(filterLimits.depth + 1, 'and'))).toMatch('at most 5 deep, counted from the outermost group.')
  })

  test('are nested less deep where any is enough, as the board puts a group around them', () => {
    expect(exceeded(nested(filterLimits.depth - 1, 'or'))).toBeNull()
    expect(exceeded(nested(filterLimits.depth, 'or'))).toMatch('at most 4 deep')
    expect(exceeded({ ...nested(filterLimits.depth, 'and'), not: true })).toMatch('at most 4 deep')
  })
})
