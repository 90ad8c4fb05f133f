// Facts about name templates: which templates are valid, and which names they produce.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  creativeName,
  creativeNames,
  defaultNameTemplate,
  forkName,
  generatedName,
  type NameInput,
  nameTokens,
  nextCreativeName,
  parseNameTemplate,
  plannedNames,
  slug,
} from './names.ts'
import { defaultVocabulary, valuesOf } from './vocabulary.ts'

function templateOf(text: string) {
  const parsed = parseNameTemplate(text)
  if ('errors' in parsed) throw new Error(`refused: ${parsed.errors.join('; ')}`)
  return parsed.template
}

function errorsOf(text: string) {
  const parsed = parseNameTemplate(text)
  return 'errors' in parsed ? parsed.errors : []
}

const byDefault = templateOf(defaultNameTemplate)
const everything = templateOf(nameTokens.map((token) => `{${token}}`).join('_'))

const blank: NameInput = {
  number: null,
  name: '',
  product: null,
  source: 'META',
  media_type: null,
  ad_format: null,
  language: null,
  geo: null,
  resolution: null,
  subject: null,
  topic: null,
  messaging_angle: null,
  hook_type: null,
  awareness_stage: null,
  task_type: null,
  count: null,
  variants: [],
}

const sleep: NameInput = {
  ...blank,
  number: 128,
  name: 'Sleep: founder story',
  product: 'Dream Well™',
  media_type: 'video',
  ad_format: 'founder',
  language: 'en-US',
  geo: 'US',
  resolution: '1080x1920',
  subject: 'Falling asleep / faster',
  count: 2,
  variants: [{ variation_num: 1 }, { variation_num: 4, ad_format: 'us_vs_them', hook_type: null }],
}

describe('a name', () => {
  test('reads as the template says, each value as one piece', () => {
    expect(creativeName(byDefault, sleep, 1, 3)).toBe(
      'T128_Dream-Well_video_founder_en-US_US_1080x1920_Falling-asleep-faster_V1_03',
    )
  })

  test('of the task has neither variant nor index', () => {
    expect(generatedName(byDefault, sleep)).toBe(
      'T128_Dream-Well_video_founder_en-US_US_1080x1920_Falling-asleep-faster',
    )
  })

  test('leaves out a segment whose tokens are all empty, with its separator', () => {
    expect(creativeName(byDefault, { ...blank, number: 7, geo: 'DE', subject: '🔥' }, null, 1)).toBe('T7_DE_01')
    const joined = templateOf('{number}_{media_type}-{ad_format}_x_V{variant}_{index}')
    expect(creativeName(joined, { ...blank, number: 7, media_type: 'video' }, 2, 1)).toBe('7_video-_x_V2_01')
    expect(creativeName(joined, { ...blank, number: 7 }, 2, 1)).toBe('7_x_V2_01')
  })

  test("carries the variant's attributes where the variant sets them, the task's elsewhere", () => {
    const template = templateOf('{number}_{ad_format}_{hook}_{angle}_{stage}_V{variant}_{index}')
    const variant = { variation_num: 2, ad_format: 'skit', hook_type: 'question', messaging_angle: null }
    const task = { ...sleep, hook_type: 'statistic', messaging_angle: 'status', variants: [variant] }
    expect(creativeName(template, task, 2, 1)).toBe('128_skit_question_status_V2_01')
    expect(creativeName(template, task, null, 1)).toBe('128_founder_statistic_status_01')
    expect(creativeName(template, task, 9, 1)).toBe('128_founder_statistic_status_V9_01')
  })

  test('knows every token', () => {
    const task = { ...sleep, topic: 'Insomnia', messaging_angle: 'pain_relief', hook_type: 'question' }
    const rest = { awareness_stage: 'unaware', task_type: 'new_concept' }
    expect(creativeName(everything, { ...task, ...rest }, 1, 12)).toBe(
      '128_1_12_Dream-Well_Falling-asleep-faster_Insomnia_Sleep-founder-story_META_video_founder_en-US_US_1080x1920' +
        '_pain-relief_question_unaware_new-concept',
    )
  })
})

