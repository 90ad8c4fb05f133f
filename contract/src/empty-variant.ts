// In charge of the defaults of a variant's members. A separate file, because the browser does not load the schemas.
import type { TaskVariant } from './tasks.ts'

export const emptyVariant: Omit<TaskVariant, 'key' | 'variation_num'> = {
  primary_anchor: null,
  audience: null,
  awareness_stage: null,
  messaging_angle: null,
  hook_trigger: null,
  hook_type: null,
  ad_format: null,
  notes: null,
  tag_slugs: [],
  description: null,
  completed: false,
}
