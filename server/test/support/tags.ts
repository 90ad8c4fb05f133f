// In charge of a node type that comes in versions, as a release brings them.
import Type from 'typebox'
import { defineNode, gives, takes } from '../../src/nodes/define.ts'
import type { NodeType } from '../../src/nodes/node-type.ts'

/** What a version of the product calls its own beside what all have: it says which version performed it. */
export const tags = (version: number): NodeType =>
  defineNode({
    type: 'test.tags',
    version,
    title: `Tags, version ${version}`,
    summary: 'Makes tags of a text.',
    help: 'For tests.',
    group: 'other',
    params: {},
    inputs: { text: takes({ title: 'Text', description: 'What it is about.', schema: Type.String() }) },
    outputs: { line: gives('Line', 'The tags.', Type.String()) },
    run: async ({ inputs: { text = '' } }) => ({ outputs: { line: `#v${version} ${text}` } }),
  })
