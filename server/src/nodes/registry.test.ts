// Facts about the list of node types, and about every type on it.
import { definitionIssues } from '@atelier/contract/graph/graph-rules.ts'
import { NodeType as WireNodeType } from '@atelier/contract/graph/node-types.ts'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { Compile } from 'typebox/compile'
import { expect, test } from 'vitest'
import { definitionOf } from '../../test/support/definitions.ts'
import { nothingOutside } from '../../test/support/node-options.ts'
import type { NodeType } from './node-type.ts'
import { createRegistry, defaultNodeTypes } from './registry.ts'

const types = defaultNodeTypes(nothingOutside)
const registry = createRegistry(types)

test('each type is described as the wire has it', () => {
  const check = Compile(WireNodeType)
  for (const described of registry.wire.values()) {
    expect([described.type, check.Errors(JSON.parse(JSON.stringify(described)))]).toEqual([described.type, []])
  }
})

test.for(types.map((type) => [type.type, type] as const))('%s tells people how to use it', ([name, type]) => {
  expect(name).toMatch(/^[a-z]+\.[a-z]+$/)
  expect(type.summary).toMatch(/^[A-Z].*\.$/)
  expect(type.help.length).toBeGreaterThan(40)
  expect(type.type).toBe(name)
})

test.for(types.map((type) => [type.type, type] as const))('a form can be built for %s', ([, type]) => {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, keywords: ['x-atelier', 'x-models'] })
  expect(ajv.validateSchema(type.params)).toBe(true)
  expect(type.params).toMatchObject({ type: 'object', additionalProperties: false })
  for (const [name, schema] of Object.entries(Object(type.params.properties))) {
    expect(name).toMatch(/^[a-z_]+$/)
    expect(schema).toMatchObject({ title: expect.stringMatching(/^[A-Z]/), description: expect.stringMatching(/\.$/) })
    const fallback: unknown = Reflect.get(Object(schema), 'default')
    if (fallback !== undefined) expect(ajv.validate(Object(schema), fallback)).toBe(true)
  }
  for (const port of [...Object.values(type.inputs), ...Object.values(type.outputs)]) {
    expect(ajv.validateSchema(port.schema)).toBe(true)
    expect(port.description).toMatch(/\.$/)
  }
})

const template = registry.find('text.template', 1)
if (!template) throw new Error('There is no text.template.')
const second: NodeType = { ...template, version: 2, title: 'Text template, again' }

test('a type is found by its name and version', () => {
  expect(registry.find('text.template', 1)?.title).toBe('Text template')
  expect(registry.find('text.template', 2)).toBeUndefined()
  expect(registry.find('text.nothing', 1)).toBeUndefined()
})

test('of several versions of a type the newest is offered, and all are there to run', () => {
  const { wire, find, has } = createRegistry([template, second])
  expect(wire.get('text.template')).toMatchObject({ version: 2, title: 'Text template, again' })
  expect(wire.get('text.template')?.earlier).toMatchObject([{ version: 1, title: 'Text template' }])
  expect([find('text.template', 1)?.title, find('text.template', 2)?.title]).toEqual([template.title, second.title])
  expect([...has]).toEqual(['text.template@1', 'text.template@2'])
})

test('nodes of a version that is kept have nothing wrong with them; those of one that is gone have', () => {
  const definition = definitionOf({ old: { type: 'text.template', version: 1 } })
  expect(definitionIssues(definition, createRegistry([template, second]).wire)).toEqual([])
  expect(definitionIssues(definition, createRegistry([second]).wire)).toMatchObject([
    { type: 'node_version_unknown', loc: ['definition', 'nodes', 'old', 'version'] },
  ])
})

test('two types of one name and version are refused', () => {
  expect(() => createRegistry([...types, ...types.slice(0, 1)])).toThrow(
    'Two node types have the same name and version.',
  )
})

test('a dropped type is described as what is no longer there, and names its successor', () => {
  const replaced_by = { type: 'sample.chat', version: 1 }
  const dropped = createRegistry(types, [{ type: 'mock.chat', version: 1, replaced_by }])
  expect(dropped.wire.get('mock.chat')).toMatchObject({ available: false, replaced_by })
  expect(dropped.find('mock.chat', 1)).toBeUndefined()
})
