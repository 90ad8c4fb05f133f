// In charge of the row types of all tables, as the database drivers return them (timestamps as ISO text).
// (over 400 lines because whoever adds a column finds every table here, and a test compares them all with the database)
import type { NodeStatus, Role, RunStatus, Scope, TaskStatus, TestStatus } from '@atelier/contract/enums.ts'
import type { RunExport } from '@atelier/contract/exports.ts'
import type { TakeState } from '@atelier/contract/review-rules.ts'
import type { TaskBrief, TaskVariant } from '@atelier/contract/tasks.ts'
import type { ColumnType, Generated } from 'kysely'

/** The value of a timestamptz(3) column, such as `2026-11-21T00:00:00.000Z`. */
export type Stamp = string
type Defaulted<T> = ColumnType<T, T | undefined, T>
/** A json or jsonb column, which is read as a parsed value and written as JSON text. */
type Json<T> = ColumnType<T, string | null | undefined, string | null>
type Computed<T> = ColumnType<T, never, never>

export type UsersTable = {
  id: string
  name: string | null
  email: string | null
  image_url: string | null
  role: Role
  active: Generated<boolean>
  role_by_hand: Generated<boolean>
  owner: Generated<boolean>
  active_by_hand: Defaulted<boolean | null>
  active_decided_at: Defaulted<Stamp | null>
  ended_at: Defaulted<Stamp | null>
  created_at: Defaulted<Stamp>
  updated_at: Defaulted<Stamp>
}

export type SchemaMigrationsTable = {
  number: number
  name: string
  checksum: string
  applied_at: Defaulted<Stamp>
  release: string | null
  works_from: string | null
}

/** Task briefs that are saved under a name. */
export type TaskTemplatesTable = {
  id: string
  name: string
  brief: Json<TaskBrief>
  by_user: string | null
  by_token: string | null
  created_at: Defaulted<Stamp>
  updated_at: Defaulted<Stamp>
}

export type TokensTable = {
  id: string
  name: string
  hash: Buffer
  hint: string
  scopes: Scope[]
  user_id: string | null
  expires_at: Stamp | null
  created_at: Defaulted<Stamp>
  revoked_at: Stamp | null
  last_used_at: Stamp | null
}

export type SignInLinksTable = {
  hash: Buffer
  user_id: string
  created_at: Defaulted<Stamp>
  expires_at: Stamp
  used_at: Stamp | null
}

export type SessionsTable = {
  id: string
  hash: Buffer
  user_id: string
  created_at: Defaulted<Stamp>
  expires_at: Stamp
  last_used_at: Defaulted<Stamp>
}

export type ProductsTable = { id: string; name: string; code: string; created_at: Defaulted<Stamp> }

/** The columns that variants and creatives have in common. */
type AngleColumns = {
  primary_anchor: string | null
  audience: string | null
  awareness_stage: string | null
  messaging_angle: string | null
  hook_trigger: string | null
  hook_type: string | null
  ad_format: string | null
}

export type TasksTable = AngleColumns & {
  id: string
  number: Generated<number>
  revision: Generated<number>
  schema_version: Generated<number>
  name: string
  generated_name: string | null
  search_text: string
  name_key: Computed<string>
  planned_creative_names: Defaulted<string[]>
  planned_creatives_done: Defaulted<string[]>
  status: Defaulted<TaskStatus>
  test_status: Defaulted<TestStatus>
  task_type: string | null
  work_stream: string | null
  product_id: string | null
  media_type: string | null
  source: Defaulted<string>
  creation_complexity: number | null
  execution_complexity: number | null
  priority: number | null
  count: number | null
  creation_points: Computed<number | null>
  execution_points: Computed<number | null>
  assignee_id: string | null
  task_owner_id: string | null
  deadline_at: Stamp | null
  started_at: Stamp | null
  submitted_at: Stamp | null
  completed_at: Stamp | null
  status_entered_at: Stamp | null
  time_in_progress_seconds: Defaulted<number>
  time_on_check_seconds: Defaulted<number>
  return_count: Defaulted<number>
  manual_launch: Defaulted<boolean>
  launched_at: Stamp | null
  ad_id: string | null
  resolution: string | null
  geo: string | null
  language: string | null
  varied_elements: Defaulted<string[]>
  var_description: string | null
  origin_creative_id: string | null
  source_creative_ids: Defaulted<string[]>
  is_legacy: Defaulted<boolean>
  legacy_remap_list: string | null
  drive_url: string | null
  drive_folder_id: string | null
  hypothesis: string | null
  subject: string | null
  topic: string | null
  subtopics: Defaulted<string[]>
  notes: string | null
  traffic_flow: string | null
  landing: Json<unknown>
  funnel: Json<unknown>
  cpp: Json<unknown>
  variants: ColumnType<TaskVariant[], string | undefined, string>
  automation_state: string | null
  automation_error: string | null
  automation_started_at: Stamp | null
  automation_ran_at: Stamp | null
  comment_count: Defaulted<number>
  creatives_total: Defaulted<number>
  creatives_done: Defaulted<number>
  created_at: Defaulted<Stamp>
  updated_at: Defaulted<Stamp>
  deleted_at: Stamp | null
  delete_id: string | null
}

