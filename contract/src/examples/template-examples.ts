// In charge of the example records for task templates that the documentation shows.
import type { Static } from 'typebox'
import type { TaskTemplate, TaskTemplateHead } from '../task-templates.ts'
import { examples } from './examples.ts'

const head: Static<typeof TaskTemplateHead> = {
  id: '019a3c63-2b7f-7d10-9c3e-5a1f8b4d6e09',
  name: 'Weekly UGC hooks',
  by: { user_id: examples.ids.user, token_id: null, name: examples.user.name },
  created_at: '2026-03-04T09:00:00.000Z',
  updated_at: '2026-03-04T09:00:00.000Z',
}
const { task_type, work_stream, product_id, media_type, count, geo, language, ad_format } = examples.task
const brief = { task_type, work_stream, product_id, media_type, count, geo, language, ad_format }
const template: Static<typeof TaskTemplate> = { ...head, brief }

export const templateExamples = { head, template, brief }
