// In charge of the creative lookup. The response has one row for each requested name or ad_id, in the order of the request, and is
// built from texts that the database stores.
import type { CreativeLookup } from '@atelier/contract/launches.ts'
import { Invalid } from '@atelier/contract/wire/errors.ts'
import { errorAt, valueError } from '@atelier/contract/wire/validation-errors.ts'
import type { Database } from '../../../platform/db.ts'
import type { Directory, Named } from '../../../platform/directory.ts'
import { echo } from '../../../platform/error-list.ts'
import { type Piece, readFound } from './found.ts'
import { hasManyHandles, largeBytes, type TurnsOfLookups, untilMade } from './large-lookups.ts'
import { between, type Ending, mostBytes, mostCreatives, mostMegabytes, usualBytes } from './lookup-store.ts'

type Row = { query: string; handle: 'name' | 'ad_id'; pieces: readonly Piece[] }

type Parts = Iterable<string>

/** Returns the response as parts of JSON text, not as one text, since a request may name the same large pack many times. */
export const lookUp = async (database: Database, directory: Directory, lookup: CreativeLookup): Promise<Parts> =>
  (await lookUpWithin(usualBytes, database, directory, lookup)) ?? lookUpAll(database, directory, lookup)

/** As `lookUp`. A lookup that turns out to be large waits for its turn, and so does one of many handles before it begins. */
export async function lookUpInTurn(
  turns: TurnsOfLookups,
  database: Database,
  directory: Directory,
  lookup: CreativeLookup,
): Promise<Parts> {
  const usual = hasManyHandles(lookup) ? null : await lookUpWithin(usualBytes, database, directory, lookup)
  const large = () => lookUpWithin(largeBytes, database, directory, lookup)
  return (
    usual ??
    (await untilMade(turns.large, large)) ??
    untilMade(turns.largest, () => lookUpAll(database, directory, lookup))
  )
}

async function lookUpAll(database: Database, directory: Directory, lookup: CreativeLookup): Promise<Parts> {
  const parts = await lookUpWithin(mostBytes, database, directory, lookup)
  if (parts === null) throw tooMany(lookup)
  return parts
}

/** Returns null if the texts of what was asked for have more than `bytes`. */
async function lookUpWithin(
  bytes: number,
  database: Database,
  directory: Directory,
  lookup: CreativeLookup,
): Promise<Parts | null> {
  const { names = [], ad_ids: adIds = [] } = lookup
  const asked = [...new Set(adIds)]
  const found = await readFound(database, [...new Set(names)], asked, bytes)
  if (found === null) return null
  const resolved = new Map(asked.map((adId) => [adId, found.adId(adId)]))
  const total = [...resolved.values()].reduce((sum, { count }) => sum + count, 0)
  if (total > mostCreatives) throw tooMany(lookup)
  const named = await directory.named(found.version, found.people)
  return partsOf(endings(named), [
    ...names.map((query): Row => ({ query, handle: 'name', pieces: found.name(query) })),
    ...adIds.map((query): Row => ({ query, handle: 'ad_id', pieces: resolved.get(query)?.pieces ?? [] })),
  ])
}

/**
 * Returns the function that builds the ending of a CreativeRef: its last members and the closing brace. Unknown people become null.
 */
const endings =
  ({ people }: Named) =>
  ({ variedElements, ownerId, assigneeId }: Ending): string => {
    const owner = people.get(ownerId ?? '')?.ref ?? 'null'
    const assignee = people.get(assigneeId ?? '')?.ref ?? 'null'
    return `,"varied_elements":${variedElements},"task_owner":${owner},"assignee":${assignee}}`
  }

/** Every part of the response but the last has at least this many characters, so that it is worth sending on its own. */
const partLength = 65_536

/** Builds the response, a JSON array of rows, part by part. */
function* partsOf(endingOf: (ending: Ending) => string, rows: readonly Row[]): Generator<string> {
  let part = '['
  for (const [place, { query, handle, pieces }] of rows.entries()) {
    part += `${place === 0 ? '' : ','}{"query":${JSON.stringify(query)},"handle":"${handle}","creatives":[`
    let separator = ''
    for (const piece of pieces) {
      const ending = endingOf(piece)
      part += separator
      separator = ','
      for (const texts of cut(piece.texts)) {
        part += texts.replaceAll(between, () => `${ending},`)
        if (part.length < partLength) continue
        yield part
        part = ''
      }
      part += ending
    }
    part += ']}'
  }
  yield `${part}]`
}

/** Splits the joined texts of a pack into parts of about `partLength` characters. Each part except the last ends with `between`. */
function* cut(texts: string): Generator<string> {
  let from = 0
  for (;;) {
    const to = texts.length - from > partLength ? texts.indexOf(between, from + partLength) : -1
    if (to === -1) break
    yield texts.slice(from, to + 1)
    from = to + 1
  }
  yield from === 0 ? texts : texts.slice(from)
}

function tooMany({ names = [], ad_ids: adIds = [] }: CreativeLookup): Invalid {
  const why = `these resolve to more than ${mostCreatives} creatives, or to more than ${mostMegabytes} MB of their texts`
  const advice =
    names.length + adIds.length === 1
      ? 'read its creatives page by page, as those of its task'
      : 'ask for fewer at a time'
  const lists = Object.entries({ names, ad_ids: adIds }).filter(([, asked]) => asked.length > 0)
  return new Invalid(
    lists.map(([list, asked]) => errorAt(['body', list], valueError(`${why}; ${advice}`), echo(asked))),
  )
}