export type CreativesTable = AngleColumns & {
  id: string
  task_id: string
  revision: Generated<number>
  name: string
  variation_num: number | null
  file: string | null
  completed: Defaulted<boolean>
  done: Defaulted<boolean>
  own_tags: string[] | null
  assignee_id: string | null
  task_owner_id: string | null
  in_work_at: Stamp | null
  ad_id: string | null
  launched_at: Stamp | null
  test_status: Defaulted<TestStatus>
  rolled_up_at: Stamp | null
  locale: string | null
  geo: string | null
  subject: string | null
  topic: string | null
  subtopics: Defaulted<string[]>
  tags: Defaulted<string[]>
  traffic_flow: string | null
  landing: Json<unknown>
  funnel: Json<unknown>
  cpp: Json<unknown>
  created_at: Defaulted<Stamp>
  updated_at: Defaulted<Stamp>
  deleted_at: Stamp | null
  delete_id: string | null
  provenance: Json<unknown>
  /** Only a trigger of the database writes this column (kept-texts.ts). */
  lookup_text: Generated<string | null>
}

export type CommentsTable = {
  id: string
  task_id: string
  by_user: string | null
  by_token: string | null
  text: string
  created_at: Defaulted<Stamp>
  updated_at: Defaulted<Stamp>
}

export type ActivityTable = {
  id: string
  task_id: string
  at: Defaulted<Stamp>
  kind: string
  by_user: string | null
  by_token: string | null
  subject_id: string | null
  changes: Json<Record<string, unknown>>
  by_automation: Defaulted<string | null>
}

export type FilesTable = {
  digest: string
  size: number
  media_type: string
  created_at: Defaulted<Stamp>
  unused_since: ColumnType<Stamp | null, never, Stamp | null>
}

export type FileMarksTable = {
  digest: string
  source_type: string | null
  read_at: Stamp | null
}

export type CreativeAnswersTable = {
  creative_id: string
  file: string
  subject: string
  value: boolean
  reason: string | null
  by_user: string | null
  by_token: string | null
  at: Defaulted<Stamp>
}

export type CreativeVersionsTable = {
  creative_id: string
  number: number
  file: string
  provenance: Json<unknown>
  by_user: string | null
  by_token: string | null
  at: Defaulted<Stamp>
}

export type ReviewCommentsTable = {
  id: string
  creative_id: string
  version: number
  thread_id: string | null
  text: string
  mark: Json<unknown>
  from_seconds: number | null
  to_seconds: number | null
  visibility: string
  mentions: Defaulted<string[]>
  by_user: string | null
  by_token: string | null
  created_at: Defaulted<Stamp>
  updated_at: Defaulted<Stamp>
  resolved_at: Stamp | null
  resolved_in: number | null
  resolved_by: string | null
  by_guest: string | null
}

export type ReviewTakesTable = {
  id: string
  comment_id: string
  creative_id: string
  run_id: string | null
  node_id: string
  port: string
  item: number | null
  state: TakeState
  version: number | null
  error: string | null
  by_user: string | null
  by_token: string | null
  at: Defaulted<Stamp>
  ended_at: Stamp | null
}

