// In charge of the demo's template graphs: copy from a table, statics from a card, an approved creative in other languages.
// Without a key they ask nobody: sample nodes stand where a model would, and say so in what they make.
import type { FileValue } from '@atelier/contract/definition.ts'
import { type DemoGraph, graph } from './graph-writing.ts'

/** What the graphs are written for: whether models can be asked here, and the picture of an approved creative. */
export type DemoGraphNeeds = { hasModels: boolean; approved: FileValue }

/** How Quiltern looks. */
const look = { primary: '#12355b', accent: '#f6c453', brand: 'Quiltern', font: 'Bricolage Grotesque' }

const hooks = [
  ['locale', 'hook', 'action'],
  ['en-US', 'Awake at 3\u00a0a.m. again?', 'Find your cool side'],
  ['en-GB', 'Kicked the duvet off by two?', 'Sleep cooler'],
  ['de-DE', 'Um drei schon wieder wach?', 'Kühler schlafen'],
  ['fr-FR', 'Encore réveillé à trois heures\u00a0?', 'Dormir au frais'],
  ['es-ES', '¿Otra vez despierto a las tres?', 'Duerme fresco'],
]

const lines = [
  ['locale', 'headline', 'action'],
  ['de-DE', 'Dreh das Kissen nicht mehr um', 'Jetzt testen'],
  ['fr-FR', 'Ne retournez plus l’oreiller', 'Essayer'],
  ['es-ES', 'Deja de darle la vuelta a la almohada', 'Probar'],
]

