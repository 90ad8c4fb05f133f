// Facts about the editor's list of node types that pass values on, held against the node types of the service.
import { expect, test } from 'vitest'
import { passing } from '../../web/src/canvas/passed-on.ts'
import { defaultNodeTypes } from '../src/nodes/registry.ts'
import { nothingOutside } from './support/node-options.ts'

test('every node type that the editor takes for one that passes values on has these ports, and they take and give anything', () => {
  const types = defaultNodeTypes(nothingOutside)
  const elementsOf = (schema: unknown) => (Object(schema).type === 'array' ? Object(schema).items : schema)
  for (const [name, { input, outputs }] of passing) {
    for (const type of types.filter((one) => one.type === name)) {
      const ports = [type.inputs[input], ...outputs.map((output) => type.outputs[output])]
      for (const port of ports) expect(Object.keys(Object(elementsOf(port?.schema))), name).not.toContain('type')
    }
    expect(types.map(({ type }) => type)).toContain(name)
  }
})
