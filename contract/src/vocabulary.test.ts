// Facts about the default vocabularies, and about parsing the vocabularies that a deployment sets instead.
import { describe, expect, test } from 'vitest'
import { defaultVocabulary, parseVocabulary, valuesOf, vocabularyNames } from './vocabulary.ts'

const values = valuesOf(defaultVocabulary)

function vocabularyOf(raw: unknown) {
  const parsed = parseVocabulary(raw)
  if ('errors' in parsed) throw new Error(`refused: ${parsed.errors.join('; ')}`)
  return parsed.vocabulary
}

function errorsOf(raw: unknown) {
  const parsed = parseVocabulary(raw)
  return 'errors' in parsed ? parsed.errors : []
}

describe('the defaults', () => {
  test.each(vocabularyNames)('%s would be accepted as an override of itself', (name) => {
    expect(vocabularyOf({ [name]: defaultVocabulary[name] })).toEqual(defaultVocabulary)
  })

  test.each(vocabularyNames)('%s has a different label for each value', (name) => {
    const labels = defaultVocabulary[name].map((entry) => entry.label)
    expect(labels.filter((label, at) => labels.indexOf(label) !== at)).toEqual([])
  })

  test('awareness stages run from least to most aware', () => {
    expect(values.AwarenessStage).toEqual(['unaware', 'problem_aware', 'solution_aware', 'product_aware', 'most_aware'])
  })

  test('Geo has every country of ISO 3166-1 once, and of other two-letter codes only WW, EU and XK', () => {
    // These codes are reserved or user-assigned and belong to no country, although Intl.DisplayNames has names for them.
    const noCountry = 'AC CP CQ DG EA EU EZ IC QO TA UN XA XB XK ZZ'.split(' ')
    const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
    const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
    const countries = letters
      .flatMap((first) => letters.map((second) => first + second))
      .filter((code) => names.of(code) !== undefined && Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}`)
      .filter((code) => !noCountry.includes(code))
    expect(countries).toHaveLength(249)
    const pairs = values.Geo.filter((code) => /^[A-Z]{2}$/.test(code))
    expect(pairs.toSorted()).toEqual([...countries, 'WW', 'EU', 'XK'].toSorted())
  })

  test('Language has only canonical BCP 47 tags', () => {
    expect(values.Language.map((tag) => Intl.getCanonicalLocales(tag)[0])).toEqual(values.Language)
    expect(values.Language).toEqual(expect.arrayContaining(['en-US', 'pt-BR', 'es-419', 'zh-Hans', 'zh-Hant']))
  })

  test('Resolution has sizes, each label naming its own', () => {
    for (const { value, label } of defaultVocabulary.Resolution) {
      expect(value).toMatch(/^[1-9]\d+x[1-9]\d+$/)
      expect(label).toContain(`(${value.replace('x', '×')})`)
    }
  })

  test('Source has short upper-case codes and starts with META', () => {
    expect(values.Source[0]).toBe('META')
    expect(values.Source.filter((code) => !/^[A-Z0-9]{1,5}$/.test(code))).toEqual([])
  })

  test('all others are snake_case', () => {
    const coded = ['Geo', 'Language', 'Resolution', 'Source']
    const terms = vocabularyNames.filter((name) => !coded.includes(name)).flatMap((name) => values[name])
    expect(terms.filter((term) => !/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(term))).toEqual([])
  })
})

describe('an override', () => {
  test('replaces its vocabulary whole and leaves the others', () => {
    const vocabulary = vocabularyOf({ AdFormat: ['hero', { value: 'x1', label: 'Experiment 1' }] })
    expect(vocabulary).toEqual({
      ...defaultVocabulary,
      AdFormat: [
        { value: 'hero', label: 'Hero' },
        { value: 'x1', label: 'Experiment 1' },
      ],
    })
    expect(valuesOf(vocabulary).AdFormat).toEqual(['hero', 'x1'])
  })

  test('of no vocabulary gives the defaults', () => {
    expect(vocabularyOf({})).toEqual(defaultVocabulary)
  })

  test('without a label takes the one of the defaults, else reads snake_case as words, else shows the value', () => {
    const vocabulary = vocabularyOf({ Source: ['META', 'HOUSE'], AdFormat: ['ugc', 'long_form_ugc', 'Reel.2'] })
    expect(vocabulary.Source.map((entry) => entry.label)).toEqual(['Meta', 'HOUSE'])
    expect(vocabulary.AdFormat.map((entry) => entry.label)).toEqual(['UGC', 'Long form ugc', 'Reel.2'])
  })

  test('may label in any script', () => {
    expect(vocabularyOf({ HookType: [{ value: 'q', label: 'می‌پرسد 👩‍🎨' }] }).HookType).toHaveLength(1)
  })

  test.each([[null], [[]], ['Geo'], [3], [undefined]])('that is %j is refused', (raw) => {
    expect(errorsOf(raw)).toEqual([expect.stringContaining('must be a JSON object')])
  })

  test('is refused with all its errors, each saying where', () => {
    const errors = errorsOf({
      Geos: ['US'],
      AutomationState: ['pending'],
      Geo: ['US', 'us east', '', '  ', 'US', 7, null, ['DE']],
      Language: 'en',
      Resolution: [],
      AdFormat: [
        { value: 'a' },
        { value: 'b', label: ' B' },
        { value: 'c', label: 'C', colour: 'red' },
        { label: 'D' },
      ],
      HookType: ['x'.repeat(65), '-dash', 'naïve', 'a\n', { value: 'ok', label: 'two\nlines' }],
      Source: ['TT', 'META'],
    })
    expect(errors.map((error) => error.split(':')[0])).toEqual([
      '"Geos"',
      '"AutomationState"',
      'Geo[1]',
      'Geo[2]',
      'Geo[3]',
      'Geo[4]',
      'Geo[5]',
      'Geo[6]',
      'Geo[7]',
      'Language',
      'Resolution',
      'AdFormat[0]',
      'AdFormat[1]',
      'AdFormat[2]',
      'AdFormat[3]',
      'HookType[0]',
      'HookType[1]',
      'HookType[2]',
      'HookType[3]',
      'HookType[4]',
      'Source',
    ])
    expect(errors).toContain('Geo[4]: "US" is already at Geo[0]; remove one of the two')
    expect(errors).toContain('HookType[0]: is 65 characters long; shorten it to at most 64')
  })

  test('named like a member of every object is unknown', () => {
    expect(errorsOf(JSON.parse('{"__proto__": ["x"], "constructor": ["y"]}'))).toHaveLength(2)
  })

  test.each([[['TT']], [['TT', 'META']], [['bad one', 'META']], [[{ value: 'TT', label: 'META' }]]])(
    'of Source that starts with something else than META (%j) is refused',
    (source) => {
      expect(errorsOf({ Source: source })).toContainEqual(expect.stringContaining('must start with "META"'))
    },
  )

  test('of Source may give META another label', () => {
    expect(vocabularyOf({ Source: [{ value: 'META', label: 'Facebook & Instagram' }] }).Source).toHaveLength(1)
  })
})
