// In charge of the messages that say why a definition cannot run. Responses about graphs and runs contain them; a graph with
// such problems can still be saved.
import { definitionLimits, filesIn } from '@atelier/contract/graph/definition.ts'
import { definitionIssues, type NodeTypes, readDefinition } from '@atelier/contract/graph/graph-rules.ts'
import { dayOf, modelEnds } from '@atelier/contract/graph/model-rules.ts'
import { Invalid, type ValidationError } from '@atelier/contract/wire/errors.ts'
import type { Db } from '../../platform/db.ts'
import { jsonSize } from './json-size.ts'

/** The maximum number of sentences in one response. */
const mostSentences = 100

export type DefinitionNotes = { message: string | null; errors: string[] | null }

/** A definition and its signature. The findings about it are cached in memory by the signature. */
export type Signed = { definition: unknown; signature: string }

/** `ends`: sentences about models that are withdrawn soon; null if there are none. */
type Findings = { issues: readonly ValidationError[]; ends: string | null }

/**
 * `described`: the descriptions of the node types from which the findings were computed. `bytes`: the size of each of the findings,
 * and of all together.
 */
type Remembered = {
  described: readonly unknown[]
  bySignature: Map<string, { found: Findings; bytes: number }>
  bytes: number
}

const remembered = new WeakMap<NodeTypes, Remembered>()
const most = { remembered: 200, bytes: 32 * 1024 * 1024 } as const

/**
 * The findings that were computed from the present descriptions of these node types. The registry replaces the descriptions in
 * its map when a provider's key is set or removed, since that changes which types can run. Earlier findings then no longer hold.
 */
function rememberedFor(types: NodeTypes): Remembered {
  const described = [...types.values()]
  const known = remembered.get(types)
  const isSame =
    known?.described.length === described.length && described.every((one, index) => one === known.described[index])
  if (known && isSame) return known
  const fresh: Remembered = { described, bySignature: new Map(), bytes: 0 }
  remembered.set(types, fresh)
  return fresh
}

/** Adds findings, and drops the oldest until the others have room. The newest are kept whatever their size: they are read again soon. */
function remember(cache: Remembered, key: string, found: Findings): void {
  const bytes = jsonSize(found)
  for (const [oldest, dropped] of cache.bySignature) {
    if (cache.bySignature.size < most.remembered && cache.bytes + bytes <= most.bytes) break
    cache.bySignature.delete(oldest)
    cache.bytes -= dropped.bytes
  }
  cache.bySignature.set(key, { found, bytes })
  cache.bytes += bytes
}

/** The result of `definitionIssues` for this definition; computed once and cached, as in `findingsOf`. */
export const issuesOf = (signed: Signed, types: NodeTypes): readonly ValidationError[] =>
  findingsOf(signed, types).issues

/**
 * The findings about a definition today. They are cached, because every response about a graph or a run includes them, and
 * computing them for a large graph takes tens of milliseconds.
 */
function findingsOf({ definition, signature }: Signed, types: NodeTypes): Findings {
  const cache = rememberedFor(types)
  const today = dayOf(new Date())
  const key = `${today} ${signature}`
  const known = cache.bySignature.get(key)
  if (known) return known.found
  const ends = modelEnds(readDefinition(definition), types, today).filter(({ end }) => end === 'soon')
  const found = {
    issues: definitionIssues(definition, types, today),
    ends: ends.length === 0 ? null : [...new Set(ends.map(({ words }) => words))].join(' '),
  }
  remember(cache, key, found)
  return found
}

/** Refuses a definition or a layout that is too large, whatever it contains. */
export function refuseTooLarge(given: { definition?: unknown; ui_state?: unknown }): void {
  const limit = definitionLimits.documentBytes
  const errors = (['definition', 'ui_state'] as const).flatMap((name): ValidationError[] => {
    const actual = given[name] === undefined ? 0 : Buffer.byteLength(JSON.stringify(given[name]))
    if (actual <= limit) return []
    const what = name === 'definition' ? 'A definition' : 'A layout'
    const msg = `${what} has at most ${limit} bytes as JSON, this one has ${actual}.`
    return [{ type: 'too_large', loc: ['body', name], msg, ctx: { limit, actual } }]
  })
  if (errors.length > 0) throw new Invalid(errors)
}

/**
 * What a response says about a definition. `message`: that it cannot run, or which of its models are withdrawn soon; null if
 * neither applies. `errors`: one sentence for each reason why it cannot run, at most `mostSentences`; null if there is none.
 */
export async function describeIssues(db: Db, signed: Signed, types: NodeTypes): Promise<DefinitionNotes> {
  const { definition } = signed
  const issues = issuesOf(signed, types).filter(({ type }) => type !== 'node_type_unavailable')
  const sentences = [
    ...issues.map(({ loc, msg }) => `${loc.slice(1).join('.') || 'definition'}: ${msg}`),
    ...(await missingFileSentences(db, definition)),
  ]
  if (sentences.length === 0) return { message: findingsOf(signed, types).ends, errors: null }
  const what = sentences.length === 1 ? 'One thing keeps' : `${sentences.length} things keep`
  const more = sentences.length - mostSentences
  return {
    message: `${what} this definition from running; see \`errors\`.`,
    errors: [...sentences.slice(0, mostSentences), ...(more > 0 ? [`… and ${more} more.`] : [])],
  }
}

/** Digest of a file → where in the definition a node names the file. */
function filePlaces(definition: unknown): Map<string, string> {
  const places = new Map<string, string>()
  for (const [id, { params, inputs }] of Object.entries(readDefinition(definition).nodes)) {
    for (const { digest } of filesIn(params)) places.set(digest, `nodes.${id}.params`)
    for (const { digest } of filesIn(inputs)) places.set(digest, `nodes.${id}.inputs`)
  }
  return places
}

/** The digests of the files that a definition's params and inputs name. */
export const filesOf = (definition: unknown): string[] => [...filePlaces(definition).keys()]

async function missingFileSentences(db: Db, definition: unknown): Promise<string[]> {
  const places = filePlaces(definition)
  if (places.size === 0) return []
  const known = await db
    .selectFrom('files')
    .select('digest')
    .where('digest', 'in', [...places.keys()])
    .execute()
  for (const { digest } of known) places.delete(digest)
  return [...places].map(([digest, place]) => `${place}: There is no file with the digest ${digest}; upload it again.`)
}
