// In charge of `sample.chat`: replaces a language model, offline and without keys. The same call always has the same result.
import Type from 'typebox'
import { defineNode, gives, TextList, takes } from './define.ts'
import { fillIn, templateSchema } from './liquid.ts'
import { pretend, sampleCredits, sampleEstimate, sampleParams } from './sample.ts'
import { type Seeded, seeded } from './seeded.ts'

const Ad = Type.Object({ headline: Type.String(), body: Type.String(), call_to_action: Type.String() })
type Ad = Type.Static<typeof Ad>

export const sampleChat = defineNode({
  type: 'sample.chat',
  title: 'Sample text',
  summary: 'Stands in for a language model: sample copy, offline, no key needed.',
  group: 'generate',
  help: `
Builds a graph before a model is paid for. It writes **sample** copy from the words of your prompt and says so in the
text; no model is asked. The same prompt gives the same copy; a re-roll gives other copy.

When the graph does what it should, replace it by **Chat**: prompt and inputs are the same.`,
  params: {
    prompt: templateSchema('Prompt', 'What to write about. {{ names }} are inputs of the node.', '{{ prompt }}', [
      'Write a headline for {{ product }} in {{ locale }}.',
    ]),
    count: Type.Integer({
      title: 'Variants',
      description: 'How many to write.',
      default: 1,
      minimum: 1,
      maximum: 20,
    }),
    ...sampleParams,
  },
  inputs: {
    prompt: takes({ title: 'Prompt', description: 'Stands for {{ prompt }} in the prompt.', schema: Type.String() }),
  },
  openInputs: true,
  outputs: {
    text: gives('Text', 'The first variant.', Type.String()),
    texts: gives('Variants', 'All variants, as texts.', TextList),
    ads: gives('Ads', 'All variants, with headline, body and call_to_action.', Type.Array(Ad)),
  },
  credits: sampleCredits,
  estimate: sampleEstimate,
  provider: () => 'sample',
  timeoutSeconds: 700,
  run: async (context) => {
    const { params, inputs, seed } = context
    const subject = subjectOf(fillIn(params.prompt, inputs))
    await pretend(context)
    const ads = writeAds(subject, params.count, seeded(seed))
    const texts = ads.map(({ headline, body, call_to_action: action }) => `${headline}\n${body}\n${action}`)
    return { outputs: { text: texts[0] ?? '', texts, ads }, credits: params.credits, message: 'Sample text' }
  },
})

/** The subject to write about: up to seven words of the prompt's first sentence, if possible those after “about” or “for”. */
function subjectOf(prompt: string): string {
  const [sentence = ''] = prompt.trim().split(/[.!?\n]/, 1)
  const about = /\b(?:for|about|of|für|über|pour|para|per)\s+(.+)$/i.exec(sentence)?.[1] ?? sentence
  const words = about.split(/\s+/).filter((word) => word !== '')
  return words.length === 0 ? 'your product' : words.slice(0, 7).join(' ').slice(0, 80)
}

const openings = [
  'Made for the way you live:',
  'Meet',
  'Your day, with',
  'Nothing else feels like',
  'Small change, big day:',
  'Why everyone asks about',
  'The one thing you keep:',
  'Less fuss, more',
  'Finally:',
  'You had us at',
] as const
const bodies = [
  'Thought through to the last detail, and there when you need it.',
  'Loved by people who stopped looking for something better.',
  'Try it for 30 days. Send it back if you can part with it.',
  'Good for you, easy on the planet, fair on your wallet.',
  'Set up in a minute. Forgotten never.',
] as const
const actions = ['Shop now', 'Find yours', 'Try it today', 'See how it works', 'Get 15% off'] as const

function writeAds(subject: string, count: number, chance: Seeded): Ad[] {
  // The first ten texts of a call have different openings, so that a person has a real choice.
  const first = chance.whole(0, openings.length - 1)
  return Array.from({ length: count }, (_, at) => ({
    headline: `Sample: ${openings[(first + at) % openings.length] ?? openings[0]} ${subject}`,
    body: `${chance.pick(bodies)} (Sample text, no model wrote it.)`,
    call_to_action: chance.pick(actions),
  }))
}
