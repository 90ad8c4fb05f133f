// Facts about the parameters of the board's address.
import { describe, expect, test } from 'vitest'
import {
  countRules,
  feedParams,
  filterText,
  parseAddress,
  parseSort,
  readBoardSearch,
  readFilter,
  sortText,
  withPictures,
  writeAddress,
} from './search-params.ts'

const filter = '{"combinator":"and","rules":[{"field":"priority","operator":"<=","value":2}]}'

describe('an address', () => {
  test('survives being written and read', () => {
    const search = { q: '50 % & more', filter, sort: '-deadline_at', layout: 'gallery' as const }
    expect(readBoardSearch(parseAddress(writeAddress(search)))).toEqual(search)
    expect(writeAddress({})).toBe('')
  })

  test('leaves out what cannot be read', () => {
    expect(readBoardSearch({ q: '', filter: '{"rules":', sort: 'a; b' })).toEqual({})
    expect(readBoardSearch({ filter: '{"combinator":"and","rules":[]}' })).toEqual({})
    expect(readBoardSearch({ filter: 7, sort: 7, q: null, layout: 'list' })).toEqual({})
  })
})

test('a sort is a field, and a minus where it descends', () => {
  expect(parseSort('-priority')).toEqual({ field: 'priority', direction: -1 })
  expect(parseSort('name')).toEqual({ field: 'name', direction: 1 })
  expect(parseSort(undefined)).toBeNull()
  expect(sortText({ field: 'name', direction: -1 })).toBe('-name')
})

test('a filter goes into the address without the ids of the builder’s rows', () => {
  const rule = { id: 'r', field: 'priority', operator: '<=', value: 2 }
  expect(filterText({ combinator: 'and', rules: [rule], ...{ id: 'g', path: [] } })).toBe(filter)
})

test('conditions are counted in groups within groups', () => {
  expect(countRules(readFilter(filter))).toBe(1)
  expect(countRules({ rules: [{ field: 'a' }, { rules: [{ field: 'b' }, { field: 'c' }] }] })).toBe(3)
  expect(countRules(readFilter('nonsense'))).toBe(0)
})

test('a feed is not asked to sort by what it cannot', () => {
  expect(feedParams({ sort: '-deleted_at', q: 'x' }, ['name'], new Set())).toEqual({ search: 'x' })
  expect(feedParams({ sort: 'name', filter }, ['name'], new Set())).toEqual({
    sort: '{"field":"name","direction":1}',
    query: filter,
  })
})

test('a feed is asked for the hours of a day where the user is', () => {
  const of = (operator: string, value: unknown) =>
    JSON.stringify({ combinator: 'and', rules: [{ field: 'created_at', operator, value }] })
  const [start, next] = [new Date(2026, 9, 31), new Date(2026, 10, 1)]
  const hours = [start.toISOString(), new Date(next.getTime() - 1).toISOString()]
  const { query } = feedParams({ filter: of('=', '2026-10-31') }, [], new Set(['created_at']))
  expect(query).toBe(of('between', hours))
})

test('the gallery asks for tasks with pictures, beside what the filter says', () => {
  const pictures = { field: 'creatives_done', operator: '>', value: 0 }
  const asked = (query?: string) => readFilter(withPictures(query === undefined ? {} : { query }).query)
  const { rules = [] } = readFilter(filter) ?? {}
  expect(asked()).toEqual({ combinator: 'and', rules: [pictures] })
  expect(asked(filter)).toEqual({ combinator: 'and', rules: [...rules, pictures] })
  for (const other of [
    { combinator: 'or', rules },
    { combinator: 'and', not: true, rules },
  ])
    expect(asked(JSON.stringify(other))).toEqual({ combinator: 'and', rules: [pictures, other] })
})
