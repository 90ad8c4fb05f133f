// Facts about connecting node types: usual connections fit, and an impossible connection is refused when it is drawn.
import { definitionIssues } from '@atelier/contract/graph/graph-rules.ts'
import { listOf, portProblem } from '@atelier/contract/graph/port-rules.ts'
import { expect, test } from 'vitest'
import { definitionOf } from '../../test/support/definitions.ts'
import { settingsFor } from '../../test/support/models.ts'
import { nothingOutside } from '../../test/support/node-options.ts'
import { createRegistry, defaultNodeTypes } from './registry.ts'

const types = defaultNodeTypes({
  ...nothingOutside,
  models: settingsFor('http://localhost/v1', {
    connections: new Map(
      ['openai', 'fal', 'comfyui'].map((name) => [name, { url: 'http://localhost:8188', key: 'k' }]),
    ),
  }),
})
const { wire } = createRegistry(types)

function schemaOf(place: string, side: 'inputs' | 'outputs') {
  const [, type = '', port = ''] = /^(\w+\.\w+)\.(\w+)$/.exec(place) ?? []
  const found = wire.get(type)?.[side][port]
  if (!found) throw new Error(`There is no ${place}.`)
  return found.schema
}

test.for([
  'task.fields.name > layout.render.headline',
  'input.file.file > layout.render.image',
  'image.generate.image > layout.render.image',
  'sample.image.image > image.resize.image',
  'layout.render.image > image.convert.image',
  'csv.parse.rows > table.filter.rows',
  'task.fields.variants > table.filter.rows',
  'variants.product.rows > table.filter.rows',
  'sample.chat.texts > gate.choose.options',
  'layout.render.images > gate.choose.options',
  'text.split.parts > creative.lookup.names',
  'gate.choose.first > layout.render.headline',
  'text.validate.passed > layout.render.headline',
  'flow.if.then > image.crop.image',
  'list.pick.first > llm.chat.prompt',
])('%s fits', (edge) => {
  const [from = '', to = ''] = edge.split(' > ')
  expect(portProblem(schemaOf(from, 'outputs'), schemaOf(to, 'inputs'))).toBeNull()
})

test.for([
  'sample.image.image > layout.render.headline',
  'sample.chat.text > layout.render.image',
  'csv.parse.count > table.filter.rows',
  'layout.render.images > image.resize.image',
  'input.number.number > text.split.text',
])('%s does not fit', (edge) => {
  const [from = '', to = ''] = edge.split(' > ')
  expect(portProblem(schemaOf(from, 'outputs'), schemaOf(to, 'inputs'))).not.toBeNull()
})

test('a list goes where one is asked for, once for each element', () => {
  const elements = schemaOf('layout.render.images', 'outputs').items
  expect(portProblem({ ...Object(elements) }, schemaOf('image.resize.image', 'inputs'))).toBeNull()
  expect(
    portProblem(listOf(schemaOf('sample.chat.text', 'outputs')), schemaOf('gate.choose.options', 'inputs')),
  ).toBeNull()
})

test('nodes as the palette drops them are right, but for what they must be given', () => {
  const dropped = Object.fromEntries([...wire.keys()].map((type) => [type.replace('.', '_'), { type }]))
  const issues = definitionIssues(definitionOf(dropped), wire)
  expect(new Set(issues.map(({ type }) => type))).toEqual(new Set(['missing', 'input_missing']))
  expect(issues.map(({ loc }) => loc.slice(2).join('.')).toSorted()).toEqual([
    'comfyui_run.params.workflow',
    'creative_lookup.inputs.names',
    'flow_if.inputs.value',
    'gate_approve.inputs.value',
    'gate_choose.inputs.options',
    'gate_edit.inputs.value',
    'image_convert.inputs.image',
    'image_crop.inputs.image',
    'image_edit.inputs.image',
    'image_resize.inputs.image',
    'input_file.params.file',
    'layout_render.inputs.headline',
    'list_collect.inputs.values',
    'list_pick.inputs.list',
    'speech_generate.inputs.text',
    'speech_generate.params.model',
    'speech_transcribe.inputs.audio',
    'speech_transcribe.params.model',
    'table_filter.inputs.rows',
    'text_split.inputs.text',
    'text_validate.inputs.text',
    'video_generate.params.model',
  ])
})
