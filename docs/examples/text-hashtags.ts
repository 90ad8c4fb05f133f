// In charge of `text.hashtags`: the words of a text as hashtags.
import Type from 'typebox'
import { defineNode, gives, needs, TextList } from '../../server/src/nodes/define.ts'
import { NodeFailure } from '../../server/src/nodes/node-type.ts'

export const textHashtags = defineNode({
  type: 'text.hashtags',
  title: 'Hashtags',
  summary: 'Turns the words of a text into hashtags.',
  group: 'text',
  help: 'Words of three letters and fewer are left out. **At most** keeps the first of them.',
  params: {
    limit: Type.Integer({ title: 'At most', description: 'How many to give.', default: 5, minimum: 1, maximum: 30 }),
  },
  inputs: { text: needs({ title: 'Text', description: 'Where the words come from.', schema: Type.String() }) },
  outputs: {
    tags: gives('Hashtags', 'Each with its #.', TextList),
    line: gives('Line', 'All of them in one line.', Type.String()),
  },
  pure: true,
  run: async ({ params: { limit }, inputs: { text } }) => {
    const words = text.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? []
    if (words.length === 0) throw new NodeFailure('The text has no word of four letters or more. Write some.')
    const tags = [...new Set(words)].slice(0, limit).map((word) => `#${word}`)
    return { outputs: { tags, line: tags.join(' ') } }
  },
})
