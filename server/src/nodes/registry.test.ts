// Facts about the list of node types, and about every type on it.
import { NodeType } from '@atelier/contract/node-types.ts'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { Compile } from 'typebox/compile'
import { expect, test } from 'vitest'
import type { NodeOptions } from './node-options.ts'
import { createRegistry, defaultNodeTypes } from './registry.ts'

const options: NodeOptions = {
  provider: null,
  allowedHosts: [],
  readTask: async () => null,
  lookUp: async () => [],
}
const types = defaultNodeTypes(options)
const registry = createRegistry(types)

test('each type is described as the wire has it', () => {
  const check = Compile(NodeType)
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
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, keywords: ['x-atelier'] })
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

test('a type is found by its name', () => {
  expect(registry.find('text.template')?.title).toBe('Text template')
  expect(registry.find('text.nothing')).toBeUndefined()
})

test('two types of one name are refused', () => {
  expect(() => createRegistry([...types, ...types.slice(0, 1)])).toThrow('Two node types have the same name.')
})

test('a dropped type is described as what is no longer there, and names its successor', () => {
  const replaced_by = { type: 'sample.chat', version: 1 }
  const dropped = createRegistry(types, [{ type: 'mock.chat', version: 1, replaced_by, migrate: null }])
  expect(dropped.wire.get('mock.chat')).toMatchObject({ available: false, replaced_by })
  expect(dropped.find('mock.chat')).toBeUndefined()
  expect(dropped.dropped('mock.chat', 1)?.replaced_by).toEqual(replaced_by)
})