describe('planned names', () => {
  test('are count for each variant, in order', () => {
    const planned = plannedNames(byDefault, sleep)
    expect(planned.map(({ variation_num, index }) => [variation_num, index])).toEqual([
      [1, 1],
      [1, 2],
      [4, 1],
      [4, 2],
    ])
    expect(planned.map(({ name }) => name)).toEqual(
      planned.map(({ variation_num, index }) => creativeName(byDefault, sleep, variation_num, index)),
    )
  })

  test('are one for each variant when no count is set', () => {
    expect(plannedNames(byDefault, { ...sleep, count: null }).map(({ variation_num }) => variation_num)).toEqual([1, 4])
  })

  test('are count without variants, and none without either', () => {
    const planned = plannedNames(byDefault, { ...sleep, variants: [] })
    expect(planned).toEqual([
      { name: creativeName(byDefault, sleep, null, 1), variation_num: null, index: 1 },
      { name: creativeName(byDefault, sleep, null, 2), variation_num: null, index: 2 },
    ])
    expect(plannedNames(byDefault, { ...sleep, variants: [], count: null })).toEqual([])
    expect(plannedNames(byDefault, { ...sleep, count: 0 })).toEqual([])
  })

  test('step over a name that another variant already plans', () => {
    const template = templateOf('{number}_{hook}_V{variant}_{angle}_{index}')
    const variants = [
      { variation_num: 3, hook_type: 'V4' },
      { variation_num: 4, messaging_angle: 'V3' },
    ]
    expect(creativeName(template, { ...sleep, variants }, 3, 1)).toBe('128_V4_V3_01')
    expect(creativeName(template, { ...sleep, variants }, 4, 1)).toBe('128_V4_V3_01')
    expect(plannedNames(template, { ...sleep, variants }).map(({ name }) => name)).toEqual([
      '128_V4_V3_01',
      '128_V4_V3_02',
      '128_V4_V3_03',
      '128_V4_V3_04',
    ])
  })
})

describe('the next name', () => {
  test('is the lowest free index', () => {
    const taken = new Set([1, 2, 4].map((index) => creativeName(byDefault, sleep, 1, index)))
    expect(nextCreativeName(byDefault, sleep, 1, (name) => taken.has(name))).toBe(creativeName(byDefault, sleep, 1, 3))
    expect(nextCreativeName(byDefault, sleep, 4, (name) => taken.has(name))).toBe(creativeName(byDefault, sleep, 4, 1))
  })

  test('of several is each time the next free index', () => {
    const taken = new Set([1, 2, 4, 6].map((index) => creativeName(byDefault, sleep, 1, index)))
    const looked: string[] = []
    const next = creativeNames(byDefault, sleep, 1, (name) => looked.push(name) > 0 && taken.has(name))
    expect([next(), next(), next()]).toEqual([3, 5, 7].map((index) => creativeName(byDefault, sleep, 1, index)))
    expect(looked).toHaveLength(7) // each index is looked at once
  })
})

describe('a template', () => {
  test.each([
    ['{number}_{variant}', ['{index} is missing']],
    ['', ['{number} is missing', '{variant} is missing', '{index} is missing', 'empty segment']],
    ['{number}_{brand}_{variant}_{index}', ['{brand} is not a token']],
    ['{number}_{constructor}_{variant}_{index}', ['{constructor} is not a token']],
    ['{number}_{geo}_{geo}_{variant}_{index}', ['{geo} stands more than once']],
    ['{number}_{variant}{index}', ['{variant} shares a segment', '{index} shares a segment']],
    ['{number}-{geo}_{variant}_{index}', ['{number} shares a segment']],
    ['{number}_{geo}{language}_{variant}_{index}', ['{geo}{language} touch']],
    ['{number}__{variant}_{index}_', ['empty segment']],
    ['{number}_{geo_{variant}_{index}', ['"{geo" has a brace without its partner']],
    ['{number}_geo}_{variant}_{index}', ['geo}" has a brace without its partner']],
    ['{number}_a b_{variant}_{index}', ['"a b" is not allowed']],
    ['{number}_a\u0000_{variant}_{index}', ['is not allowed']],
    ['{number}_a/b_{variant}_{index}', ['"a/b" is not allowed']],
    [`{number}_${'a'.repeat(120)}_{variant}_{index}`, ['123 characters long']],
    ['{x}_{y}', ['{x} is', '{y} is', '{number} is', '{variant} is', '{index} is']],
  ])('%j is refused, saying what is wrong', (text, expected) => {
    expect(errorsOf(text)).toEqual(expected.map((part) => expect.stringContaining(part)))
  })

  test.each([
    defaultNameTemplate,
    '{index}_{variant}_{number}',
    'Ad.{number}+_{media_type}-{geo}_日本_v{variant}=_n{index}',
  ])('%s is accepted', (text) => {
    expect(errorsOf(text)).toEqual([])
  })
})

