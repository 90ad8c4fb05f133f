// In charge of ending a Liquid template at its limits in the middle of an expression or a filter as well. The library looks at the
// time only between the parts of a template, but one expression can have a thousand operators, and one filter can visit each of a
// million elements or search for a long text in another one.
import { Context, defaultOperators, type Liquid, toValue } from 'liquidjs'
import { cutAt, hasPart, splitAt } from './find-words.ts'

/** Throws if the time for the template is over. */
const checkTime = (context: Context): void => context.renderLimit.check(performance.now())

/** The variables of a template. Filters use these methods for each element that they visit. */
export class TimedContext extends Context {
  override spawn(scope?: object): Context {
    checkTime(this)
    return super.spawn(scope)
  }
  override push(scope: object): number {
    checkTime(this)
    return super.push(scope)
  }
  override readProperty(...args: Parameters<Context['readProperty']>): unknown {
    checkTime(this)
    return super.readProperty(...args)
  }
}

const ownOperator = (name: string, ...operands: unknown[]): unknown => {
  const operator = defaultOperators[name]
  return operator && Reflect.apply(operator, undefined, operands)
}

/** An operator as a generator, which is how the library waits for the results of others: it is given what it yields. */
type Operation = Generator<unknown, boolean, unknown>

function* isSame(one: unknown, other: unknown, context: Context): Operation {
  checkTime(context)
  if (!Array.isArray(one) || !Array.isArray(other)) return (yield ownOperator('==', one, other, context)) === true
  if (one.length !== other.length) return false
  for (const [index, element] of one.entries()) if (!(yield isSame(element, other[index], context))) return false
  return true
}

function* contains(whole: unknown, part: unknown, context: Context): Operation {
  const list: unknown = toValue(whole)
  if (!Array.isArray(list)) return typeof list === 'string' && hasPart(list, String(toValue(part)))
  for (const element of list) if (yield isSame(element, part, context)) return true
  return false
}

/** The operators of the library; each one looks at the time, those that compare lists do so for each element. */
export const timedOperators: typeof defaultOperators = {
  ...Object.fromEntries(
    Object.entries(defaultOperators).map(([name, operator]) => [
      name,
      (...args: [unknown, Context] | [unknown, unknown, Context]) => {
        const context = args.at(-1)
        if (context instanceof Context) checkTime(context)
        return Reflect.apply(operator, undefined, args)
      },
    ]),
  ),
  '==': isSame,
  *'!='(one, other, context) {
    return !(yield isSame(one, other, context))
  },
  contains,
}

/** A value as the library's filters for texts read it. */
function textOf(value: unknown): string {
  const plain: unknown = toValue(value)
  if (Array.isArray(plain)) return plain.map(textOf).join('')
  return plain === null || plain === undefined ? '' : String(plain)
}

/** What a filter makes of a text in which it finds a part, given what it puts in the part's place. `room`: takes room in memory. */
type TextFilter = (text: string, part: string, instead: string, room: (length: number) => void) => unknown

function replaceAll(text: string, part: string, instead: string, room: (length: number) => void): string {
  const pieces = splitAt(text, part)
  room(text.length + (pieces.length - 1) * (instead.length - part.length))
  return pieces.join(instead)
}

const replaceOne =
  (which: 'first' | 'last'): TextFilter =>
  (text, part, instead, room) => {
    room(text.length + part.length + instead.length)
    return cutAt(text, part, which)?.join(instead) ?? text
  }

/** The filters that search for a part of a text. Those of the library take quadratic time for some texts. */
const textFilters: Record<string, TextFilter> = {
  split: (text, part, _instead, room) => {
    room(text.length)
    const pieces = splitAt(text, part)
    // As in the library, empty texts at the end are left out.
    return pieces.slice(0, pieces.findLastIndex((piece) => piece !== '') + 1)
  },
  replace: replaceAll,
  replace_first: replaceOne('first'),
  replace_last: replaceOne('last'),
  remove: (text, part, _instead, room) => replaceAll(text, part, '', room),
  remove_first: (text, part, _instead, room) => replaceOne('first')(text, part, '', room),
  remove_last: (text, part, _instead, room) => replaceOne('last')(text, part, '', room),
}

/**
 * Filters that can put a list into another one. A list that contains the same list several times, which in turn contains another
 * one several times, takes little memory until it is written out.
 */
const nesting = new Set(['concat', 'push', 'unshift', 'group_by', 'group_by_exp'])

/** The library sorts a list in one go, so a list of a million texts would keep everybody waiting for seconds. */
const sorting = new Set(['sort', 'sort_natural'])
const longestSorted = 100_000

/** How many values a list has, with those in its elements, each as often as it occurs. `known`: the counts of lists seen before. */
function countOf(value: unknown, known: WeakMap<object, number>): number {
  if (typeof value !== 'object' || value === null) return 1
  const before = known.get(value)
  if (before !== undefined) return before
  let count = 1
  for (const element of Array.isArray(value) ? value : Object.values(value)) count += countOf(element, known)
  known.set(value, count)
  return count
}

/** Replaces the filters of a `Liquid` by ones that keep to the limits. To be called when all its filters are registered. */
export function limitFilters(liquid: Liquid): void {
  for (const [name, find] of Object.entries(textFilters)) {
    liquid.registerFilter(name, function (text: unknown, part: unknown, instead: unknown) {
      return find(textOf(text), textOf(part), textOf(instead), (length) => this.context.memoryLimit.use(length))
    })
  }
  const counts = new WeakMap<object, number>()
  for (const [name, filter] of Object.entries(liquid.filters)) {
    const { handler, raw } = typeof filter === 'function' ? { handler: filter, raw: false } : filter
    liquid.registerFilter(name, {
      raw,
      *handler(...args: unknown[]) {
        checkTime(this.context)
        const [first] = args
        if (sorting.has(name) && Array.isArray(first) && first.length > longestSorted)
          throw new Error(`${name} takes at most ${longestSorted} elements, and this list has ${first.length}`)
        const made: unknown = yield Reflect.apply(handler, this, args)
        if (nesting.has(name)) this.context.memoryLimit.check(countOf(made, counts))
        return made
      },
    })
  }
}
