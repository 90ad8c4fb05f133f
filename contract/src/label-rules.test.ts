// Facts about label rules: which market requires which label on which creative, and which rules a deployment may set.
import { describe, expect, test } from 'vitest'
import { defaultLabelRules, demandsOn, labelWords, type Marked, parseLabelRules, rulesOf } from './label-rules.ts'
import { defaultVocabulary } from './vocabulary.ts'

const day = '2026-11-22'
const plain: Marked = {
  has_generated: false,
  synthetic_performer: null,
  deepfake: null,
  labelled: null,
  drawn: [],
  waived: [],
}
const inMarket = (geo: string, marked: Partial<Marked>) =>
  demandsOn(rulesOf(defaultLabelRules, geo), day, { ...plain, ...marked }).map(({ rule, because, met }) => [
    rule.id,
    because,
    met,
  ])

describe('a creative needs the label of a market', () => {
  test('where a model made it, until a person has said what it shows', () => {
    expect(inMarket('DE', { has_generated: true })).toEqual([['eu', 'not_asked', null]])
    expect(inMarket('DE', { has_generated: true, deepfake: false })).toEqual([])
    expect(inMarket('DE', { has_generated: true, deepfake: true })).toEqual([['eu', 'confirmed', null]])
    expect(inMarket('US', { has_generated: true, deepfake: false })).toEqual([['us-ny', 'not_asked', null]])
    expect(inMarket('WW', { has_generated: true }).map(([id]) => id)).toEqual(['eu', 'us-ny'])
  })

  test('where no model made it, only if a person says what it shows', () => {
    expect(inMarket('DE', {})).toEqual([])
    expect(inMarket('DE', { deepfake: true })).toEqual([['eu', 'confirmed', null]])
    expect(inMarket('DE', { synthetic_performer: true })).toEqual([])
  })

  test('in no other market, and not before the day it is demanded', () => {
    expect(inMarket('JP', { has_generated: true, deepfake: true })).toEqual([])
    expect(rulesOf(defaultLabelRules, null)).toEqual([])
    const early = demandsOn(defaultLabelRules, '2026-06-08', { ...plain, has_generated: true })
    expect(early).toEqual([])
    const first = demandsOn(defaultLabelRules, '2026-06-09', { ...plain, has_generated: true })
    expect(first.map(({ rule }) => rule.id)).toEqual(['us-ny'])
  })

  test('and carries it where it was drawn, a person sees it, or an admin lets it pass; who sees none is believed', () => {
    const needs = { has_generated: true }
    expect(inMarket('FR', { ...needs, drawn: ['eu'] })).toEqual([['eu', 'not_asked', 'drawn']])
    expect(inMarket('FR', { ...needs, labelled: true })).toEqual([['eu', 'not_asked', 'confirmed']])
    expect(inMarket('FR', { ...needs, waived: ['eu'] })).toEqual([['eu', 'not_asked', 'waived']])
    expect(inMarket('FR', { ...needs, drawn: ['eu'], labelled: false })).toEqual([['eu', 'not_asked', null]])
    expect(inMarket('WW', { ...needs, drawn: ['eu'] })).toEqual([
      ['eu', 'not_asked', 'drawn'],
      ['us-ny', 'not_asked', null],
    ])
  })
})

test('a rule may be about all that models made', () => {
  const [eu] = defaultLabelRules
  const rules = eu ? [{ ...eu, subject: 'generated' as const }] : []
  const of = (marked: Partial<Marked>) => demandsOn(rules, day, { ...plain, ...marked }).map(({ because }) => because)
  expect(of({ has_generated: true, deepfake: false })).toEqual(['generated'])
  expect(of({ deepfake: true })).toEqual([])
})

test('a label speaks the language of the card, or English', () => {
  const [eu] = defaultLabelRules
  const words = ['de-AT', 'fr', 'ga', null].map((language) => eu && labelWords(eu, language))
  expect(words).toEqual(['KI-generiert', 'Généré par IA', 'AI-generated', 'AI-generated'])
})

test('the rules name markets that there are, once each, and are rules by their own measure', () => {
  const known = new Set([...defaultVocabulary.Geo.map(({ value }) => value), 'US-NY'])
  for (const { id, geos } of defaultLabelRules) {
    expect(
      geos.filter((geo) => !known.has(geo)),
      id,
    ).toEqual([])
    expect(new Set(geos).size, id).toBe(geos.length)
  }
  expect(parseLabelRules(JSON.parse(JSON.stringify(defaultLabelRules)))).toEqual({ rules: defaultLabelRules })
})

test('what a deployment writes wrong is said, all of it, with its place', () => {
  const [eu] = defaultLabelRules
  expect(parseLabelRules([])).toEqual({ rules: [] })
  expect(parseLabelRules({})).toEqual({ errors: [expect.stringMatching(/JSON array/)] })
  const wrong = parseLabelRules([{ ...eu, since: 'soon', words: { de: 'KI' }, more: 1 }, 'eu', eu, eu])
  expect('errors' in wrong && wrong.errors).toEqual([
    '[0]: since must be a day such as 2026-08-02',
    expect.stringMatching(/^\[0\]: words must .*“en” among them/),
    '[0]: more is no member of a rule',
    '[1]: must be an object',
    'two rules have the id eu',
  ])
})
