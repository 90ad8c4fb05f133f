// In charge of building names: the names of tasks, the planned names and the names of creatives, all from one template; and the
// names of copies of graphs.
import type { Task, TaskVariant } from './tasks.ts'

type VariantMember = 'ad_format' | 'messaging_angle' | 'hook_type' | 'awareness_stage'

/** The members of a task, besides its product, from which its names and the number of its planned names follow. */
export const nameMembers = [
  'number',
  'name',
  'count',
  'source',
  'media_type',
  'language',
  'geo',
  'resolution',
  'subject',
  'topic',
  'task_type',
  'ad_format',
  'messaging_angle',
  'hook_type',
  'awareness_stage',
  'variants',
] as const satisfies readonly (keyof Task)[]
type TaskMember = Exclude<(typeof nameMembers)[number], 'variants'>

/** The members of a variant that appear in names; if one is null or missing, the task's value is used. */
type NameVariant = Pick<TaskVariant, 'variation_num'> & Partial<Pick<TaskVariant, VariantMember>>

/** The members of a task that appear in names; `product` is the name of the task's product. */
export type NameInput = Pick<Task, TaskMember> & { product: string | null; variants: readonly NameVariant[] }

/** A name planned for a task: for the `index`-th creative of the variant, or of the task itself if `variation_num` is null. */
export type PlannedName = { name: string; variation_num: number | null; index: number }

const freeTokens = ['product', 'subject', 'topic', 'name'] as const
const termTokens = [
  'source',
  'media_type',
  'ad_format',
  'language',
  'geo',
  'resolution',
  'angle',
  'hook',
  'stage',
  'task_type',
] as const
/**
 * Tokens that make names unique. Their values are never shortened, and each token has a segment of its own, so that its value
 * cannot run together with another value.
 */
const countTokens = ['number', 'variant', 'index'] as const

/** Every token that a template may contain in braces. */
export const nameTokens = [...countTokens, ...freeTokens, ...termTokens] as const
type NameToken = (typeof nameTokens)[number]

type Part = { literal: string } | { token: NameToken }

/** A parsed template. Only `parseNameTemplate` creates one; every template has therefore been checked. */
export type NameTemplate = { readonly segments: readonly (readonly Part[])[] }

/**
 * The default template. The number comes first, so that lists show the names of one task together. Variant and index come last,
 * so that all names of a task begin with the task's own name, and an ad manager's "contains" filter can find them.
 */
export const defaultNameTemplate =
  'T{number}_{product}_{media_type}_{ad_format}_{language}_{geo}_{resolution}_{subject}_V{variant}_{index}'

const limits = { name: 255, value: 40, literals: 120 } as const

/** Parses a template from a text; returns the template or all errors of the text. */
export function parseNameTemplate(text: string): { template: NameTemplate } | { errors: string[] } {
  const segments = text.normalize('NFC').split(separatorOutsideBraces).map(partsOf)
  const parts = segments.flat()
  const tokens = parts.flatMap((part) => ('token' in part ? [part.token] : []))
  const errors = [...problemsOfTokens(tokens), ...problemsOfLiterals(parts), ...segments.flatMap(problemsOfSegment)]
  const fixed = literalLength(parts) + segments.length - 1
  if (fixed > limits.literals) {
    errors.push(`the text around the tokens is ${fixed} characters long; shorten it to at most ${limits.literals}`)
  }
  if (errors.length > 0) return { errors: [...new Set(errors)] }
  return { template: { segments: segments.map((segment) => segment.filter(isPart)) } }
}

/** Returns the name of the task itself, which leaves out variant and index. */
export function generatedName(template: NameTemplate, task: NameInput): string {
  return namerOf(template, task, null)(null)
}

/** The name of the `index`-th creative (counted from 1) of a variant, or of the task itself if `variationNum` is null. */
export function creativeName(
  template: NameTemplate,
  task: NameInput,
  variationNum: number | null,
  index: number,
): string {
  return namerOf(template, task, variationNum)(index)
}

/**
 * The names of all creatives that a task plans, all different: `count` names per variant, or `count` names if the task has no
 * variants. If `count` is null, there is one name per variant, and no name if the task has no variants.
 */
export function plannedNames(template: NameTemplate, task: NameInput): PlannedName[] {
  const variations = task.variants.length > 0 ? task.variants.map((variant) => variant.variation_num) : [null]
  const count = task.count ?? (task.variants.length > 0 ? 1 : 0)
  const planned = new Map<string, PlannedName>()
  for (const variation_num of variations) {
    const nameAt = namerOf(template, task, variation_num)
    for (let made = 0, from = 1; made < count; made++) {
      // Two variants can get the same name if a value looks like a variant ("V3"). The later variant then skips the indexes whose
      // names are taken.
      const next = firstFree(nameAt, from, (name) => planned.has(name))
      planned.set(next.name, { ...next, variation_num })
      from = next.index + 1
    }
  }
  return [...planned.values()]
}

