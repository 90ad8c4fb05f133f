// In charge of what a variant has where nobody has written anything. Apart from the schemas: the browser does not load those.
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
