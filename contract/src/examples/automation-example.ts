// In charge of the example automation that the documentation shows.
import type { Automation } from '../automations.ts'
import { examples } from './examples.ts'
import { graphExamples } from './graph-examples.ts'

export const automationExample = {
  id: '019a3c80-2d4f-7b10-8c66-5e7a9d3c1f02',
  name: 'Statics once production may begin',
  enabled: true,
  on_status: 'ready_for_production',
  query: { combinator: 'and', rules: [{ field: 'media_type', operator: '=', value: 'image' }] },
  graph_id: graphExamples.graph.id,
  targets: [],
  outputs: [{ node_id: 'images' }],
  to_status: 'tech_check',
  owner_id: examples.ids.user,
  created_at: '2026-03-04T09:00:00.000Z',
  updated_at: '2026-03-04T09:00:00.000Z',
} satisfies Automation