describe('a slug', () => {
  test.each([
    ['Dream Well™ 2.0', 'Dream-Well-2-0'],
    ['  --snake_case__ ', 'snake-case'],
    ['Cafe\u0301 Über', 'Café-Über'],
    ['नमस्ते दुनिया', 'नमस्ते-दुनिया'],
    ['日本語・広告', '日本語-広告'],
    ['می‌خواهم', 'میخواهم'],
    ['❤️ love 👩‍👩‍👧', 'love'],
    ['🔥', ''],
    ['a\u0000b\u202ec\ud800d', 'a-bc-d'],
    ['x'.repeat(41), 'x'.repeat(40)],
    [`${'x'.repeat(39)} tail`, 'x'.repeat(39)],
    [`${'x'.repeat(39)}कि`, 'x'.repeat(39)],
  ])('of %j is %j', (text, expected) => {
    expect(slug(text)).toBe(expected)
  })

  test('is its own slug, of at most 40 letters, digits and single hyphens', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const once = slug(text)
        expect(slug(once)).toBe(once)
        expect(once).toMatch(/^$|^[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(-[\p{L}\p{N}][\p{L}\p{N}\p{M}]*)*$/u)
        expect([...once].length).toBeLessThanOrEqual(40)
      }),
    )
  })
})

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 255 }),
  fc.string({ unit: 'grapheme', maxLength: 255 }),
  fc.string({
    unit: fc.constantFrom('a', 'Z', '9', '_', '-', ' ', 'e\u0301', '字', '\u0301', '\u200d'),
    maxLength: 255,
  }),
  fc.string({ unit: fc.constantFrom('x', 'ß', '字'), minLength: 60, maxLength: 255 }),
)
const defaults = valuesOf(defaultVocabulary)
// A deployment may choose terms that look like other parts of a name, for example "V1" or "01".
const termOf = (values: readonly string[]) =>
  fc.option(fc.oneof(fc.constantFrom(...values), fc.constantFrom('V1', 'V2', '01', '2', 'T7', 'x'.repeat(64))))
const variantMembers = {
  ad_format: termOf(defaults.AdFormat),
  messaging_angle: termOf(defaults.MessagingAngle),
  hook_type: termOf(defaults.HookType),
  awareness_stage: termOf(defaults.AwarenessStage),
}
const variant = fc.record({
  ...variantMembers,
  variation_num: fc.oneof(fc.integer({ min: 1, max: 10_000 }), fc.constantFrom(1, 2, 3)),
})
const anyTask = fc.record({
  number: fc.oneof(fc.integer({ min: 1, max: 200 }), fc.maxSafeNat()),
  name: anyText,
  product: fc.option(anyText),
  source: fc.constantFrom(...defaults.Source),
  media_type: termOf(defaults.MediaType),
  language: termOf(defaults.Language),
  geo: termOf(defaults.Geo),
  resolution: termOf(defaults.Resolution),
  subject: fc.option(anyText),
  topic: fc.option(anyText),
  task_type: termOf(defaults.TaskType),
  ...variantMembers,
  count: fc.option(fc.integer({ min: 0, max: 12 })),
  variants: fc.uniqueArray(variant, { maxLength: 8, selector: ({ variation_num }) => variation_num }),
})
const counts = ['number', 'variant', 'index']
// A template with any of the other tokens, and with the three required tokens at random places among them.
const anyTemplate = fc
  .subarray(nameTokens.filter((token) => !counts.includes(token)))
  .chain((tokens) => fc.shuffledSubarray([...tokens, ...counts], { minLength: tokens.length + counts.length }))
  .map((tokens) => templateOf(tokens.map((token) => (token === 'variant' ? 'V{variant}' : `{${token}}`)).join('_')))

/** Makes names of creatives for each variant and for no variant, with index numbers beyond the planned ones. */
function namesOf(task: NameInput) {
  const variations = [null, ...task.variants.map(({ variation_num }) => variation_num)]
  return variations.flatMap((variation) =>
    [1, 2, 9, 10, 100].map((index) => creativeName(byDefault, task, variation, index)),
  )
}

