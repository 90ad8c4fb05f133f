// In charge of `text.split`: splits a text into a list of parts.
import Type from 'typebox'
import { defineNode, gives, needs, TextList } from './define.ts'
import { NodeFailure } from './node-type.ts'

type By = 'lines' | 'paragraphs' | 'sentences' | 'separator'
const most = 10_000

export const textSplit = defineNode({
  type: 'text.split',
  title: 'Split text',
  summary: 'Turns a text into a list: its lines, paragraphs or sentences.',
  group: 'text',
  help: `
For text that holds several things: a list of headlines, one a line. Numbers and bullets at the beginning of lines can be
taken away. What follows can run once for each part.`,
  params: {
    by: Type.Unsafe<By>({
      type: 'string',
      enum: ['lines', 'paragraphs', 'sentences', 'separator'],
      title: 'Split at',
      description: 'Where one part ends and the next begins.',
      default: 'lines',
    }),
    separator: Type.String({
      title: 'Separator',
      description: 'For “separator”: what stands between the parts.',
      default: ',',
      minLength: 1,
      maxLength: 20,
      examples: [',', '---'],
    }),
    strip_bullets: Type.Boolean({
      title: 'Take bullets away',
      description: 'Whether “1.”, “-” and “•” at the beginning of a part are taken away.',
      default: true,
    }),
    limit: Type.Integer({
      title: 'At most',
      description: 'How many parts to keep; 0 for all.',
      default: 0,
      minimum: 0,
      maximum: most,
    }),
  },
  inputs: {
    text: needs({
      title: 'Text',
      description: 'The text to split, of at most 500,000 characters.',
      schema: Type.String({ maxLength: 500_000 }),
    }),
  },
  outputs: {
    parts: gives('Parts', 'The parts, without blanks around them and without empty ones.', TextList),
    count: gives('Count', 'How many parts there are.', Type.Integer()),
  },
  pure: true,
  run: async ({ params, inputs: { text } }) => {
    const bullet = /^(?:[-*•–]\s+|\d{1,3}[.)]\s+)/
    const parts = pieces(text, params.by, params.separator)
      .map((part) => (params.strip_bullets ? part.trim().replace(bullet, '') : part).trim())
      .filter((part) => part !== '')
    const kept = params.limit === 0 ? parts : parts.slice(0, params.limit)
    if (kept.length > most) throw new NodeFailure(`The text has ${kept.length} parts; ${most} is the most.`)
    return { outputs: { parts: kept, count: kept.length } }
  },
})

function pieces(text: string, by: By, separator: string): string[] {
  switch (by) {
    case 'lines':
      return text.split(/\r\n|\r|\n/)
    case 'paragraphs':
      return text.split(/(?:\r?\n[ \t]*){2,}/)
    case 'sentences':
      return [...new Intl.Segmenter('en', { granularity: 'sentence' }).segment(text)].map(({ segment }) => segment)
    case 'separator':
      return text.split(separator)
  }
}
