// In charge of `task.fields`: outputs the planned fields of the task (a card on the board) for which the run was started.
import { isPlainObject } from '@atelier/contract/graph/definition.ts'
import { taskLimits } from '@atelier/contract/task-limits.ts'
import { angleNames } from '@atelier/contract/tasks.ts'
import Type from 'typebox'
import { defineNode, gives, Row, Rows, TextList } from './define.ts'
import type { NodeOptions } from './node-options.ts'
import { NodeFailure } from './node-type.ts'

const text = [
  'name',
  'language',
  'geo',
  'subject',
  'topic',
  'audience',
  'hypothesis',
  'notes',
  'messaging_angle',
  'hook_type',
  'ad_format',
  'resolution',
] as const
const titles: Record<(typeof text)[number], string> = {
  ...{ name: 'Name', language: 'Language', geo: 'Market', subject: 'Subject', topic: 'Topic', audience: 'Audience' },
  ...{
    hypothesis: 'Hypothesis',
    notes: 'Notes',
    messaging_angle: 'Angle',
    hook_type: 'Hook type',
    ad_format: 'Ad format',
  },
  resolution: 'Resolution',
}

export const taskFields = ({ readTask }: Pick<NodeOptions, 'readTask'>) =>
  defineNode({
    type: 'task.fields',
    title: 'Task',
    summary: 'Reads the card the run was started for: brief, audience, variants, planned names.',
    group: 'input',
    help: `
Start the run from a card, and the graph works on what is planned there. **Variants** has a row for each variant, so that
what follows can run once for each. A run that is started for one variant reads that one: its angle, hook, audience and format, its
row, its names.

A field that is empty on the card has no value here, and what needs it is skipped: \`{{ task.audience | default: "everyone" }}\`
in a template makes do without. The card is read anew at each start.`,
    params: {
      variant: Type.Integer({
        title: 'Variant',
        description:
          'The number of the variant to read: its audience, angle, hook and format in place of those of the card, and only its row and names. 0 for the whole card. A run that is started for a variant has it here.',
        default: 0,
        minimum: 0,
        maximum: taskLimits.variation_num,
      }),
    },
    inputs: {},
    outputs: {
      task: gives('Task', 'The whole card, with every field.', Row),
      variants: gives('Variants', 'A row for each planned variant.', Rows),
      planned_names: gives('Planned names', 'The names its creatives are to have.', TextList),
      ...Object.fromEntries(
        text.map((name) => [name, gives(titles[name], `The field “${titles[name]}” of the card.`, Type.String())]),
      ),
    },
    cacheable: false,
    run: async ({ params, taskId }) => {
      if (taskId === null) throw new NodeFailure('This run was not started for a task. Start it from a card.')
      const card = await readTask(taskId)
      if (card === null)
        throw new NodeFailure('The task this run was started for is deleted. Restore it, then start again.')
      const task = params.variant === 0 ? card : ofVariant(card, params.variant)
      const filled = text.flatMap((name) =>
        typeof task[name] === 'string' && task[name] !== '' ? [[name, task[name]]] : [],
      )
      const outputs: Record<string, unknown> = { task, ...Object.fromEntries(filled) }
      if (Array.isArray(task.variants)) outputs.variants = task.variants
      if (Array.isArray(task.planned_creative_names)) outputs.planned_names = task.planned_creative_names
      return { outputs }
    },
  })

/**
 * The card for one of its variants: the fields that the variant sets replace those of the card. `planned_creative_names` has the
 * names variant by variant, equally many for each, so the names of one variant are a slice.
 */
function ofVariant(card: Record<string, unknown>, number: number): Record<string, unknown> {
  const variants = Array.isArray(card.variants) ? card.variants.filter(isPlainObject) : []
  const at = variants.findIndex(({ variation_num }) => variation_num === number)
  const variant = variants[at]
  if (!variant) throw new NodeFailure(`The card has no variant ${number}. Set another, or 0 for the whole card.`)
  const own = ofBoth.filter((member) => variant[member] !== null && variant[member] !== undefined)
  const names = Array.isArray(card.planned_creative_names) ? card.planned_creative_names : []
  const each = names.length / variants.length
  return {
    ...card,
    ...Object.fromEntries(own.map((member) => [member, variant[member]])),
    variants: [variant],
    planned_creative_names: names.slice(at * each, (at + 1) * each),
  }
}

/** The fields that a card has and that a variant may override. */
const ofBoth = [...angleNames, 'notes']