/** Returns the first name, in the order of the index, for which `taken` returns false. */
export function nextCreativeName(
  template: NameTemplate,
  task: NameInput,
  variationNum: number | null,
  taken: (name: string) => boolean,
): string {
  return creativeNames(template, task, variationNum, taken)()
}

/**
 * Returns a function whose first call returns what `nextCreativeName` returns, and each later call the next name for which `taken`
 * returns false. It goes on after the last name: many calls together look at each index only once.
 */
export function creativeNames(
  template: NameTemplate,
  task: NameInput,
  variationNum: number | null,
  taken: (name: string) => boolean,
): () => string {
  const nameAt = namerOf(template, task, variationNum)
  let from = 1
  return () => {
    const { name, index } = firstFree(nameAt, from, taken)
    from = index + 1
    return name
  }
}

/**
 * Turns a text into one segment of a name, with at most 40 characters. Letters and digits of any script are kept with their
 * marks; everything between them becomes one hyphen. The result never contains the separator, and it may be empty.
 */
export function slug(text: string): string {
  // Invisible characters are removed first, because otherwise two different names could look the same.
  const visible = text.replace(/\p{Default_Ignorable_Code_Point}+/gu, '')
  const words = visible.normalize('NFC').match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu) ?? []
  return cut(words.join('-'), limits.value)
}

const indexLimit = 1_000_000

function firstFree(nameAt: Namer, from: number, taken: (name: string) => boolean): { name: string; index: number } {
  for (let index = from; index <= indexLimit; index++) {
    const name = nameAt(index)
    if (!taken(name)) return { name, index }
  }
  throw new Error(`Every name up to index ${indexLimit} is taken; pass a "taken" that answers false for a free name.`)
}

/** Returns the name for an index, or the name without an index if `index` is null. */
type Namer = (index: number | null) => string

function namerOf(template: NameTemplate, task: NameInput, variationNum: number | null): Namer {
  const values = fittingValues(template, valuesOf(task, variationNum))
  return (index) => {
    // The index has at least two digits, so that lists sorted as text keep the order of the numbers.
    const all: Values = { ...values, index: index === null ? '' : String(index).padStart(2, '0') }
    const segments = template.segments.filter((parts) => !isDropped(parts, all))
    const texts = segments.map((parts) =>
      parts.map((part) => ('token' in part ? all[part.token] : part.literal)).join(''),
    )
    return texts.join('_').normalize('NFC')
  }
}

function isDropped(parts: readonly Part[], values: Values): boolean {
  const tokens = parts.filter((part) => 'token' in part)
  return tokens.length > 0 && tokens.every((part) => values[part.token] === '')
}

type Values = Record<NameToken, string>

function valuesOf(task: NameInput, variationNum: number | null): Values {
  const variant = task.variants.find((candidate) => candidate.variation_num === variationNum)
  const slugOf = (text: string | null | undefined) => slug(text ?? '')
  return {
    number: task.number === null ? '' : String(task.number),
    variant: variationNum === null ? '' : String(variationNum),
    index: '',
    product: slugOf(task.product),
    subject: slugOf(task.subject),
    topic: slugOf(task.topic),
    name: slugOf(task.name),
    source: slugOf(task.source),
    media_type: slugOf(task.media_type),
    ad_format: slugOf(variant?.ad_format ?? task.ad_format),
    language: slugOf(task.language),
    geo: slugOf(task.geo),
    resolution: slugOf(task.resolution),
    angle: slugOf(variant?.messaging_angle ?? task.messaging_angle),
    hook: slugOf(variant?.hook_type ?? task.hook_type),
    stage: slugOf(variant?.awareness_stage ?? task.awareness_stage),
    task_type: slugOf(task.task_type),
  }
}

// Number, variant and index are each assumed to have the most digits possible, so that all names of a task are shortened alike.
const digits = String(Number.MAX_SAFE_INTEGER).length
const shortestFreeText = 8

/** Shortens values until all names of the task fit: first the longest free texts, down to 8 characters, then the longest values. */
function fittingValues(template: NameTemplate, values: Values): Values {
  const parts = template.segments.flat()
  const used = new Set(parts.flatMap((part) => ('token' in part ? [part.token] : [])))
  const fixed = literalLength(parts) + template.segments.length - 1
  const room = limits.name - fixed - digits * countTokens.length
  let fitting = values
  for (let cap: number = limits.value; cap > shortestFreeText && !fits(fitting, used, room); cap--) {
    fitting = capped(values, freeTokens, cap - 1)
  }
  for (let cap: number = limits.value; cap > 1 && !fits(fitting, used, room); cap--) {
    fitting = capped(capped(values, freeTokens, Math.min(cap - 1, shortestFreeText)), termTokens, cap - 1)
  }
  return fitting
}