const table = (rows: readonly (readonly string[])[]): string =>
  rows
    .map((row) => row.map((cell) => (/[",]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(','))
    .join('\n')

/** Copy for every row of a table: a sentence is written for each hook, checked, looked over, and set with its hook. */
export function copyFromTable({ hasModels }: DemoGraphNeeds): DemoGraph {
  const write = hasModels
    ? {
        type: 'llm.chat',
        params: {
          system: 'You write short, plain ad copy. One sentence, at most 110 characters, no quotation marks.',
          prompt:
            'In the language of {{ row.locale }}, follow this opening line for Quiltern cooling duvets: {{ row.hook }}',
        },
      }
    : { type: 'sample.chat', params: { prompt: 'Write a sentence about {{ row.hook }}' } }
  return graph(
    'Copy variants from a table',
    'A table of locales and hooks. Each row gets a sentence of copy that fits the placement; you look them over, and each becomes a static.',
    {
      table: { type: 'input.text', params: { value: table(hooks) } },
      rows: { type: 'csv.parse' },
      write: { ...write, each: ['row'] },
      sentence: {
        type: 'json.expression',
        params: { expression: hasModels ? 'value' : 'value[0].body' },
        each: ['value'],
      },
      check: {
        type: 'text.validate',
        params: { slot: 'meta_primary_text', banned: ['cure*', 'guarantee*'] },
        each: ['text'],
      },
      variant: {
        type: 'json.expression',
        params: { expression: '$merge([row, { "body": body }])' },
        each: ['row', 'body'],
      },
      variants: { type: 'list.collect' },
      review: { type: 'gate.edit', params: { title: 'Look the copy over: one row for each locale' } },
      headlines: { type: 'json.expression', params: { expression: 'value.hook[]' } },
      bodies: { type: 'json.expression', params: { expression: 'value.body[]' } },
      actions: { type: 'json.expression', params: { expression: 'value.action[]' } },
      ads: {
        type: 'layout.render',
        params: { ...look, template: 'hero', placements: ['1080x1350'] },
        each: ['headline', 'body', 'action'],
      },
    },
    [
      'table.text > rows.text',
      'rows.rows > write.row',
      hasModels ? 'write.text > sentence.value' : 'write.ads > sentence.value',
      'sentence.value > check.text',
      'rows.rows > variant.row',
      'check.passed > variant.body',
      'variant.value > variants.values',
      'variants.list > review.value',
      'review.value > headlines.value',
      'review.value > bodies.value',
      'review.value > actions.value',
      'headlines.value > ads.headline',
      'bodies.value > ads.body',
      'actions.value > ads.action',
    ],
  )
}

const scenes = [
  'A rumpled white duvet in blue moonlight, empty space above',
  'The cool side of a pillow, morning light, close up',
  'A bed by an open window at night, curtains moving',
  'Two hands turning a pillow over, soft shadows',
]

/** What a model is told of the card. */
const briefOfTask = {
  type: 'text.template',
  params: {
    template:
      'About {{ task.subject | default: task.name }}, for {{ task.audience | default: "everyone" }}. {{ task.hypothesis | default: "" }}',
  },
}

/** Statics for the card a run is started from: pictures to choose among, one to go on, five placements. */
export function staticsFromCard({ hasModels }: DemoGraphNeeds): DemoGraph {
  const paint = hasModels
    ? {
        type: 'image.generate',
        params: { prompt: '{{ scene }}. Photo, no text, no people’s faces.', size: '1024x1536' },
      }
    : { type: 'sample.image', params: { prompt: '{{ scene }}', words: false, width: 1080, height: 1350 } }
  const write = hasModels
    ? {
        type: 'llm.chat',
        params: {
          system: 'You write short, plain headlines: at most 40 characters, no exclamation marks, no quotation marks.',
          prompt: 'Write one headline for a static ad. {{ brief }}',
        },
      }
    : { type: 'text.template', params: { template: '{{ task.topic | default: task.name }}' } }
  return graph(
    'Static ads in five placements',
    'Started from a card. Pictures to choose among: re-roll the ones you do not like. The one you pick becomes an ad in every size a launch needs.',
    {
      card: { type: 'task.fields' },
      ...(hasModels ? { brief: briefOfTask } : {}),
      write,
      headline: { type: 'gate.edit', params: { title: 'Is this the headline?' } },
      ideas: { type: 'input.text', params: { value: scenes.join('\n') } },
      scenes: { type: 'text.split' },
      pictures: { ...paint, each: ['scene'] },
      pick: { type: 'gate.choose', params: { title: 'Which picture goes on?' } },
      ads: {
        type: 'layout.render',
        params: {
          ...look,
          template: 'hero',
          placements: ['1080x1350', '1080x1920', '1200x628', '300x250', '728x90'],
        },
        inputs: { action: 'Sleep cooler' },
      },
    },
    [
      ...(hasModels ? ['card.task > brief.task', 'brief.text > write.brief'] : ['card.task > write.task']),
      'write.text > headline.value',
      'ideas.text > scenes.text',
      'scenes.parts > pictures.scene',
      'pictures.image > pick.options',
      'headline.value > ads.headline',
      'pick.first > ads.image',
    ],
  )
}

/** An approved creative in other languages: its picture stays, its words are looked over by people who speak them. */
export function localisation({ hasModels, approved }: DemoGraphNeeds): DemoGraph {
  const translating = {
    locales: { type: 'input.text', params: { value: 'de-DE\nfr-FR\nes-ES' } },
    split: { type: 'text.split' },
    translate: {
      type: 'llm.chat',
      params: {
        system:
          'You localise ads: what a native copywriter would write, not a translation. Keep it as short as the original.',
        prompt:
          'Into the language of {{ locale }}. Headline: “Stop flipping the pillow”. Button: “Try it”. Answer with locale, headline and action.',
        schema: {
          type: 'object',
          required: ['locale', 'headline', 'action'],
          properties: { locale: { type: 'string' }, headline: { type: 'string' }, action: { type: 'string' } },
          additionalProperties: false,
        },
      },
      each: ['locale'],
    },
    rows: { type: 'list.collect' },
  }
  const translated = {
    lines: { type: 'input.text', params: { value: table(lines) } },
    rows: { type: 'csv.parse' },
  }
  return graph(
    'Localise an approved creative',
    'The picture of a creative that has passed its checks, and its lines in other languages. Somebody who speaks them looks the lines over; each language becomes a creative of two sizes.',
    {
      approved: { type: 'input.file', params: { file: approved } },
      ...(hasModels ? translating : translated),
      review: { type: 'gate.edit', params: { title: 'Would somebody from there say it like this?' } },
      headlines: { type: 'json.expression', params: { expression: 'value.headline[]' } },
      actions: { type: 'json.expression', params: { expression: 'value.action[]' } },
      ads: {
        type: 'layout.render',
        params: { ...look, template: 'split', placements: ['1080x1350', '1080x1920'] },
        each: ['headline', 'action'],
      },
    },
    [
      ...(hasModels
        ? [
            'locales.text > split.text',
            'split.parts > translate.locale',
            'translate.data > rows.values',
            'rows.list > review.value',
          ]
        : ['lines.text > rows.text', 'rows.rows > review.value']),
      'review.value > headlines.value',
      'review.value > actions.value',
      'headlines.value > ads.headline',
      'actions.value > ads.action',
      'approved.file > ads.image',
    ],
  )
}
