// Facts about AI marks and content credentials as text.
import { expect, test } from 'vitest'
import { actionWords, aiWords, chipsOf, metWords, sourceWords, stateWords } from './marks-words.ts'
import type { Credentials, Marks } from './types.ts'

const demand: Marks['demands'][number] = {
  ...{ rule: 'eu', market: 'European Union', since: '2026-08-02', words: 'AI-generated', because: 'confirmed' },
  ...{ source: { title: 'a', url: 'b', read: 'c' }, met: null, waiver: null },
}
const iptc = 'http://cv.iptc.org/newscodes/digitalsourcetype/'
const state = (members: Partial<Credentials>) =>
  stateWords({
    ...{ digest: '', media_type: '', ai: null, source_type: null, state: 'none', certificate: null, signed_by: null },
    ...{ issuer: null, signed_at: null, generator: null, actions: [], models: [], ingredients: [], manifests: 0 },
    ...{ problems: [], ...members },
  }).words

test('a row says how much a model made, and whether a label is missing; of anything else nothing', () => {
  const words = (ai: Marks['ai'], demands: Marks['demands'] = []) => chipsOf({ ai, demands }).map(({ words }) => words)
  expect(words('none')).toEqual([])
  expect(words(null)).toEqual([])
  expect(words('generated')).toEqual(['AI-generated'])
  expect(words('assisted', [demand, { ...demand, met: 'drawn' }])).toEqual(['AI-assisted', 'Label missing'])
  expect(words(null, [{ ...demand, met: 'waived' }])).toEqual(['Label waived'])
  expect(words(null, [{ ...demand, met: 'confirmed' }])).toEqual(['Labelled'])
  expect(aiWords(null)).toBe('Not known')
})

test('a label that an admin let pass names the admin', () => {
  const waiver = { reason: 'Caption', by: { user_id: 'a', token_id: null, name: 'Ada' }, at: '' }
  expect(metWords({ met: 'waived', waiver }).words).toBe('Let pass by Ada')
  expect(metWords({ met: null, waiver: null })).toEqual({ words: 'Missing', tone: 'danger' })
})

test('a signature reads as whose it is and whether it holds', () => {
  expect(state({ state: 'trusted', certificate: 'local', signed_by: 'Atelier' })).toBe(
    'Whole, signed by this installation',
  )
  expect(state({ state: 'trusted', certificate: 'operator', signed_by: 'Nord studio' })).toBe(
    'Whole, signed by Nord studio',
  )
  expect(state({ state: 'valid', signed_by: 'Nord' })).toBe('Whole, signed by Nord, who is not known here')
  expect(state({ state: 'invalid' })).toBe('Changed since it was signed')
})

test('actions and source types read as words, also those nobody here knows', () => {
  const created = { action: 'c2pa.created', source_type: `${iptc}trainedAlgorithmicMedia`, software: 'painter' }
  expect(actionWords(created)).toBe('created by painter, made by a model')
  expect(actionWords({ action: 'c2pa.color_adjustments', source_type: null, software: null })).toBe('color adjustments')
  expect(sourceWords(`${iptc}screenCapture`)).toBe('screen capture')
})