function fits(values: Values, used: ReadonlySet<NameToken>, room: number): boolean {
  const lengths = [...freeTokens, ...termTokens].map((token) => (used.has(token) ? lengthOf(values[token]) : 0))
  return lengths.reduce((sum, length) => sum + length, 0) <= room
}

function capped(values: Values, tokens: readonly NameToken[], cap: number): Values {
  const shorter = { ...values }
  for (const token of tokens) shorter[token] = cut(values[token], cap)
  return shorter
}

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })

/** Cuts a slug to at most `max` code points, between graphemes if possible. The result is empty only if the slug is empty. */
function cut(text: string, max: number): string {
  if (text.length <= max || lengthOf(text) <= max) return text
  let end = 0
  let length = 0
  for (const { segment, index } of graphemes.segment(text)) {
    length += lengthOf(segment)
    if (length > max) break
    end = index + segment.length
  }
  const start = end > 0 ? text.slice(0, end) : [...text].slice(0, max).join('')
  return start.replace(/-+$/, '')
}

function lengthOf(text: string): number {
  return [...text].length
}

function literalLength(parts: readonly RawPart[]): number {
  return parts.reduce((sum, part) => sum + ('literal' in part ? lengthOf(part.literal) : 0), 0)
}

// Token names contain the separator too, so a separator counts only if it is not inside braces.
const separatorOutsideBraces = /_(?![^{}]*\})/

/** A part of a template whose token has not been checked yet. */
type RawPart = { literal: string } | { token: string }

function partsOf(segment: string): RawPart[] {
  const pieces = segment.split(/(\{[^{}]*\})/).filter((piece) => piece !== '')
  return pieces.map((piece) => (/^\{[^{}]*\}$/.test(piece) ? { token: piece.slice(1, -1) } : { literal: piece }))
}

function isNameToken(token: string): token is NameToken {
  const known: readonly string[] = nameTokens
  return known.includes(token)
}

function isPart(part: RawPart): part is Part {
  return 'literal' in part || isNameToken(part.token)
}

function problemsOfTokens(tokens: readonly string[]): string[] {
  const unknown = tokens.filter((token) => !isNameToken(token))
  const repeated = tokens.filter((token, at) => isNameToken(token) && tokens.indexOf(token) !== at)
  const missing = countTokens.filter((token) => !tokens.includes(token))
  return [
    ...unknown.map((token) => `{${token}} is not a token; use one of ${nameTokens.join(', ')}`),
    ...repeated.map((token) => `{${token}} stands more than once; keep one`),
    ...missing.map((token) => `{${token}} is missing; without it the names of ${whyNeeded[token]} would be the same`),
  ]
}

const whyNeeded = {
  number: 'two tasks',
  variant: 'two variants',
  index: 'two creatives of a variant',
} as const satisfies Record<(typeof countTokens)[number], string>

function problemsOfLiterals(parts: readonly RawPart[]): string[] {
  return parts.flatMap((part) => {
    if ('token' in part || /^[\p{L}\p{M}\p{N}.+=-]+$/u.test(part.literal)) return []
    if (/[{}]/.test(part.literal))
      return [`${JSON.stringify(part.literal)} has a brace without its partner; write tokens as {token}`]
    return [`${JSON.stringify(part.literal)} is not allowed outside tokens; use letters, digits and - . + =`]
  })
}

function problemsOfSegment(parts: readonly RawPart[]): string[] {
  if (parts.length === 0) return ['there is an empty segment; write one "_" between segments and none at either end']
  const tokens = parts.flatMap((part) => ('token' in part ? [part.token] : []))
  const crowded = tokens.length > 1 ? countTokens.filter((token) => tokens.includes(token)) : []
  const touching = parts.some((part, at) => 'token' in part && 'token' in (parts[at + 1] ?? {}))
  return [
    ...crowded.map((token) => `{${token}} shares a segment with another token; put "_" between them`),
    ...(touching && crowded.length === 0
      ? [`${tokens.map((token) => `{${token}}`).join('')} touch; put "_" between them`]
      : []),
  ]
}

const longestName = 255

/** The name for a copy of a graph: the graph's name, shortened if necessary, and a word that marks the copy. */
export function forkName(name: string, word: 'copy' | '(mine)'): string {
  const kept = [...name].slice(0, longestName - word.length - 1).join('')
  return `${kept.trimEnd()} ${word}`
}
