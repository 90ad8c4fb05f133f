// In charge of `task.fields`: what is planned on the card the run was started for.
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
what follows can run once for each.

A field that is empty on the card has no value here, and what needs it is skipped: \`{{ task.audience | default: "everyone" }}\`
in a template makes do without. The card is read anew at each start.`,
    params: {},
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
    run: async ({ taskId }) => {
      if (taskId === null) throw new NodeFailure('This run was not started for a task. Start it from a card.')
      const task = await readTask(taskId)
      if (task === null)
        throw new NodeFailure('The task this run was started for is deleted. Restore it, then start again.')
      const filled = text.flatMap((name) =>
        typeof task[name] === 'string' && task[name] !== '' ? [[name, task[name]]] : [],
      )
      const outputs: Record<string, unknown> = { task, ...Object.fromEntries(filled) }
      if (Array.isArray(task.variants)) outputs.variants = task.variants
      if (Array.isArray(task.planned_creative_names)) outputs.planned_names = task.planned_creative_names
      return { outputs }
    },
  })
