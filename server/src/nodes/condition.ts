// In charge of evaluating conditions on values for `flow.if` and `table.filter`.
import Type from 'typebox'
import { hasPart } from './find-words.ts'
import { NodeFailure } from './node-type.ts'

export const conditions = [
  'equals',
  'not_equals',
  'contains',
  'not_contains',
  'empty',
  'not_empty',
  'greater',
  'at_least',
  'less',
  'at_most',
] as const
export type Condition = (typeof conditions)[number]

/** Two params of a node with a condition: the kind of condition and, in `compareParam`, the value to compare with. */
export const conditionParam = Type.Unsafe<Condition>({
  type: 'string',
  enum: [...conditions],
  title: 'Condition',
  description: 'What must hold. A list contains an element; a text contains a part of it.',
  default: 'not_empty',
})
export const compareParam = Type.Unsafe<string | number | boolean>({
  type: ['string', 'number', 'boolean'],
  title: 'Compared with',
  description: 'Not used for empty and not_empty.',
  default: '',
  examples: ['de', 20],
})

/**
 * Returns a function that says whether a value meets the condition. Text that looks like a number is compared as a number.
 * `against`: the value to compare with; it is prepared once, because it may be long and there may be many values.
 */
export function judgeOf(condition: Condition, against: unknown, ignoreCase: boolean): (value: unknown) => boolean {
  const text = (of: unknown): string => {
    const plain = typeof of === 'string' ? of : (JSON.stringify(of) ?? '')
    return ignoreCase ? plain.toLocaleLowerCase('en') : plain
  }
  const other = { text: text(against), number: asNumber(against) }
  const same = (one: unknown): boolean => {
    const number = asNumber(one)
    return (number !== null && number === other.number && isExact(against) && isExact(one)) || text(one) === other.text
  }
  const contains = (value: unknown): boolean =>
    Array.isArray(value) ? value.some(same) : hasPart(text(value), other.text)
  const difference = (value: unknown): number => {
    const number = asNumber(value)
    if (number === null || other.number === null) throw noNumber(number === null ? value : against)
    return number - other.number
  }
  const judges: Record<Condition, (value: unknown) => boolean> = {
    equals: same,
    not_equals: (value) => !same(value),
    contains,
    not_contains: (value) => !contains(value),
    empty: isEmpty,
    not_empty: (value) => !isEmpty(value),
    greater: (value) => difference(value) > 0,
    at_least: (value) => difference(value) >= 0,
    less: (value) => difference(value) < 0,
    at_most: (value) => difference(value) <= 0,
  }
  return judges[condition]
}

function isEmpty(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() === ''
  if (Array.isArray(value)) return value.length === 0
  return value === null || (typeof value === 'object' && Object.keys(value).length === 0)
}

function asNumber(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}

/**
 * Whether a number stays what it is when it becomes one of JavaScript, which keep 15 digits of any number. Two ids of 18 digits can
 * become the same.
 */
function isExact(value: unknown): boolean {
  const [digits = ''] = String(value).toLowerCase().split('e')
  const plain = digits.replaceAll(/\D/g, '')
  let [start, end] = [0, plain.length]
  while (plain[start] === '0') start += 1
  // A regular expression for the zeros at the end would take quadratic time.
  while (end > start && plain[end - 1] === '0') end -= 1
  return end - start <= 15
}

const noNumber = (value: unknown): NodeFailure =>
  new NodeFailure(`“${typeof value === 'string' ? value : JSON.stringify(value)}” is not a number to compare.`)
