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
