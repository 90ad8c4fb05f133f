// In charge of the example records that the documentation shows: one task, its creative, and related records.
import type { Creative } from '../creatives.ts'
import type { Launch } from '../launches.ts'
import { nullMembers, type Task, type TaskCard } from '../tasks.ts'

const ids = {
  task: '019a3c5e-7d10-7a42-9c1f-5b0e7a1d4c01',
  creative: '019a3c60-1b2c-7d55-8e3a-0f6c2b9d4e02',
  user: '019a3c58-02aa-7b16-a4d7-9e8c3f1b2a03',
  product: '019a3c59-4e7f-7c83-b5e1-6d2a8f0c9b04',
  token: '019a3c5a-9f31-7e68-8b2d-1c4e7a5f3d05',
  comment: '019a3c61-6c8d-7f9a-9d40-2e7b5c1a8f06',
  activity: '019a3c61-6c8e-7a01-8c52-4f9d6e3b2a07',
  launch: '019a3c62-11d0-7c44-8e09-3b7a5d2c4e08',
} as const

/** Members that have the same values in the example task, its card, its variants and its creatives. */
const angle = {
  primary_anchor: 'pain_point',
  audience: 'First-time buyers, 25 to 34',
  awareness_stage: 'problem_aware',
  messaging_angle: 'problem_solution',
  hook_trigger: 'curiosity_gap',
  hook_type: 'question',
  ad_format: 'ugc',
} as const

const shared = {
  id: ids.task,
  name: 'Glow serum, summer hooks',
  number: 42,
  generated_name: 'T42_Glow-Serum_video_ugc_en-GB_GB_1080x1920_Dull-skin',
  status: 'in_progress',
  test_status: 'not_tested',
  task_type: 'new_concept',
  work_stream: 'ugc',
  product_id: ids.product,
  media_type: 'video',
  creation_complexity: 2,
  execution_complexity: 3,
  priority: 2,
  assignee_id: ids.user,
  task_owner_id: null,
  deadline_at: '2026-03-20T16:00:00.000Z',
  manual_launch: false,
  launched_at: null,
  count: 2,
  resolution: '1080x1920',
  geo: 'GB',
  language: 'en-GB',
  varied_elements: ['hook'],
  subject: 'Dull skin',
  topic: null,
  ...angle,
  traffic_flow: 'product_page',
  started_at: '2026-03-03T08:15:00.000Z',
  submitted_at: null,
  completed_at: null,
  comment_count: 1,
  created_at: '2026-03-02T09:30:00.000Z',
  updated_at: '2026-03-03T08:15:00.000Z',
  deleted_at: null,
} as const satisfies Partial<TaskCard> & Partial<Task>

const plannedNames = ['01', '02'].map((index) => `${shared.generated_name}_V1_${index}`)
const [creativeName = ''] = plannedNames

const card = {
  ...shared,
  varied_elements: [...shared.varied_elements],
  source: 'META',
  creatives_total: 1,
  creatives_done: 0,
  automation: { state: null, error: null, started_at: null },
  creation_points: 4,
  execution_points: 6,
} satisfies TaskCard

const task = {
  ...nullMembers,
  ...shared,
  varied_elements: [...shared.varied_elements],
  schema_version: 3,
  planned_creative_names: plannedNames,
  planned_creatives_done: [],
  source: 'META',
  var_description: null,
  rollups: { derived_task_count: 0, creation_points: 4, execution_points: 6, return_count: 0 },
  automation: { state: null, error: null, ran_at: null, started_at: null },
  time_in_progress_seconds: 5400,
  time_on_check_seconds: 0,
  status_entered_at: '2026-03-03T08:15:00.000Z',
  ad_id: null,
  origin_creative_id: null,
  source_creative_ids: [],
  is_legacy: false,
  legacy_remap_list: null,
  drive_url: null,
  drive_folder_id: null,
  hypothesis: 'A question about dull skin holds longer than a claim.',
  subtopics: [],
  notes: null,
  landing: { path: '/glow-serum' },
  funnel: null,
  cpp: null,
  variants: [
    { key: 'a', variation_num: 1, ...angle, notes: null, tag_slugs: ['summer'], description: null, completed: false },
  ],
} satisfies Task

