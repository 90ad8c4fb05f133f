// In charge of the demo's task templates, which are briefs for two kinds of work that the team repeats.
import type { TaskBrief } from '@atelier/contract/tasks.ts'
import { insertTemplate } from '../tasks/templates/store.ts'
import { checkTask } from '../tasks/write.ts'
import { fitting } from './fitting.ts'
import type { Stage } from './stage.ts'
import { type PersonKey, type ProductKey, portrait, reel, us, variant, work } from './story.ts'

type DemoTemplate = { name: string; by: PersonKey; assignee: PersonKey; product: ProductKey; brief: TaskBrief }

const demoTemplates: readonly DemoTemplate[] = [
  {
    name: 'Creator video, three hooks',
    by: 'maren',
    assignee: 'kofi',
    product: 'quiltern',
    brief: {
      ...work('new_concept', 'ugc', { priority: 3, count: 1, points: [3, 5] }),
      ...reel,
      ...us,
      ad_format: 'ugc',
      varied_elements: ['hook'],
      hypothesis: 'One story, three first seconds: the hook decides who stays.',
      notes: 'Brief the creator with the story first. The hooks are filmed last, in one sitting.',
      variants: [
        variant(1, 'V1', [], { hook_type: 'question' }),
        variant(2, 'V2', [], { hook_type: 'demonstration' }),
        variant(3, 'V3', [], { hook_type: 'bold_claim' }),
      ],
    },
  },
  {
    name: 'Statics for a new market',
    by: 'maren',
    assignee: 'ilse',
    product: 'tuckerfen',
    brief: {
      ...work('localisation', 'static', { priority: 2, count: 2, points: [1, 2] }),
      ...portrait,
      ad_format: 'product_shot',
      varied_elements: ['language'],
      notes: 'Set the market and its language. The claim goes to legal before the pictures are made.',
      variants: [variant(1, 'V1', [], {})],
    },
  },
]

export async function addTemplates({ tx, config, actors, products }: Stage): Promise<void> {
  for (const { name, by, assignee, product, brief } of demoTemplates) {
    const whole = { ...brief, product_id: products[product].id, assignee_id: actors[assignee].userId }
    const checked = await checkTask(tx, fitting(whole, config.vocabulary), ['templates', name])
    await insertTemplate(tx, { name, brief: checked }, actors[by])
  }
}
