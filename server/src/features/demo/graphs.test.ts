// Facts about the demo's graphs that hold without running them.
import { definitionIssues } from '@atelier/contract/graph-rules.ts'
import { describe, expect, test } from 'vitest'
import { createRegistry, defaultNodeTypes } from '../../nodes/registry.ts'
import { copyFromTable, localisation, staticsFromCard } from './graphs.ts'

const approved = { digest: 'a'.repeat(64), media_type: 'image/png', size: 1, name: 'approved.png' }
const provider = { baseUrl: 'https://models.example/v1', apiKey: 'sk', chatModel: 'small', imageModel: 'painter' }

describe.each([
  ['asks nobody', false],
  ['asks models', true],
])('a deployment that %s', (_, hasModels) => {
  const outside = { allowedHosts: [], readTask: async () => null, lookUp: async () => [] }
  const { wire } = createRegistry(defaultNodeTypes({ ...outside, provider: hasModels ? provider : null }))

  test.each([copyFromTable, staticsFromCard, localisation])('has a graph that runs as it is: %o', (build) => {
    const { definition, ui_state } = build({ hasModels, approved })
    expect(definitionIssues(definition, wire)).toEqual([])
    expect(Object.keys(Object(ui_state.nodes)).toSorted()).toEqual(Object.keys(Object(definition.nodes)).toSorted())
  })
})