describe('whatever a task holds', () => {
  test('names of one task are pairwise distinct', () => {
    fc.assert(
      fc.property(anyTask, (task) => {
        const names = namesOf(task)
        expect(new Set(names).size).toBe(names.length)
      }),
    )
  })

  test('planned names are pairwise distinct and as many as asked for, under any template', () => {
    fc.assert(
      fc.property(anyTemplate, anyTask, (template, task) => {
        const names = plannedNames(template, task).map(({ name }) => name)
        expect(new Set(names).size).toBe(names.length)
        const each = task.count ?? (task.variants.length > 0 ? 1 : 0)
        expect(names).toHaveLength(each * Math.max(task.variants.length, 1))
      }),
    )
  })

  test('two tasks with different numbers share no name', () => {
    fc.assert(
      fc.property(anyTask, anyTask, fc.boolean(), (one, other, alike) => {
        fc.pre(one.number !== other.number)
        const second = new Set(namesOf(alike ? { ...one, number: other.number } : other))
        expect(namesOf(one).filter((name) => second.has(name))).toEqual([])
      }),
    )
  })

  test('a name has 1 to 255 characters, is normalised and has no control, blank or invisible ones', () => {
    fc.assert(
      fc.property(anyTemplate, anyTask, fc.maxSafeNat(), (template, task, index) => {
        const variation = task.variants[0]?.variation_num ?? null
        for (const name of [generatedName(template, task), creativeName(template, task, variation, index)]) {
          expect(name).not.toBe('')
          expect([...name].length).toBeLessThanOrEqual(255)
          expect(name.normalize('NFC')).toBe(name)
          expect(name).not.toMatch(/[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u)
        }
      }),
    )
  })

  test('number, variant and index are never shortened, and no segment is lost', () => {
    const long = {
      ...sleep,
      number: 2 ** 53 - 1,
      product: 'p'.repeat(255),
      subject: '字'.repeat(255),
      topic: 't'.repeat(255),
    }
    const terms = { messaging_angle: 'm'.repeat(64), hook_type: 'h'.repeat(64), awareness_stage: 's'.repeat(64) }
    const segments = creativeName(everything, { ...long, ...terms, task_type: 'k'.repeat(64) }, 10_000, 123_456).split(
      '_',
    )
    expect(segments.slice(0, 3)).toEqual(['9007199254740991', '10000', '123456'])
    expect(segments).toHaveLength(nameTokens.length)
    // The longest texts are shortened first, but a free text keeps at least eight characters.
    expect(segments[3]).toBe('p'.repeat(8))
    expect(segments).toContain('1080x1920')
  })

  test('free texts give way before terms, the longest first and only as far as needed', () => {
    const texts = { product: 'p'.repeat(40), subject: 's'.repeat(40), topic: 't'.repeat(30), name: 'short' }
    const terms = { messaging_angle: 'm'.repeat(30), hook_type: 'h'.repeat(30), awareness_stage: 'a'.repeat(30) }
    const segments = creativeName(everything, { ...blank, ...texts, ...terms, number: 1 }, 1, 1).split('_')
    expect(segments.slice(3)).toEqual([
      'p'.repeat(31),
      's'.repeat(31),
      't'.repeat(30),
      'short',
      'META',
      'm'.repeat(30),
      'h'.repeat(30),
      'a'.repeat(30),
    ])
  })

  test('the generated name starts every name that no variant changes', () => {
    fc.assert(
      fc.property(anyTask, (task) => {
        const plain = { ...task, variants: [{ variation_num: 1 }] }
        for (const variation of [1, null]) {
          expect(creativeName(byDefault, plain, variation, 12).startsWith(`${generatedName(byDefault, plain)}_`)).toBe(
            true,
          )
        }
      }),
    )
  })
})

test('the name of a fork fits, and is cut between characters', () => {
  expect(forkName('Ads', 'copy')).toBe('Ads copy')
  expect(forkName('L'.repeat(255), '(mine)')).toHaveLength(255)
  expect(forkName(`${'🎬'.repeat(255)}`, 'copy')).toBe(`${'🎬'.repeat(250)} copy`)
  expect(forkName(`${'L'.repeat(247)} long`, '(mine)')).toBe(`${'L'.repeat(247)} (mine)`)
})