const creative = {
  id: ids.creative,
  task_id: ids.task,
  name: creativeName,
  variation_num: 1,
  file: null,
  completed: false,
  done: false,
  assignee_id: ids.user,
  task_owner_id: null,
  in_work_at: '2026-03-03T08:15:00.000Z',
  ad_id: null,
  launched_at: null,
  test_status: 'not_tested',
  locale: 'en-GB',
  geo: 'GB',
  subject: 'Dull skin',
  topic: null,
  subtopics: [],
  ...angle,
  tags: ['summer'],
  traffic_flow: 'product_page',
  landing: { path: '/glow-serum' },
  funnel: null,
  cpp: null,
  created_at: '2026-03-02T09:45:00.000Z',
  updated_at: '2026-03-03T08:15:00.000Z',
  deleted_at: null,
} satisfies Creative

const user = {
  id: ids.user,
  name: 'Ada Berg',
  email: 'ada@example.com',
  image_url: null,
  role: 'writer',
  active: true,
  created_at: '2026-03-01T07:00:00.000Z',
}
const product = { id: ids.product, name: 'Glow Serum', code: 'Glow-Serum', created_at: '2026-03-01T07:00:00.000Z' }
const token = {
  id: ids.token,
  name: 'Ad platform',
  hint: 'x7Qa',
  scopes: ['creatives:lookup'],
  user_id: null,
  expires_at: null,
  created_at: '2026-03-01T07:00:00.000Z',
  revoked_at: null,
  last_used_at: '2026-03-03T08:15:00.000Z',
}
const file = {
  digest: 'c0535e4be2b79ffd93291305436bf889314e4a3faec05ecffcbb7df31ad9e51a',
  size: 4_718_592,
  media_type: 'video/mp4',
  created_at: '2026-03-03T11:40:00.000Z',
}
const picture = '7d865e959b2466918c9863afca942d0fb89d7c9ac0c99bafc3749504ded97730'
const linkQuery = 'expires=1772627400&signature=VQGaPHBeL3sTptSMHg-bOggx…'
const fileLink = {
  digest: picture,
  url: `/api/v1/files/${picture}?${linkQuery}`,
  thumbnail_url: `/api/v1/files/${picture}/thumbnail?${linkQuery}`,
  expires_at: '2026-03-04T12:30:00.000Z',
}
const cover = {
  task_id: ids.task,
  creative_id: ids.creative,
  name: creative.name,
  media_type: 'image/png',
  size: 482_113,
  ...fileLink,
}
const by = { user_id: ids.user, token_id: ids.token, name: user.name }

const launch = {
  id: ids.launch,
  ad_id: '2385215040447054',
  launched_at: '2026-03-12T07:00:00.000Z',
  creative_id: null,
  name: null,
  recorded_at: '2026-03-12T07:04:10.000Z',
  by,
  voided: {
    at: '2026-03-12T09:30:00.000Z',
    by,
    ad_id: '23852150404470549',
  },
} satisfies Launch
const comment = {
  id: ids.comment,
  task_id: ids.task,
  by,
  text: 'The second hook reads better.',
  created_at: '2026-03-03T08:20:00.000Z',
  updated_at: '2026-03-03T08:20:00.000Z',
}
const activity = {
  id: ids.activity,
  at: '2026-03-03T08:15:00.000Z',
  kind: 'task_moved',
  by,
  subject_id: null,
  changes: { status: { from: 'backlog', to: 'in_progress' } },
}
const included = {
  users: { [ids.user]: { id: user.id, name: user.name, email: user.email, image_url: user.image_url } },
  products: { [ids.product]: { id: product.id, name: product.name } },
  creatives: {},
  task_creatives: [],
}

/** A page that contains only this item; no page follows. */
export const examplePage = (item: unknown) => ({ items: [item], meta: { next_cursor: null } })

/** Records as the API returns them; all of them belong to one small workspace. */
export const examples = {
  ids,
  task,
  creative,
  user,
  product,
  token,
  file,
  fileLink,
  cover,
  comment,
  activity,
  launch,
  boardPage: { tasks: [card], included, meta: { next_cursor: null, total: 1 } },
} as const
