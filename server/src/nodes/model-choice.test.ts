// Facts about the list of models that comes with the product, and about graphs that use a discontinued model.
import { definitionIssues, readDefinition } from '@atelier/contract/graph/graph-rules.ts'
import { chosenModel, modelChoiceOf } from '@atelier/contract/graph/model-catalogue.ts'
import { modelEnds } from '@atelier/contract/graph/model-rules.ts'
import { expect, test } from 'vitest'
import { definitionOf } from '../../test/support/definitions.ts'
import { settingsFor } from '../../test/support/models.ts'
import { nothingOutside } from '../../test/support/node-options.ts'
import { readConfig } from '../platform/config.ts'
import { splitName } from './outside/providers.ts'
import { createRegistry, defaultNodeTypes } from './registry.ts'

const {
  models: { list: catalogue },
  imageModel,
  chatModel,
} = readConfig({})
const typesWith = (url: string | null, connected = ['openai', 'google']) =>
  createRegistry(
    defaultNodeTypes({
      ...nothingOutside,
      models: settingsFor(null, {
        ...{ catalogue, imageModel, chatModel },
        connections: new Map(connected.map((name) => [name, { url, key: 'k' }])),
      }),
    }),
  ).wire
const types = typesWith(null)
const painting = (model: string) =>
  definitionOf({ paint: { type: 'image.generate', inputs: { prompt: 'x' }, params: { model } } })

test('each model is of a provider there is, and its successor is a model of the list that lives on', () => {
  const ids = new Set(catalogue.map(({ id }) => id))
  expect(catalogue.filter(({ id }) => splitName(id).provider !== id.split(':')[0])).toEqual([])
  const successors = catalogue.flatMap(({ successor }) => successor ?? [])
  expect(successors.filter((id) => !ids.has(id))).toEqual([])
  expect(catalogue.filter(({ id, ends_on }) => ends_on !== undefined && successors.includes(id))).toEqual([])
})

test('the models that are asked where a node names none are on the list, and no end of theirs is announced', () => {
  for (const [type, named] of [
    ['image.generate', imageModel],
    ['llm.chat', chatModel],
  ] as const) {
    const choice = modelChoiceOf(Object(types.get(type)?.params.properties).model)
    expect(choice && chosenModel(choice, '')).toMatchObject({ id: `openai:${named}` })
    expect(choice && chosenModel(choice, '')?.ends_on).toBeUndefined()
  }
})

test('a model that has ended is an issue of the graph, with its successor', () => {
  const issues = definitionIssues(painting('gpt-image-1'), types, '2026-11-22')
  expect(issues).toEqual([
    {
      type: 'model_ended',
      loc: ['definition', 'nodes', 'paint', 'params', 'model'],
      msg: 'The model openai:gpt-image-1 ended on 2026-10-23. openai:gpt-image-2.5-flare takes its place.',
      ctx: { ended_on: '2026-10-23', successor: 'openai:gpt-image-2.5-flare' },
    },
  ])
  expect(definitionIssues(painting('google:gemini-3-pro-image-preview'), types, '2026-11-22')).toHaveLength(1)
  expect(definitionIssues(painting('gpt-image-1'), types, '2026-10-22')).toEqual([])
})

test('one that ends within 60 days is no issue, and is said', () => {
  const definition = painting('gpt-image-1-mini')
  expect(definitionIssues(definition, types, '2026-11-22')).toEqual([])
  const soon = modelEnds(readDefinition(definition), types, '2026-11-22')
  expect(soon).toMatchObject([
    { node: 'paint', param: 'model', end: 'soon', words: expect.stringMatching(/ends on 2026-12-01/) },
  ])
  expect(modelEnds(readDefinition(definition), types, '2026-09-01')).toEqual([])
})

test('a model that nothing is known of is taken as it is named', () => {
  expect(definitionIssues(painting('fal:owner/my-own'), types, '2026-11-22')).toEqual([])
})

test('at an address of the operator’s own, the list says nothing of models by the same names', () => {
  expect(definitionIssues(painting('gpt-image-1'), typesWith('http://localhost/v1'), '2026-11-22')).toEqual([])
})

test('pickers offer models of providers that are connected, of the kind that the node asks', () => {
  const choice = modelChoiceOf(Object(typesWith(null, ['bfl']).get('image.edit')?.params.properties).model)
  expect(choice?.models.map(({ id }) => id)).toEqual(
    catalogue.map(({ id }) => id).filter((id) => /^bfl:flux-(?:2-(?:pro|max|flex)|kontext)/.test(id)),
  )
})
