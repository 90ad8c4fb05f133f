// In charge of a node type with several versions, as releases would introduce them.
import Type from 'typebox'
import { defineNode, gives, takes } from '../../src/nodes/define.ts'
import { earlierVersion } from '../../src/nodes/earlier-version.ts'
import type { NodeType } from '../../src/nodes/node-type.ts'

const text = takes({ title: 'Text', description: 'What it is about.', schema: Type.String() })

/** The node type in a given version; its output says which version was executed. */
export const tags = (version: number): NodeType =>
  defineNode({
    type: 'test.tags',
    version,
    title: `Tags, version ${version}`,
    summary: 'Makes tags of a text.',
    help: 'For tests.',
    group: 'other',
    params: {},
    inputs: { text },
    outputs: { line: gives('Line', 'The tags.', Type.String()) },
    run: async ({ inputs: { text = '' } }) => ({ outputs: { line: `#v${version} ${text}` } }),
  })

/** Version 2 with another input and another output than version 1, and version 1, which is executed by version 2. */
export function migratedTags(): [NodeType, NodeType] {
  const second = defineNode({
    ...{ type: 'test.tags', version: 2, title: 'Tags', summary: 'Makes tags of a text.', help: 'For tests.' },
    group: 'other',
    params: {},
    inputs: { about: text },
    outputs: { tags: gives('Tags', 'Each by itself.', Type.Array(Type.String())) },
    run: async ({ inputs: { about = '' } }) => ({ outputs: { tags: ['#v2', about] } }),
  })
  const first = earlierVersion(second, {
    version: 1,
    params: {},
    inputs: { text },
    outputs: { line: gives('Line', 'The tags.', Type.String()) },
    migrate: {
      inputs: (inputs) => ({ about: inputs.text }),
      outputs: ({ tags }) => ({ line: `as version 1: ${(tags as string[]).join(' ')}` }),
    },
  })
  return [second, first]
}
