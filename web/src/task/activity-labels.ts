// In charge of the labels of what the history of a task shows: of the members that changed, and of their values. Pure.
import { fullWords } from '../lib/dates.ts'
import { personName } from '../lib/people.ts'
import type { Person, Product, TaskSchema } from '../lib/types.ts'
import { isBlank, type Labels, plainValue } from './activity-words.ts'
import { fieldGroups } from './field-list.ts'

/** Labels of members that are no members of a task. */
const otherLabels: Readonly<Record<string, string>> = {
  needs: 'To accept',
  moves_to: 'When all is accepted, move to',
}

const otherValues: Readonly<Record<string, readonly { value: string; label: string }[]>> = {
  needs: [
    { value: 'one', label: 'One of them' },
    { value: 'all', label: 'All of them' },
  ],
}

const emptyWords: Readonly<Record<string, string>> = { reviewers: 'anybody', moves_to: 'it stays' }

/** What the ids and digests name that members hold. People cannot read such a value, so it is told by this word. */
const nouns: Readonly<Record<string, string>> = {
  assignee_id: 'person',
  task_owner_id: 'person',
  reviewers: 'person',
  product_id: 'product',
  origin_creative_id: 'creative',
  file: 'file',
}

type Known = {
  schema: Pick<TaskSchema, 'filter_fields' | 'vocabularies'>
  people: ReadonlyMap<string, Pick<Person, 'name'>>
  products: ReadonlyMap<string, Pick<Product, 'name'>>
}

/** Finds the labels of members and of their values in the task schema, and the names of users and products by their ids. */
export function labelsOf({ schema, people, products }: Known): Labels {
  const fieldOf = (name: string) => schema.filter_fields.find((field) => field.name === name)
  const choicesOf = (name: string) => {
    const field = fieldOf(name === 'moves_to' ? 'status' : name)
    return otherValues[name] ?? field?.values ?? (field?.vocabulary ? schema.vocabularies[field.vocabulary] : undefined)
  }
  const value = (name: string, given: unknown): string => {
    if (isBlank(given)) return emptyWords[name] ?? plainValue(given)
    if (Array.isArray(given) && name === 'source_creative_ids') return countOf(given.length, 'creative')
    if (Array.isArray(given)) return given.map((entry: unknown) => value(name, entry)).join(', ')
    if (typeof given !== 'string') return plainValue(given)
    const label = choicesOf(name)?.find((choice) => choice.value === given)?.label
    if (label) return label
    const named = people.get(given) ?? products.get(given)
    if (named) return personName(named)
    if (nouns[name]) return `a ${nouns[name]}`
    return name.endsWith('_at') ? fullWords(given) : plainValue(given)
  }
  return { member: (name) => fieldOf(name)?.label ?? otherLabels[name] ?? labelOnPage(name) ?? labelFrom(name), value }
}

const countOf = (count: number, noun: string): string => (count === 1 ? `a ${noun}` : `${count} ${noun}s`)

const labelOnPage = (name: string): string | undefined =>
  fieldGroups.flatMap(({ fields }) => fields).find((field) => field.name === name)?.label

/** Makes a label from the name of a member that has none: `test_status` becomes “Test status”. */
function labelFrom(name: string): string {
  const words = name.replaceAll('_', ' ').replace(/ id$/, '')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
