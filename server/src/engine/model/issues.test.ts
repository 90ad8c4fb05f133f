// Facts about the cached findings of definitions: they follow the node types that can run at the moment.
import { expect, test } from 'vitest'
import { definitionOf } from '../../../test/support/definitions.ts'
import { defineNode } from '../../nodes/define.ts'
import { createRegistry } from '../../nodes/registry.ts'
import { issuesOf } from './issues.ts'

test('the same definition can run once a key is there, and no longer once the key is gone', () => {
  let key: string | null = null
  const asking = defineNode({
    ...{ type: 'test.asking', title: 'Asking', summary: 'Asks.', help: 'For tests.', group: 'other' },
    ...{ params: {}, inputs: {}, outputs: {} },
    unavailable: () => (key === null ? 'it has no key.' : null),
    run: async () => ({ outputs: {} }),
  })
  const { wire, describe } = createRegistry([asking])
  const signed = { definition: definitionOf({ ask: { type: 'test.asking' } }), signature: 'of this definition' }
  const found = () => issuesOf(signed, wire).map(({ type }) => type)
  expect(found()).toEqual(['node_type_unavailable'])
  key = 'given'
  describe()
  expect(found()).toEqual([])
  expect(issuesOf(signed, wire)).toBe(issuesOf(signed, wire)) // the findings are cached as long as nothing has changed
  key = null
  describe()
  expect(found()).toEqual(['node_type_unavailable'])
})

test('the findings that are cached have room in memory together', () => {
  const { wire } = createRegistry([])
  const one = { definition: definitionOf({ one: { type: 'test.gone' } }), signature: 'of one' }
  const before = issuesOf(one, wire)
  const unknown = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => ['n'.repeat(900) + index, 1]))
  /** Looks for the 1,000 issues of a definition of its own, which are a megabyte because each names a member with a long name. */
  const find = (digit: number) => {
    const definition = { ...definitionOf({}), nodes: { [`n${digit}`]: { type: 'test.gone', ...unknown } } }
    return issuesOf({ definition, signature: `of ${digit}` }, wire)
  }
  const first = find(0)
  for (let digit = 1; digit < 5; digit++) find(digit)
  expect(issuesOf(one, wire)).toBe(before)
  expect(find(0)).toBe(first)
  for (let digit = 5; digit < 40; digit++) find(digit)
  expect(issuesOf(one, wire)).toEqual(before)
  expect(issuesOf(one, wire)).not.toBe(before)
  expect(find(39)).toBe(find(39))
})