export type TaskReviewsTable = {
  task_id: string
  needs: 'one' | 'all'
  reviewers: string[]
  moves_to: TaskStatus | null
}

export type ReviewDecisionsTable = {
  id: string
  creative_id: string
  version: number
  file: string
  decision: string
  note: Defaulted<string>
  by_user: string | null
  by_token: string | null
  at: Defaulted<Stamp>
  void_at: Stamp | null
  by_guest: string | null
}

export type GuestLinksTable = {
  id: string
  task_id: string
  name: string
  hash: Buffer
  password: string | null
  may_comment: boolean
  may_decide: boolean
  whole_task: boolean
  expires_at: Stamp
  revoked_at: Stamp | null
  wrong_passwords: Defaulted<number>
  wrong_since: Stamp | null
  by_user: string | null
  by_token: string | null
  created_at: Defaulted<Stamp>
}

export type GuestsTable = {
  id: string
  link_id: string
  name: string
  hash: Buffer
  created_at: Defaulted<Stamp>
  looked_at: Stamp | null
}

export type NoticesTable = {
  id: string
  user_id: string
  kind: string
  place: string
  task_id: string | null
  run_id: string | null
  creative_id: string | null
  comment_id: string | null
  review_comment_id: string | null
  by_user: string | null
  by_token: string | null
  by_guest: string | null
  at: Defaulted<Stamp>
  graph_id: string | null
  words: string | null
  read_at: Stamp | null
}

export type NoticeSettingsTable = {
  user_id: string
  mail_kinds: Defaulted<unknown>
  chat_kinds: Defaulted<unknown>
  digest: Defaulted<string>
  digest_at: Defaulted<string>
  quiet_from: string | null
  quiet_to: string | null
  time_zone: Defaulted<string>
}

export type MessagesTable = {
  id: string
  user_id: string
  channel: string
  made_at: Defaulted<Stamp>
  next_at: Defaulted<Stamp>
  tries: Generated<number>
  outcome: string | null
  said: string | null
  ended_at: Stamp | null
}

export type DeliveriesTable = {
  id: string
  notice_id: string
  user_id: string
  channel: string
  at: Defaulted<Stamp>
  due_at: Defaulted<Stamp>
  message_id: string | null
}

export type GraphsTable = {
  id: string
  revision: Generated<number>
  name: string
  name_folded: Defaulted<string>
  description: Defaulted<string>
  definition: ColumnType<Record<string, unknown>, string, string>
  node_count: Defaulted<number>
  ui_state: ColumnType<Record<string, unknown>, string, string>
  signature: string
  forked_from: string | null
  template: Defaulted<boolean>
  owner_id: string
  checkpoint_at: Stamp
  created_at: Stamp
  updated_at: Stamp
  deleted_at: Stamp | null
}

export type RunsTable = {
  id: string
  revision: Generated<number>
  graph_id: string | null
  definition: ColumnType<Record<string, unknown>, string, string>
  ui_state: ColumnType<Record<string, unknown>, string, string>
  signature: string
  forked_signature: string
  for_variant: Defaulted<number | null>
  status: RunStatus
  error: string | null
  targets: Defaulted<string[]>
  targets_prepared: Defaulted<boolean>
  credits_consumed: Defaulted<number>
  credits_total: Defaulted<number>
  cancel_requested_at: Stamp | null
  regenerate: Defaulted<string[]>
  seed_run_id: string | null
  pinned_task_id: string | null
  copied_from: string | null
  exported_at: Stamp | null
  produced_at: Stamp | null
  generation: Defaulted<number>
  lease: Defaulted<number>
  idle_lease: Defaulted<number | null>
  deaths: Defaulted<number>
  changes: Defaulted<number>
  last_edit: Defaulted<number>
  types_fingerprint: Defaulted<string | null>
  last_deletion: Defaulted<number>
  answers_given: Defaulted<number>
  worker: string | null
  queued_at: Stamp | null
  task_id: string | null
  owner_id: string
  checkpoint_at: Stamp
  created_at: Stamp
  updated_at: Stamp
  started_at: Stamp | null
  finished_at: Stamp | null
  heartbeat_at: Stamp | null
  deleted_at: Stamp | null
}

