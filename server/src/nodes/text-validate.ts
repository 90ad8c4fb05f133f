// In charge of `text.validate`: checks a text for its length, for forbidden words and for required words.
import { setImmediate as nextTurn } from 'node:timers/promises'
import Type from 'typebox'
import { defineNode, gives, needs, TextList } from './define.ts'
import { hasPart, hasPattern, patternOf, tokensOf } from './find-words.ts'

/** The number of characters that each platform shows before it cuts off the text. */
const lengths = {
  meta_primary_text: 125,
  meta_headline: 40,
  meta_description: 25,
  google_headline: 30,
  google_long_headline: 90,
  google_description: 90,
  tiktok_ad_text: 100,
  linkedin_intro: 150,
  linkedin_headline: 70,
  pinterest_title: 100,
  x_post: 280,
} as const
type Slot = keyof typeof lengths | 'none'

const list = (title: string, description: string, examples: string[][]) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 300 }), {
    title,
    description,
    default: [],
    maxItems: 500,
    examples,
  })

export const textValidate = defineNode({
  type: 'text.validate',
  title: 'Check text',
  summary: 'Checks length, banned words and required disclaimers.',
  group: 'text',
  help: `
Says whether a text may run as it is, and what is wrong if not.

- **Where it runs** knows how many characters the big placements show. Google counts a Chinese, Japanese or Korean
  character as two.
- **Banned words** are whole words in any case; \`guarantee*\` also finds “guaranteed”.
- **Required** text must stand in it word for word, in any case.

Lead **Passed** to what comes next: a text with problems then goes no further.`,
  params: {
    slot: Type.Unsafe<Slot>({
      type: 'string',
      enum: ['none', ...Object.keys(lengths)],
      title: 'Where it runs',
      description: 'Sets how long it may be.',
      default: 'none',
    }),
    max_characters: Type.Integer({
      title: 'At most',
      description: 'In characters, in place of what “Where it runs” says; 0 for no limit of its own.',
      default: 0,
      minimum: 0,
      maximum: 100_000,
    }),
    min_characters: Type.Integer({
      title: 'At least',
      description: 'In characters.',
      default: 1,
      minimum: 0,
      maximum: 100_000,
    }),
    banned: list('Banned words', 'Words that must not be in it.', [['cure', 'guarantee*', 'best in the world']]),
    required: list('Required', 'What must stand in it.', [['Terms apply.']]),
  },
  inputs: {
    text: needs({
      title: 'Text',
      description: 'The text to check, of at most 20,000 characters.',
      schema: Type.String({ maxLength: 20_000 }),
    }),
  },
  outputs: {
    ok: gives('OK', 'Whether nothing is wrong.', Type.Boolean()),
    problems: gives('Problems', 'What is wrong, each in a sentence.', TextList),
    passed: gives('Passed', 'The text, where nothing is wrong.', Type.String()),
    failed: gives('Failed', 'The text, where something is.', Type.String()),
  },
  pure: true,
  run: async ({ params, inputs: { text }, signal }) => {
    const tokens = tokensOf(text)
    const folded = fold(text)
    const banned = await inTurns(params.banned, signal, (word) => hasPattern(tokens, patternOf(word)))
    const missing = await inTurns(params.required, signal, (part) => !hasPart(folded, fold(part)))
    const problems = [
      ...lengthProblems(text.trim(), params),
      ...banned.map((word) => `“${word}” is banned.`),
      ...missing.map((part) => `“${part}” is missing.`),
    ]
    const ok = problems.length === 0
    return { outputs: { ok, problems, [ok ? 'passed' : 'failed']: text }, message: ok ? 'OK' : problems.join(' ') }
  },
})

type Limits = { slot: Slot; max_characters: number; min_characters: number }

function lengthProblems(text: string, { slot, max_characters, min_characters }: Limits): string[] {
  const count = lengthOf(text, slot.startsWith('google'))
  const most = max_characters > 0 ? max_characters : slot === 'none' ? Infinity : lengths[slot]
  if (count > most) return [`It has ${count} characters; ${most} is the most.`]
  return count < min_characters ? [`It has ${count} characters; ${min_characters} is the least.`] : []
}

/**
 * The number of characters as people count them: an emoji of many code points counts as one. With `isWideTwice`, a Chinese,
 * Japanese or Korean character counts as two.
 */
function lengthOf(text: string, isWideTwice: boolean): number {
  const characters = [...new Intl.Segmenter('en').segment(text)].map(({ segment }) => segment)
  const wide = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u
  return characters.reduce((sum, character) => sum + (isWideTwice && wide.test(character) ? 2 : 1), 0)
}

const fold = (text: string): string => text.replace(/\s+/g, ' ').toLocaleLowerCase('en')

/**
 * The words for which `holds` returns true. About every 10 ms, the search pauses for other work of this process, because 500 words
 * in a long text take a tenth of a second.
 */
async function inTurns(
  words: readonly string[],
  signal: AbortSignal,
  holds: (word: string) => boolean,
): Promise<string[]> {
  const found: string[] = []
  let since = performance.now()
  for (const word of words) {
    if (performance.now() - since > 10) {
      await nextTurn()
      signal.throwIfAborted()
      since = performance.now()
    }
    if (holds(word)) found.push(word)
  }
  return found
}
