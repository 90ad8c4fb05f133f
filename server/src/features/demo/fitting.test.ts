// Facts about adapting the demo's tasks to the vocabularies that a deployment has set.
import { defaultVocabulary, parseVocabulary } from '@atelier/contract/vocabulary.ts'
import { expect, test } from 'vitest'
import { demoTasks } from './content.ts'
import { fitting } from './fitting.ts'

test('the default vocabulary has everything the demo says', () => {
  for (const { name, work, media, says } of demoTasks) {
    const body = { name, ...media, ...work, ...says }
    expect(fitting(body, defaultVocabulary)).toEqual(body)
  }
})

test('a value that a vocabulary lacks is left empty, in tasks, in their variants and in lists', () => {
  const own = parseVocabulary({ Geo: ['US'], HookType: ['pov'], VariedElement: ['hook'], Source: ['META', 'RADIO'] })
  const vocabulary = 'vocabulary' in own ? own.vocabulary : defaultVocabulary
  const body = {
    name: 'Night sweats',
    source: 'TT',
    geo: 'DE',
    language: 'de-DE',
    varied_elements: ['hook', 'music'],
    subject: 'DE',
    variants: [{ key: 'a', variation_num: 1, hook_type: 'visual', ad_format: 'ugc', tag_slugs: ['visual'] }],
  }
  expect(fitting(body, vocabulary)).toEqual({
    ...body,
    source: 'META',
    geo: null,
    varied_elements: ['hook'],
    variants: [{ key: 'a', variation_num: 1, hook_type: null, ad_format: 'ugc', tag_slugs: ['visual'] }],
  })
})
