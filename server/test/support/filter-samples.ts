// In charge of samples for the filter's tests: rows, rule groups in the notations that a query builder may use, and two independent
// implementations of what the rules mean.
import {
  type FilterField,
  type FilterOperator,
  filterFields,
  operatorsOf,
  type Rule,
  type RuleGroup,
} from '@atelier/contract/filter-fields.ts'
import { foldText } from '@atelier/contract/fold.ts'
import { defaultVocabulary, valuesOf } from '@atelier/contract/vocabulary.ts'
import fc from 'fast-check'

export const vocabularies = valuesOf(defaultVocabulary)

type Cell = string | number | boolean | string[] | null
export type Row = { id: number } & Record<string, Cell>

/** Values that both cells and rules draw from: only a few, so that rules often match rows. */
const texts = ['a', 'A', 'ab', 'Ba', '50%', '5_%', '50', '\\', 'a\\%b', 'ä', 'Ä', 'a,b', "o'k", '']
export const stamps = [
  '2026-01-01T00:00:00.000Z',
  '2026-01-01T00:00:00.001Z',
  '2025-12-31T22:00:00.000Z',
  '1999-05-05T05:05:05.555Z',
]
const ids = ['019aa0e5-0000-7000-8000-000000000001', '019aa0e5-0000-7000-8000-000000000002']
const members = ({ vocabulary, values }: FilterField) =>
  (vocabulary ? vocabularies[vocabulary] : (values ?? [])).slice(0, 3)

function valueFor(field: FilterField): fc.Arbitrary<string | number | boolean> {
  switch (field.type) {
    case 'text':
      return fc.constantFrom(...texts)
    case 'enum':
    case 'enum_list':
      return fc.constantFrom(...members(field))
    case 'integer':
      return fc.integer({ min: -2, max: 5 })
    case 'number':
      return fc.constantFrom(-1.5, 0, 0.1, 2, 2.5)
    case 'boolean':
      return fc.boolean()
    case 'datetime':
      return fc.constantFrom(...stamps)
    case 'id':
      return fc.constantFrom(...ids)
  }
}

function cellOf(field: FilterField): fc.Arbitrary<Cell> {
  if (field.type === 'enum_list') return fc.subarray([...members(field)])
  // The fields of type `number` hold points, which are whole numbers, but rules may compare them with fractions.
  if (field.type === 'number') return fc.option(fc.constantFrom(-1, 0, 2, 3), { freq: 2 })
  return field.nullable ? fc.option(valueFor(field), { freq: 2 }) : valueFor(field)
}

export const rows: Row[] = fc
  .sample(fc.record(Object.fromEntries(filterFields.map((field) => [field.name, cellOf(field)]))), {
    numRuns: 80,
    seed: 7,
  })
  .map((cells, index) => ({ ...cells, id: index + 1, search_text: searchText(cells) }))

/** The search text as tasks store it: the two names, case-folded, one per line. */
function searchText({ name, generated_name }: Record<string, Cell>): string {
  return `${foldText(String(name))}\n${foldText(String(generated_name ?? ''))}`
}

const columns = filterFields.map(({ name }) => `"${name}"`)

/** Creates the table `samples` with the columns of `tasks` that filters and searches read, but without constraints. */
export const sampleTable = `create table samples as select 0 as id, search_text, ${columns} from tasks with no data`

type Value = string | number | boolean

/** What a rule means, with its values in the form in which rows store them. */
export type Meant = { field: FilterField; operator: FilterOperator; values: Value[] }
type Leaf = { rule: Rule; meant: Meant }
type Branch = { rule: RuleGroup; combinator: 'and' | 'or'; not: boolean; members: Sample[] }
/** A filter as it is written (`rule`), and what it means. */
export type Sample = Leaf | Branch

const isRange = (operator: FilterOperator) => operator === 'between' || operator === 'notBetween'
const isList = (operator: FilterOperator) => operator === 'in' || operator === 'notIn'
const isNullTest = (operator: FilterOperator) => operator === 'null' || operator === 'notNull'

/** A random condition on this field with this operator. */
export function meantBy(field: FilterField, operator: FilterOperator): fc.Arbitrary<Meant> {
  const least = isNullTest(operator) || isList(operator) ? 0 : isRange(operator) ? 2 : 1
  const most = isList(operator) ? 3 : least
  const values = fc.array(valueFor(field), { minLength: least, maxLength: most })
  return values.map((some) => ({ field, operator, values: some }))
}

/** The rule in its simplest notation: lists as arrays, and values as rows store them. */
export function plainly(meant: Meant): Leaf {
  const { field, operator, values } = meant
  const value = isList(operator) ? values : isRange(operator) ? values.toSorted(ascending) : (values[0] ?? null)
  return { meant, rule: { field: field.name, operator, value } }
}

/** The rule in a random one of the notations that a query builder may use. */
export function variously(meant: Meant): fc.Arbitrary<Leaf> {
  const { field, operator, values } = meant
  return fc.tuple(...values.map((value) => spelled(field, value))).chain((spellings) => {
    const forms: unknown[] = isRange(operator) || isList(operator) ? [spellings] : [spellings[0]]
    // In a comma-separated list, blank values would be lost, and a comma after a backslash would not separate.
    const joinable = spellings.every((value) => !/^\s*$|\\$/.test(String(value)))
    if (joinable && !isNullTest(operator)) {
      if (isRange(operator) || isList(operator)) forms.push(spellings.map(escaped).join(', '))
    }
    return fc.constantFrom(...forms).map((value) => ({ meant, rule: { field: field.name, operator, value } }))
  })
}

