// Facts about finding the people whom a text mentions.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mentionBegun, mentionedIn, mostMentioned } from './mentions.ts'

const people = [
  { id: 'ann', name: 'Ann' },
  { id: 'ann-lee', name: 'Ann Lee' },
  { id: 'jo', name: 'Jö Šafář' },
  { id: 'jo-too', name: 'jö šafář' },
  { id: 'unnamed', name: null },
  { id: 'blank', name: ' ' },
]

test.for([
  ['@Ann, look', ['ann']],
  ['@ann lee: look', ['ann-lee']],
  ['(@ANN) and @Ann Lee', ['ann', 'ann-lee']],
  ['@Annika and @Ann_', []],
  ['mail@Ann is an address', []],
  ['@JÖ ŠAFÁŘ', ['jo', 'jo-too']],
  ['@ nobody, @', []],
  ['@@Ann', ['ann']],
  ['', []],
] as const)('%j mentions %j', ([text, expected]) => {
  expect(mentionedIn(text, people)).toEqual(expected)
})

test('a text mentions no more people than it may', () => {
  const many = Array.from({ length: 30 }, (_, at) => ({ id: String(at), name: `P${at}` }))
  expect(mentionedIn(many.map(({ name }) => `@${name}`).join(' '), many)).toHaveLength(mostMentioned)
})

/** The same rule in its simplest form, as the reference: at every `@`, the text is compared with every person's name. This is slow. */
function mentionedByRule(text: string, all: readonly { id: string; name: string | null }[]): string[] {
  const isOfWord = (character = '') => /[\p{Letter}\p{Number}_]/u.test(character)
  const found = new Set<string>()
  for (const { index: at } of text.matchAll(/@/g)) {
    if (isOfWord(text[at - 1])) continue
    const matching = all.filter(({ name: given }) => {
      const name = given?.trim() ?? ''
      const [said, next] = [text.slice(at + 1, at + 1 + name.length), text[at + 1 + name.length]]
      return name !== '' && !isOfWord(next) && said.toLowerCase() === name.toLowerCase()
    })
    const lengthOf = ({ name }: { name: string | null }) => name?.trim().length ?? 0
    const longest = Math.max(...matching.map(lengthOf))
    for (const one of matching) if (lengthOf(one) === longest && found.size < mostMentioned) found.add(one.id)
  }
  return [...found]
}

test('any text mentions whom the rule says, also where names hold each other, have blanks, or change length with their case', () => {
  const parts = [
    '@',
    '@',
    'Ann',
    'ann',
    ' ',
    '-',
    'Lee',
    'İ',
    'i\u0307',
    'ΣΑΣ',
    'σας',
    'ß',
    'SS',
    '\u{10400}',
    '\u{10428}',
    'é',
    '7',
    '_',
  ]
  const words = fc.array(fc.constantFrom(...parts), { maxLength: 4 }).map((some) => some.join(''))
  const someone = fc.oneof({ weight: 9, arbitrary: words }, { weight: 1, arbitrary: fc.constant(null) })
  const crowd = fc.array(someone, { maxLength: 30 }).map((names) => names.map((name, at) => ({ id: String(at), name })))
  const text = fc.array(fc.constantFrom(...parts), { maxLength: 40 }).map((some) => some.join(''))
  fc.assert(
    fc.property(text, crowd, (said, all) => {
      expect(mentionedIn(said, all)).toEqual(mentionedByRule(said, all))
    }),
    { numRuns: 2000 },
  )
})

test('a text with an @ at every place asks each name once, not once for each @', () => {
  let asked = 0
  const crowd = Array.from({ length: 200 }, (_, at) => ({
    id: String(at),
    get name() {
      asked += 1
      return `Person ${at}`
    },
  }))
  expect(mentionedIn('@'.repeat(1000), crowd)).toEqual([])
  expect(asked).toBe(crowd.length)
})

test('a name is being written from the last @ to the caret', () => {
  expect(mentionBegun('Hello @An', 9)).toEqual({ from: 6, begun: 'An' })
  expect(mentionBegun('Hello @Ann Le', 13)).toEqual({ from: 6, begun: 'Ann Le' })
  expect(mentionBegun('mail@An', 7)).toBeNull()
  expect(mentionBegun('@An\nnext', 8)).toBeNull()
  expect(mentionBegun('Hello', 5)).toBeNull()
})
