// In charge of evaluating conditions on values for `flow.if` and `table.filter`.
import Type from 'typebox'
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
 * Whether the value meets the condition. Text that looks like a number is compared as a number. `against`: the value to compare
 * with.
 */
export function judge(condition: Condition, value: unknown, against: unknown, ignoreCase: boolean): boolean {
  const text = (of: unknown): string => {
    const plain = typeof of === 'string' ? of : (JSON.stringify(of) ?? '')
    return ignoreCase ? plain.toLocaleLowerCase('en') : plain
  }
  const same = (one: unknown, other: unknown): boolean => {
    const [a, b] = [asNumber(one), asNumber(other)]
    return (a !== null && a === b && isExact(one) && isExact(other)) || text(one) === text(other)
  }
  const contains = (): boolean =>
    Array.isArray(value) ? value.some((element) => same(element, against)) : text(value).includes(text(against))
  switch (condition) {
    case 'equals':
      return same(value, against)
    case 'not_equals':
      return !same(value, against)
    case 'contains':
      return contains()
    case 'not_contains':
      return !contains()
    case 'empty':
      return isEmpty(value)
    case 'not_empty':
      return !isEmpty(value)
    case 'greater':
      return compare(value, against) > 0
    case 'at_least':
      return compare(value, against) >= 0
    case 'less':
      return compare(value, against) < 0
    case 'at_most':
      return compare(value, against) <= 0
  }
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
  return digits.replace(/[^\d]/g, '').replace(/^0+|0+$/g, '').length <= 15
}

function compare(value: unknown, against: unknown): number {
  const [a, b] = [asNumber(value), asNumber(against)]
  if (a === null || b === null) {
    const wrong = a === null ? value : against
    throw new NodeFailure(`“${typeof wrong === 'string' ? wrong : JSON.stringify(wrong)}” is not a number to compare.`)
  }
  return a - b
}
