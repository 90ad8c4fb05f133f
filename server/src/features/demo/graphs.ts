// In charge of the demo's template graphs: one writes copy from a table, one makes static ads from a card, and one translates an
// approved creative. These graphs call no provider, even if a provider's key is set: instead of models, they use sample nodes,
// whose results say that they are samples. A fourth template calls an image model; the demo itself never starts a run of it.
import type { FileValue } from '@atelier/contract/graph/definition.ts'
import { type DemoGraph, graph } from './graph-writing.ts'

/** The brand name, colors and font of Quiltern's ads. */
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

/**
 * Returns the graph that writes copy for every row of a table. For each row a sentence is written, checked and combined with the
 * row's hook. A person reviews all of them, and then each becomes a static ad.
 */
export function copyFromTable(): DemoGraph {
  return graph(
    'Copy variants from a table',
    'A table of locales and hooks. Each row gets a sentence of copy that fits the placement; you look them over, and each becomes a static.',
    {
      table: { type: 'input.text', params: { value: table(hooks) } },
      rows: { type: 'csv.parse' },
      write: { type: 'sample.chat', params: { prompt: 'Write a sentence about {{ row.hook }}' }, each: ['row'] },
      sentence: { type: 'json.expression', params: { expression: 'value[0].body' }, each: ['value'] },
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
      'write.ads > sentence.value',
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
  'A rumpled bed in blue moonlight, two pillows, empty space above',
  'Three folded duvets on a plinth, morning light',
  'An alarm clock and a lamp, awake at three',
  'The cool side of a pillow at night, close up',
]

/** A Liquid template for the text of the ad's button, in the language of the card's task. */
const actionOf =
  '{% case task.language %}{% when "de-DE" %}Kühler schlafen{% when "fr-FR" %}Dormir au frais{% when "es-ES", "es-MX" %}Duerme fresco{% else %}Sleep cooler{% endcase %}'

/** The name of the template graph that uses the image model which the operator has set up. */
export const withModelName = 'Static ads with your image model'

/**
 * Returns the graph that makes static ads for the card from which a run is started: a person chooses one of several pictures, and
 * the chosen picture is used in five placements.
 */
export function staticsFromCard(): DemoGraph {
  const params = { prompt: '{{ scene }}', words: false, width: 1080, height: 1350 }
  return statics(
    'Static ads in five placements',
    'Started from a card. Pictures to choose among: re-roll the ones you do not like. The one you pick becomes an ad in every size a launch needs.',
    { type: 'sample.image', params },
  )
}

/**
 * Returns the graph of `staticsFromCard`, but with pictures from the operator's image model. `offer` states the name and the price
 * of the model.
 */
export function staticsWithModel(offer: string): DemoGraph {
  const params = { prompt: '{{ scene }}. Photo, no text, no people’s faces.', size: '1024x1536' }
  return statics(
    withModelName,
    `Pictures of your image model, billed by your provider: four at the first start, one for each re-roll; the same again comes from the cache. Each counts as 10 credits here. ${offer}. What a picture costs depends on size and quality too.`,
    { type: 'image.generate', params },
  )
}

function statics(
  name: string,
  description: string,
  paint: { type: string; params: Record<string, unknown> },
): DemoGraph {
  return graph(
    name,
    description,
    {
      card: { type: 'task.fields' },
      write: { type: 'text.template', params: { template: '{{ task.topic | default: task.name }}' } },
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
      },
      action: { type: 'text.template', params: { template: actionOf } },
    },
    [
      'card.task > write.task',
      'write.text > headline.value',
      'ideas.text > scenes.text',
      'scenes.parts > pictures.scene',
      'pictures.image > pick.options',
      'headline.value > ads.headline',
      'card.task > action.task',
      'action.text > ads.action',
      'pick.first > ads.image',
    ],
  )
}

/**
 * Returns the graph that translates an approved creative: the picture stays the same, and a speaker of each language reviews the
 * words.
 */
export function localisation(approved: FileValue): DemoGraph {
  return graph(
    'Localise an approved creative',
    'The picture of a creative that has passed its checks, and its lines in other languages. Somebody who speaks them looks the lines over; each language becomes a creative of two sizes.',
    {
      approved: { type: 'input.file', params: { file: approved } },
      lines: { type: 'input.text', params: { value: table(lines) } },
      rows: { type: 'csv.parse' },
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
      'lines.text > rows.text',
      'rows.rows > review.value',
      'review.value > headlines.value',
      'review.value > actions.value',
      'headlines.value > ads.headline',
      'actions.value > ads.action',
      'approved.file > ads.image',
    ],
  )
}