export type RunStatesTable = {
  run_id: string
  node_id: string
  item: string
  position: number | null
  item_count: number | null
  status: NodeStatus
  progress: Defaulted<number>
  outputs: Json<unknown>
  request: Json<unknown>
  error: string | null
  message: string | null
  credits: Defaulted<number>
  duration_seconds: Defaulted<number>
  checkpoint: Json<unknown>
  cache_key: string | null
  attempts: Defaulted<number>
  started_at: Stamp | null
  finished_at: Stamp | null
  generation: Defaulted<number>
  stale: Defaulted<boolean>
  change: number
  // A trigger writes these four columns: the JSON that readers get, and sizes in bytes. Rows older than the trigger have nulls.
  shown: Generated<unknown>
  outputs_bytes: Generated<number | null>
  shown_bytes: Generated<number | null>
  kept_bytes: Generated<number | null>
}

export type RunRollsTable = {
  run_id: string
  node_id: string
  item: string
  position: number | null
  roll: string
  inputs: Json<unknown>
}

export type RunTakesTable = {
  run_id: string
  node_id: string
  item: string
  cache_key: string
  roll: string
  inputs: Json<unknown>
  outputs: Json<unknown>
  shown: Json<unknown>
  bytes: number
  credits: number
  generation: number
  made_at: Stamp
  pinned: Defaulted<boolean>
  chosen_at: Stamp | null
}

export type RunAnswersTable = {
  run_id: string
  node_id: string
  item: string
  position: number | null
  asked: string
  answer: ColumnType<unknown, string, string>
  by_user: string | null
  by_token: string | null
  at: Stamp
}

export type CheckpointsTable = {
  subject_id: string
  at: Stamp
  begun_at: Stamp
  kind: string
  summary: string
  by_user: string | null
  by_token: string | null
  content: ColumnType<unknown, string, string>
  full_at: Defaulted<Stamp | null>
  manifest: ColumnType<unknown, string | null | undefined, string>
}

export type CreditEntriesTable = {
  id: string
  run_id: string
  generation: number
  node_id: string
  item: string
  outcome: 'intended' | 'charged' | 'free' | 'unknown'
  credits: Defaulted<number>
  estimate: Defaulted<number>
  model: string | null
  currency: string | null
  planned_least: number | null
  planned_most: number | null
  amount: number | null
  amount_by: 'provider' | 'usage' | 'price' | 'least' | null
  counted: Defaulted<number>
  at: Defaulted<Stamp>
  settled_at: Stamp | null
}

export type RunCostsTable = {
  run_id: string
  generation: number
  graph_id: string | null
  task_id: string | null
  person_id: string
  month: string
  currency: string
  max_cost: number | null
  reserved: Defaulted<number>
  counted: Defaulted<number>
  started_at: Defaulted<Stamp>
  is_cleared: Defaulted<boolean>
}

export type NodeCacheTable = {
  key: string
  type: string
  outputs: ColumnType<unknown, string, string>
  bytes: number
  credits: number
  created_at: Defaulted<Stamp>
  used_at: Defaulted<Stamp>
  message: string | null
}

export type FileUsesTable = { digest: string; used_by: 'graph' | 'run' | 'cache'; user_key: string }

export type ExportsTable = {
  run_id: string
  task_id: string
  node_id: string
  port: string
  item: string
  creative_id: string
  at: Stamp
}

export type AutomationsTable = {
  id: string
  name: string
  enabled: boolean
  on_status: TaskStatus
  query: ColumnType<Record<string, unknown> | null, string | null, string | null>
  graph_id: string
  targets: string[]
  outputs: ColumnType<RunExport['outputs'], string, string>
  to_status: TaskStatus | null
  owner_id: string
  created_at: Defaulted<Stamp>
  updated_at: Defaulted<Stamp>
}

export type LiveAutomationsTable = Pick<AutomationsTable, 'name' | 'outputs' | 'to_status' | 'owner_id'> & {
  task_id: string
  run_id: string
  automation_id: string
  entered_at: Stamp
}

