// In charge of the model that property tests compare feeds with: random tasks, and the expected results of search, filter and
// sort, computed in plain JavaScript.
import { type TaskStatus, taskStatuses } from '@atelier/contract/enums.ts'
import { filterFields, operatorsOf } from '@atelier/contract/filter-fields.ts'
import { foldText } from '@atelier/contract/fold.ts'
import type { Sort } from '@atelier/contract/sort-fields.ts'
import type { VocabularyName } from '@atelier/contract/vocabulary.ts'
import fc from 'fast-check'
import type { Database } from '../../src/platform/db.ts'
import { groupsOf, matches, meantBy, type Row, type Sample, stamps, variously, vocabularies } from './filter-samples.ts'
import { ordered, type Sortable, type View } from './paging.ts'

const fewOf = (name: VocabularyName): string[] => vocabularies[name].slice(0, 3)
const people = ['019aa0e5-0000-7000-8000-000000000001', '019aa0e5-0000-7000-8000-000000000002']
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { freq: 2 })

const words = [
  ...[
    'glow',
    'Glow',
    'Äther',
    'äther',
    'STRASSE',
    'Straße',
    'Σοφός',
    'ΣΟΦΌΣ',
    'İstanbul',
    'ırmak',
    'a_b',
    'a%b',
    'a\\b',
  ],
  ...['50%', '5', '5_', '日本', '🎬', 'e\u0301', 'É', "o'k", '"q"', 'ﬁ', '١٢'],
]
const line = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 3 }).map((parts) => parts.join(' '))
/** Texts for members: those that rules of `filter-samples` compare with, so that rules often match. */
const texts = ['a', 'A', 'ab', 'Ba', '50%', '5_%', '50', '\\', 'a\\%b', 'ä', 'Ä', 'a,b', "o'k"]

/** A task in the model: the columns that rules, searches and sorts read. */
export type ModelTask = {
  id: string
  number: number
  name: string
  generated_name: string | null
  status: TaskStatus
  test_status: string
  priority: number | null
  assignee_id: string | null
  count: number | null
  geo: string | null
  language: string | null
  subject: string | null
  audience: string | null
  varied_elements: string[]
  manual_launch: boolean
  deadline_at: string | null
  created_at: string
  deleted: boolean
}

const task = fc.record({
  id: fc.uuid(),
  name: line,
  generated_name: fc.option(line, { freq: 4 }),
  status: fc.constantFrom(...taskStatuses),
  test_status: fc.constantFrom('not_tested', 'in_test', 'tested'),
  priority: maybe(fc.integer({ min: 1, max: 5 })),
  assignee_id: maybe(fc.constantFrom(...people)),
  count: maybe(fc.integer({ min: 0, max: 5 })),
  geo: maybe(fc.constantFrom(...fewOf('Geo'))),
  language: maybe(fc.constantFrom(...fewOf('Language'))),
  subject: maybe(fc.constantFrom(...texts)),
  audience: maybe(fc.constantFrom(...texts)),
  varied_elements: fc.subarray(fewOf('VariedElement')),
  manual_launch: fc.boolean(),
  deadline_at: maybe(fc.constantFrom(...stamps)),
  created_at: fc.constantFrom(...stamps),
  deleted: fc.integer({ min: 0, max: 9 }).map((drawn) => drawn === 0),
})

/** Draws `numRuns` tasks, the same at each call. About a tenth of the tasks are deleted. */
export const drawTasks = (numRuns: number): ModelTask[] =>
  fc.sample(task, { numRuns, seed: 11 }).map((drawn, index) => ({ ...drawn, number: index + 1 }))

/** Writes the model's tasks into an empty database, with the columns that the service would write, and the people they refer to. */
export async function insertTasks(database: Database, tasks: readonly ModelTask[]): Promise<void> {
  const rows = tasks.map(({ deleted, ...columns }) => ({
    ...columns,
    search_text: `${foldText(columns.name)}\n${foldText(columns.generated_name ?? '')}`,
    deleted_at: deleted ? new Date(Date.now() - columns.number * 60_000).toISOString() : null,
    delete_id: deleted ? people[0] : null,
  }))
  const names = Object.keys(rows[0] ?? {}).join(', ')
  await database.read(
    {
      name: null,
      text: `insert into users (id, name, role) select id, 'Person', 'writer' from unnest($1::uuid[]) as id`,
    },
    [people],
  )
  await database.read(
    { name: null, text: `insert into tasks (${names}) select ${names} from jsonb_populate_recordset(null::tasks, $1)` },
    [JSON.stringify(rows)],
  )
  await database.read({ name: null, text: `select setval('task_number', $1::bigint)` }, [tasks.length])
}

const ruleFields = filterFields.filter(({ name }) => Object.hasOwn(drawTasks(1)[0] ?? {}, name))

/** A random rule group, at most two levels deep, over the fields that tasks of the model have. */
export const anyFilter: fc.Arbitrary<Sample> = groupsOf(
  fc
    .constantFrom(...ruleFields)
    .chain((field) => fc.constantFrom(...operatorsOf(field)).chain((operator) => meantBy(field, operator)))
    .chain(variously),
  2,
)

/** Search terms that many, few or no tasks match: parts of task names, as written or in capitals, odd terms, and task numbers. */
export const anyTerm = (tasks: readonly ModelTask[]): fc.Arbitrary<string> => {
  const written = tasks.flatMap(({ name, generated_name }) => [name, generated_name ?? name])
  const part = fc.record({
    text: fc.constantFrom(...written),
    from: fc.nat(12),
    length: fc.integer({ min: 1, max: 9 }),
  })
  return fc.oneof(
    { weight: 6, arbitrary: part.map(({ text, from, length }) => slice(text, from, length)) },
    { weight: 2, arbitrary: part.map(({ text, from, length }) => slice(text, from, length).toUpperCase()) },
    { weight: 1, arbitrary: fc.constantFrom('zz', '%', '_', '\\', '٣', 'a b', ' ', 'o STR', '12a') },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: tasks.length + 5 }).map(String) },
  )
}

const slice = (text: string, from: number, length: number): string => {
  const characters = [...text]
  return characters.slice(from % characters.length, (from % characters.length) + length).join('')
}

/** The ids that a feed should return, in their order, computed by checking every task of the model. */
export function expectedIds(
  tasks: readonly ModelTask[],
  sortables: readonly Sortable[],
  { view, sort, search, filter }: { view: View; sort: Sort; search: string | null; filter: Sample | null },
): string[] {
  const chosen = new Set(
    tasks.filter((one) => isFound(one, search) && (filter === null || matches(filter, rowOf(one)))).map(({ id }) => id),
  )
  return ordered(sortables, view, sort).filter((id) => chosen.has(id))
}

function isFound({ number, name, generated_name }: ModelTask, search: string | null): boolean {
  if (search === null || search === '') return true
  if (/^[0-9]+$/.test(search)) return BigInt(search) === BigInt(number)
  return [name, generated_name ?? ''].some((text) => foldText(text).includes(foldText(search)))
}

function rowOf(task: ModelTask): Row {
  const columns: Partial<ModelTask> = { ...task }
  delete columns.deleted
  return { ...columns, id: 0 } as Row // a Row maps field names to cells
}
