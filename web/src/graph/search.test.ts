// Facts about the search parameters of the list of graphs.
import { expect, test } from 'vitest'
import { readGraphsSearch } from './search.ts'

test('the address of the list of graphs says what is listed, and what it cannot say is ignored', () => {
  expect(readGraphsSearch({ q: 'Autumn', show: 'own' })).toEqual({ q: 'Autumn', show: 'own' })
  expect(readGraphsSearch({ show: 'deleted', more: 'x' })).toEqual({ show: 'deleted' })
  expect(readGraphsSearch({ q: '', show: 'all' })).toEqual({})
  expect(readGraphsSearch({ q: { a: 1 }, show: ['own'] })).toEqual({})
})