export type ApprovalsTable = {
  id: string
  run_id: string
  digest: string
  body: unknown
  most: number
  currency: string
  asked_by: string
  asked_at: Defaulted<Stamp>
  approved: boolean | null
  decided_by: string | null
  decided_at: Stamp | null
  used_at: Stamp | null
  /** The comment that asked for a new take of a picture; null if no comment did. */
  review_comment_id: string | null
  /** The generation and the signature that the run had at the request; null if an older version stored the request. */
  generation: number | null
  signature: string | null
}

export type IdentitiesTable = {
  issuer: string
  subject: string
  user_id: string
  created_at: Defaulted<Stamp>
  /** The profile that the issuer stated at the last sign-in; null where it has stated none. */
  said_name: string | null
  said_email: string | null
  said_image_url: string | null
}

export type Tables = {
  secrets: { name: string; value: Buffer; created_at: Defaulted<Stamp> }
  users: UsersTable
  tokens: TokensTable
  sign_in_links: SignInLinksTable
  sessions: SessionsTable
  products: ProductsTable
  tasks: TasksTable
  files: FilesTable
  file_marks: FileMarksTable
  creative_answers: CreativeAnswersTable
  creative_versions: CreativeVersionsTable
  review_comments: ReviewCommentsTable
  review_decisions: ReviewDecisionsTable
  review_takes: ReviewTakesTable
  task_reviews: TaskReviewsTable
  guest_links: GuestLinksTable
  guest_link_creatives: { link_id: string; creative_id: string }
  guests: GuestsTable
  notices: NoticesTable
  notice_settings: NoticeSettingsTable
  chat_addresses: { user_id: string | null; service: string; url: string }
  messages: MessagesTable
  deliveries: DeliveriesTable
  loose_files: { digest: string; loose_since: Defaulted<Stamp> }
  creatives: CreativesTable
  comments: CommentsTable
  activity: ActivityTable
  purged: { id: string; purged_at: Defaulted<Stamp>; product_id: string | null }
  idempotency_keys: {
    actor: string
    key: string
    request_hash: Buffer
    status: number | null
    headers: Json<Record<string, string> | null>
    body: string | null
    created_at: Defaulted<Stamp>
  }
  webhook_messages: { id: string; received_at: Defaulted<Stamp> }
  identities: IdentitiesTable
  graphs: GraphsTable
  runs: RunsTable
  run_states: RunStatesTable
  run_rolls: RunRollsTable
  run_takes: RunTakesTable
  run_answers: RunAnswersTable
  checkpoints: CheckpointsTable
  credit_entries: CreditEntriesTable
  run_costs: RunCostsTable
  run_creatives: { run_id: string; creative_id: string }
  budgets: {
    id: string
    person_id: string | null
    period: 'month' | 'always'
    amount: number
    currency: string
    updated_at: Defaulted<Stamp>
    set_by: string | null
    amount_before: number | null
    set_at: Stamp | null
  }
  ended_budgets: {
    id: string
    person_id: string | null
    period: 'month' | 'always'
    amount: number
    currency: string
    ended_by: string | null
    ended_at: Defaulted<Stamp>
  }
  money_settings: { only_row: Defaulted<boolean>; approval_above: number | null }
  approvals: ApprovalsTable
  node_cache: NodeCacheTable
  workers: { id: string; name: string; has: string[]; seen_at: Stamp }
  providers: { name: string; tokens: number; filled_at: Stamp; closed_until: Stamp | null }
  provider_claims: {
    provider: string
    holder: string
    granted: number
    wanted: number
    served_at: Stamp | null
    seen_at: Stamp
  }
  stranded_runs: { run_id: string; lease: number; needs: string[]; since: Stamp }
  cache_claims: { key: string; run_id: string; lease: number }
  file_uses: FileUsesTable
  exports: ExportsTable
  automations: AutomationsTable
  live_automations: LiveAutomationsTable
  task_templates: TaskTemplatesTable
  task_cards: { task_id: string; text: string; named: string }
  directory_changes: { id: Generated<string>; changes: number }
  task_counts: { id: Generated<string>; status: TaskStatus; deleted: boolean; delta: number }
  schema_migrations: SchemaMigrationsTable
}
