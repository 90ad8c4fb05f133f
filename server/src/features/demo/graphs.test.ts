// Facts about the demo's graphs that can be checked without running them.
import { definitionIssues, readDefinition } from '@atelier/contract/graph/graph-rules.ts'
import { describe, expect, test } from 'vitest'
import { settingsFor } from '../../../test/support/models.ts'
import { nothingOutside } from '../../../test/support/node-options.ts'
import { createRegistry, defaultNodeTypes } from '../../nodes/registry.ts'
import { readConfig } from '../../platform/config.ts'
import { copyFromTable, localisation, staticsFromCard, staticsWithModel } from './graphs.ts'
import { modelOffer } from './model-offer.ts'

const approved = { digest: 'a'.repeat(64), media_type: 'image/png', size: 1, name: 'approved.png' }
const provider = settingsFor('https://models.example/v1')
const typesWith = (given: typeof provider | null) =>
  createRegistry(defaultNodeTypes({ ...nothingOutside, models: given })).wire

const offline = [copyFromTable(), staticsFromCard(), localisation(approved)]

describe.each(offline)('$name', ({ definition, ui_state }) => {
  test('runs as it is where no provider is set', () => {
    expect(definitionIssues(definition, typesWith(null))).toEqual([])
    expect(Object.keys(Object(ui_state.nodes)).toSorted()).toEqual(Object.keys(Object(definition.nodes)).toSorted())
  })

  test('has no node that asks a provider', () => {
    const used = Object.values(readDefinition(definition).nodes).map(({ type }) => type)
    // The node types that call a provider are those that are unavailable when no provider is set up.
    const asking = [...typesWith(null).values()].filter(({ available }) => !available).map(({ type }) => type)
    expect(asking).toEqual(expect.arrayContaining(['image.generate', 'llm.chat']))
    expect(used.filter((type) => asking.includes(type))).toEqual([])
  })
})

test('the graph with the image model runs where a provider is set, and says that pictures are billed', () => {
  const { definition, description } = staticsWithModel('painter: price unknown')
  expect(definitionIssues(definition, typesWith(provider))).toEqual([])
  expect(description).toMatch(/billed by your provider: four at the first start.* painter: price unknown\./)
})

test.for([
  [
    { OPENAI_API_KEY: 'sk' },
    /^gpt-image-2\.5-flare: USD 5 in, USD 30 out for a million tokens \(as of \d{4}-\d\d-\d\d\)$/,
  ],
  [{ OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' }, /^gpt-image-2\.5-flare: price unknown$/],
  [
    { ATELIER_PROVIDER_KEYS: 'bfl=k', ATELIER_IMAGE_MODEL: 'bfl:flux-2-pro' },
    /^bfl:flux-2-pro: from USD 0\.03 for a megapixel/,
  ],
] as const)('the offer has the price of the operator’s model, where it is known: %j', ([environment, words]) => {
  expect(modelOffer(readConfig(environment))).toMatch(words)
})

test.for([{}, { ATELIER_PROVIDER_KEYS: 'bfl=k' }])('without a provider of it there is no offer: %j', (environment) => {
  expect(modelOffer(readConfig(environment))).toBeNull()
})
