// In charge of the default values of a variant's members. They have their own file, so that the browser can use them without
// loading the schemas.
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
