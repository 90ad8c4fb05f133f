// In charge of the filters of feeds: the task fields that a filter can use, the operators of each field type, and the limits.
import { taskStatuses, testStatuses } from './enums.ts'
import type { VocabularyName } from './vocabulary.ts'

/** The 18 default operators of react-querybuilder. */
export const filterOperators = [
  '=',
  '!=',
  '<',
  '>',
  '<=',
  '>=',
  'contains',
  'beginsWith',
  'endsWith',
  'doesNotContain',
  'doesNotBeginWith',
  'doesNotEndWith',
  'null',
  'notNull',
  'in',
  'notIn',
  'between',
  'notBetween',
] as const
export type FilterOperator = (typeof filterOperators)[number]

export type FilterType =
  | 'text'
  | 'enum'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'datetime'
  | 'id'
  /** A set of values of a vocabulary. `contains`: the value is in the set; `in`: any of the values is; `null`: the set is empty. */
  | 'enum_list'

/** A field that filter rules can use: a member of the task card, or the campaign id. `name` is the field's name in rules. */
export interface FilterField {
  readonly name: string
  readonly label: string
  readonly type: FilterType
  /** Whether the field can be empty; only then may rules use the operators `null` and `notNull`. */
  readonly nullable: boolean
  /** Allowed values of an enumeration that a deployment may override. */
  readonly vocabulary?: VocabularyName
  /** Allowed values of an enumeration that the contract fixes, in declared order. */
  readonly values?: readonly string[]
}

/**
 * The limits of a filter, in the order of the members: bytes of its JSON in UTF-8, depth of nested groups (the outermost group has
 * depth 1), rules in all groups together, values in the list of one rule, and characters in one text.
 */
export const filterLimits = { bytes: 16_384, depth: 5, rules: 50, list_values: 500, text: 500 } as const

const equality = ['=', '!=', 'in', 'notIn', 'null', 'notNull'] as const
const ordering = ['=', '!=', '<', '>', '<=', '>=', 'between', 'notBetween', 'in', 'notIn', 'null', 'notNull'] as const
const substring = [
  'contains',
  'beginsWith',
  'endsWith',
  'doesNotContain',
  'doesNotBeginWith',
  'doesNotEndWith',
] as const

/**
 * The operators that make sense for each field type. Text has no operators such as `<`, because the order of texts depends on the
 * database's collation. Enumerations have no such operators either, because their order is only used for sorting.
 */
export const operatorsByType: Record<FilterType, readonly FilterOperator[]> = {
  text: [...substring, ...equality],
  enum: equality,
  integer: ordering,
  number: ordering,
  boolean: ['=', '!='],
  datetime: ordering,
  id: equality,
  enum_list: ['contains', 'doesNotContain', 'in', 'notIn', 'null', 'notNull'],
}

const field = (name: string, label: string, type: FilterType): FilterField => ({ name, label, type, nullable: false })
const optional = (name: string, label: string, type: FilterType): FilterField => ({ name, label, type, nullable: true })
const optionalEnum = (name: string, label: string, vocabulary: VocabularyName): FilterField => ({
  ...optional(name, label, 'enum'),
  vocabulary,
})

/** Every field that a rule may use, in the order in which a filter editor lists the fields. */
export const filterFields: readonly FilterField[] = [
  field('name', 'Name', 'text'),
  optional('generated_name', 'Generated name', 'text'),
  optional('number', 'Number', 'integer'),
  { ...field('status', 'Status', 'enum'), values: taskStatuses },
  { ...field('test_status', 'Test status', 'enum'), values: testStatuses },
  optional('priority', 'Priority', 'integer'),
  optional('assignee_id', 'Assignee', 'id'),
  optional('task_owner_id', 'Task owner', 'id'),
  optional('product_id', 'Product', 'id'),
  optional('deadline_at', 'Deadline', 'datetime'),
  optionalEnum('task_type', 'Task type', 'TaskType'),
  optionalEnum('work_stream', 'Work stream', 'WorkStream'),
  optionalEnum('media_type', 'Media type', 'MediaType'),
  optionalEnum('source', 'Source', 'Source'),
  optionalEnum('resolution', 'Resolution', 'Resolution'),
  optionalEnum('geo', 'Geo', 'Geo'),
  optionalEnum('language', 'Language', 'Language'),
  optional('count', 'Count', 'integer'),
  optional('creation_complexity', 'Creation complexity', 'integer'),
  optional('execution_complexity', 'Execution complexity', 'integer'),
  optional('creation_points', 'Creation points', 'number'),
  optional('execution_points', 'Execution points', 'number'),
  optional('subject', 'Subject', 'text'),
  optional('topic', 'Topic', 'text'),
  optional('audience', 'Audience', 'text'),
  optionalEnum('primary_anchor', 'Primary anchor', 'PrimaryAnchor'),
  optionalEnum('awareness_stage', 'Awareness stage', 'AwarenessStage'),
  optionalEnum('messaging_angle', 'Messaging angle', 'MessagingAngle'),
  optionalEnum('hook_trigger', 'Hook trigger', 'HookTrigger'),
  optionalEnum('hook_type', 'Hook type', 'HookType'),
  optionalEnum('ad_format', 'Ad format', 'AdFormat'),
  optionalEnum('traffic_flow', 'Traffic flow', 'TrafficFlow'),
  { ...optional('varied_elements', 'Varied elements', 'enum_list'), vocabulary: 'VariedElement' },
  field('manual_launch', 'Manual launch', 'boolean'),
  optional('launched_at', 'Launched', 'datetime'),
  // Cards do not show campaign ids, but media buyers filter by them. The type is text, because the ids are too long for a number.
  optional('ad_id', 'Campaign id', 'text'),
  field('creatives_total', 'Creatives', 'integer'),
  field('creatives_done', 'Creatives done', 'integer'),
  field('comment_count', 'Comments', 'integer'),
  optional('started_at', 'Started', 'datetime'),
  optional('submitted_at', 'Submitted', 'datetime'),
  optional('completed_at', 'Completed', 'datetime'),
  field('created_at', 'Created', 'datetime'),
  field('updated_at', 'Updated', 'datetime'),
  optional('deleted_at', 'Deleted', 'datetime'),
]

/** The operators that a rule on this field may use: those of the field's type, without the null tests if it is never empty. */
export function operatorsOf(field: FilterField): readonly FilterOperator[] {
  const operators = operatorsByType[field.type]
  return field.nullable ? operators : operators.filter((operator) => operator !== 'null' && operator !== 'notNull')
}

/** Members that react-querybuilder adds to rules and groups. Only `muted` has an effect: it disables the rule or group. */
interface Noise {
  id?: string
  path?: number[]
  disabled?: boolean
  muted?: boolean
}

/** One condition as react-querybuilder writes it. A list in `value` is an array or a string with commas between the values. */
export interface Rule extends Noise {
  field: string
  operator: FilterOperator
  value?: unknown
  valueSource?: 'value'
  meta?: Record<string, unknown>
}

/** The rule group that the `query` parameter carries as JSON. */
export interface RuleGroup extends Noise {
  combinator: 'and' | 'or'
  rules: (Rule | RuleGroup)[]
  not?: boolean
}
