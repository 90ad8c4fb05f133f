// In charge of the template that builds generated names, planned names and the names of creatives; and of the names of
// forks.
import type { Task, TaskVariant } from './tasks.ts'

type VariantMember = 'ad_format' | 'messaging_angle' | 'hook_type' | 'awareness_stage'
type TaskMember =
  | VariantMember
  | 'number'
  | 'name'
  | 'count'
  | 'source'
  | 'media_type'
  | 'language'
  | 'geo'
  | 'resolution'
  | 'subject'
  | 'topic'
  | 'task_type'

/** The members of a variant that names use; where one is null or absent, the task's applies. */
type NameVariant = Pick<TaskVariant, 'variation_num'> & Partial<Pick<TaskVariant, VariantMember>>

/** The members of a task that names use; `product` is the name of its product. */
export type NameInput = Pick<Task, TaskMember> & { product: string | null; variants: readonly NameVariant[] }

/** A name planned for a task: the `index`-th creative of its variant, or of the task if it has no variants. */
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
 * Tokens that make names unique: never shortened, and each alone in its segment, so that its value cannot merge with
 * another.
 */
const countTokens = ['number', 'variant', 'index'] as const

/** Everything a template may name in braces. */
export const nameTokens = [...countTokens, ...freeTokens, ...termTokens] as const
type NameToken = (typeof nameTokens)[number]

type Part = { literal: string } | { token: NameToken }

/** A parsed template; created only by `parseNameTemplate`, which guarantees its properties. */
export type NameTemplate = { readonly segments: readonly (readonly Part[])[] }

/**
 * The default template. Number first, so that the names of one task are adjacent in any list; variant and index last, so
 * that every name of a task begins with the task's generated name and "contains" filters of ad managers find them all.
 */
export const defaultNameTemplate =
  'T{number}_{product}_{media_type}_{ad_format}_{language}_{geo}_{resolution}_{subject}_V{variant}_{index}'

const limits = { name: 255, value: 40, literals: 120 } as const

/** The template of a text, or everything that is wrong with the text. */
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

/** The name of the task itself: the template without variant and index. */
export function generatedName(template: NameTemplate, task: NameInput): string {
  return namerOf(template, task, null)(null)
}

/** The name of the `index`-th creative (from 1) of a variant, or of the task where `variationNum` is null. */
export function creativeName(
  template: NameTemplate,
  task: NameInput,
  variationNum: number | null,
  index: number,
): string {
  return namerOf(template, task, variationNum)(index)
}

/** The names a task plans: `count` for each variant in order, or `count` without variants. All are different. */
export function plannedNames(template: NameTemplate, task: NameInput): PlannedName[] {
  const variations = task.variants.length > 0 ? task.variants.map((variant) => variant.variation_num) : [null]
  const count = task.count ?? (task.variants.length > 0 ? 1 : 0)
  const planned = new Map<string, PlannedName>()
  for (const variation_num of variations) {
    const nameAt = namerOf(template, task, variation_num)
    for (let made = 0, from = 1; made < count; made++) {
      // A value that looks like a variant ("V3") can give two variants the same name: the later one then uses the next
      // free index.
      const next = firstFree(nameAt, from, (name) => planned.has(name))
      planned.set(next.name, { ...next, variation_num })
      from = next.index + 1
    }
  }
  return [...planned.values()]
}

/** The name with the lowest index that is not taken. */
export function nextCreativeName(
  template: NameTemplate,
  task: NameInput,
  variationNum: number | null,
  taken: (name: string) => boolean,
): string {
  return firstFree(namerOf(template, task, variationNum), 1, taken).name
}

/**
 * A text as one segment of a name, at most 40 characters: letters and digits of any script with their marks, everything
 * between them as one hyphen. Never contains the separator; empty if nothing is left.
 */
export function slug(text: string): string {
  // Invisible characters are removed first: names that look alike would otherwise differ.
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

/** Returns a variant's name with an index; null: without an index. */
type Namer = (index: number | null) => string

function namerOf(template: NameTemplate, task: NameInput, variationNum: number | null): Namer {
  const values = fittingValues(template, valuesOf(task, variationNum))
  return (index) => {
    // Two digits at least, so that lists sorted as text keep the order.
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

// Room is reserved for the longest number, variant and index, so that every name of a task is shortened in the same way.
const digits = String(Number.MAX_SAFE_INTEGER).length
const shortestFreeText = 8

/** The values, shortened until every name made of them fits: the longest free texts first, then the longest of all. */
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

/** The start of a slug, at most `max` code points, between graphemes where one fits. Empty only if the slug is. */
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

// Token names contain the separator too, so a segment ends only where no closing brace is next.
const separatorOutsideBraces = /_(?![^{}]*\})/

/** A part whose token has not been checked yet. */
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

/** A graph's name followed by a word for the copy, within the maximum length; cut between characters. */
export function forkName(name: string, word: 'copy' | '(mine)'): string {
  const kept = [...name].slice(0, longestName - word.length - 1).join('')
  return `${kept.trimEnd()} ${word}`
}