const escaped = (value: unknown) => String(value).replaceAll(',', '\\,')
const ascending = (a: Value, b: Value) => (a < b ? -1 : 1)

/** A random one of the notations that a query builder may use for a value. */
function spelled(field: FilterField, value: Value): fc.Arbitrary<unknown> {
  if (field.type === 'datetime') {
    const shifted = new Date(Date.parse(String(value)) + 7_200_000).toISOString().replace('Z', '+02:00')
    const date = String(value).endsWith('T00:00:00.000Z') ? [String(value).slice(0, 10)] : []
    return fc.constantFrom(value, shifted, ...date)
  }
  if (field.type === 'id') return fc.constantFrom(value, String(value).toUpperCase())
  return fc.constantFrom(value, String(value))
}

/** Any rule that the field catalogue allows. */
export const anyRule = fc
  .constantFrom(...filterFields)
  .chain((field) => fc.constantFrom(...operatorsOf(field)).chain((operator) => meantBy(field, operator)))
  .chain(variously)

/** Groups of at least `least` members each, nested at most `depth` deep. */
export function groupsOf(leaf: fc.Arbitrary<Leaf>, depth: number, least = 0): fc.Arbitrary<Sample> {
  const member: fc.Arbitrary<Sample> =
    depth > 1 ? fc.oneof({ weight: 3, arbitrary: leaf }, groupsOf(leaf, depth - 1, least)) : leaf
  const combinator = fc.constantFrom('and' as const, 'or' as const)
  return fc
    .record({ members: fc.array(member, { minLength: least, maxLength: 4 }), combinator, not: fc.boolean() })
    .map(({ members, ...own }) => ({ ...own, members, rule: { ...own, rules: members.map(({ rule }) => rule) } }))
}

/** Whether a row matches a filter, implemented independently of the product's compiler of filters to SQL. */
export function matches(sample: Sample, row: Row): boolean {
  if ('meant' in sample) return holds(sample.meant, row[sample.meant.field.name] ?? null)
  const answers = sample.members.map((member) => matches(member, row))
  const any = sample.combinator === 'or' && answers.length > 0
  return (any ? answers.includes(true) : !answers.includes(false)) !== sample.not
}

function holds({ operator, values }: Meant, cell: Cell): boolean {
  const [value = '', other = ''] = values
  if (Array.isArray(cell)) return holdsOfSet(operator, values, cell)
  const text = String(cell).toLowerCase()
  const part = String(value).toLowerCase()
  const inside = cell !== null && ((cell >= value && cell <= other) || (cell >= other && cell <= value))
  const table: Record<FilterOperator, boolean> = {
    '=': cell === value,
    '!=': cell !== value,
    '<': cell !== null && cell < value,
    '>': cell !== null && cell > value,
    '<=': cell !== null && cell <= value,
    '>=': cell !== null && cell >= value,
    contains: cell !== null && text.includes(part),
    beginsWith: cell !== null && text.startsWith(part),
    endsWith: cell !== null && text.endsWith(part),
    doesNotContain: cell === null || !text.includes(part),
    doesNotBeginWith: cell === null || !text.startsWith(part),
    doesNotEndWith: cell === null || !text.endsWith(part),
    null: cell === null,
    notNull: cell !== null,
    in: values.some((one) => one === cell),
    notIn: !values.some((one) => one === cell),
    between: inside,
    notBetween: !inside,
  }
  return table[operator]
}

function holdsOfSet(operator: FilterOperator, values: Value[], set: string[]): boolean {
  const any = values.some((value) => set.includes(String(value)))
  if (operator === 'null' || operator === 'notNull') return (set.length === 0) === (operator === 'null')
  return operator === 'contains' || operator === 'in' ? any : !any
}

/** Evaluates JSON Logic, restricted to the operators that react-querybuilder writes. */
export function logic(expression: unknown, row: Row): unknown {
  if (Array.isArray(expression)) return expression.map((element) => logic(element, row))
  if (typeof expression !== 'object' || expression === null) return expression
  const [[name, operand] = ['', null]] = Object.entries(expression)
  if (name === 'var') return row[String(operand)]
  if (name === '!') return !logic(operand, row)
  const operands: unknown[] = Array.isArray(operand) ? operand.map((element) => logic(element, row)) : []
  const [a, b, c] = operands
  const upTo = (low: unknown, high: unknown) =>
    typeof low === 'string' ? low <= String(high) : Number(low) <= Number(high)
  const table: Record<string, () => unknown> = {
    and: () => operands.every(Boolean),
    or: () => operands.some(Boolean),
    '==': () => a === b,
    '!=': () => a !== b,
    '<': () => !upTo(b, a),
    '>': () => !upTo(a, b),
    '<=': () => upTo(a, b) && (c === undefined || upTo(b, c)),
    '>=': () => upTo(b, a),
    in: () => (typeof b === 'string' ? b.includes(String(a)) : Array.isArray(b) && b.includes(a)),
    startsWith: () => typeof a === 'string' && a.startsWith(String(b)),
    endsWith: () => typeof a === 'string' && a.endsWith(String(b)),
  }
  const apply = table[name]
  if (!apply) throw new Error(`no operator ${name} in ${JSON.stringify(expression)}`)
  return apply()
}
