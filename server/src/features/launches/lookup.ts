// In charge of the creative lookup: a row for each handle in the order asked, each creative's text built once.
import { Invalid } from '@atelier/contract/errors.ts'
import { initials } from '@atelier/contract/fold.ts'
import type { CreativeLookup } from '@atelier/contract/launches.ts'
import type { Database } from '../../platform/db.ts'
import { type Found, mostCreatives, readCreatives, readLaunched, readNames, readPacks } from './lookup-store.ts'

/** The answer as parts of JSON text: a batch may name the same large pack many times over. */
export async function lookUp(
  database: Database,
  { names = [], ad_ids: adIds = [] }: CreativeLookup,
): Promise<Iterable<string>> {
  const launched = await readLaunched(database, [...new Set(adIds)])
  const ids = [...launched.values()].flat()
  if (ids.length > mostCreatives) throw tooMany()
  const found = await readCreatives(database, [...new Set(names)], [...new Set(ids)])
  const texts = await completeTexts(database, found)

  const byName = new Map(found.map(({ id, name }) => [name, [id]]))
  return partsOf(texts, [
    ...names.map((query): Row => ({ query, handle: 'name', ids: byName.get(query) ?? [] })),
    ...adIds.map((query): Row => ({ query, handle: 'ad_id', ids: launched.get(query) ?? [] })),
  ])
}

type Row = { query: string; handle: 'name' | 'ad_id'; ids: readonly string[] }

/** A bare array of rows. A creative that was deleted between two reads is left out. */
function* partsOf(texts: ReadonlyMap<string, string>, rows: Row[]): Generator<string> {
  yield '['
  for (const [place, { query, handle, ids }] of rows.entries()) {
    yield `${place === 0 ? '' : ','}{"query":${JSON.stringify(query)},"handle":"${handle}","creatives":[`
    let separator = ''
    for (const id of ids) {
      const text = texts.get(id)
      if (text === undefined) continue
      yield separator + text
      separator = ','
    }
    yield ']}'
  }
  yield ']'
}

/** Each creative's CreativeRef, with what pack and directory add; by id. */
async function completeTexts(database: Database, found: Found[]): Promise<Map<string, string>> {
  const packs = await readPacks(database, [...new Set(found.map(({ taskId }) => taskId))])
  const people = [...found, ...packs.values()].flatMap(({ assigneeId, ownerId }) => [assigneeId, ownerId])
  const names = await readNames(database, [...new Set(people.filter((id) => id !== null))])
  const persons = new Map([...names].map(([id, name]) => [id, JSON.stringify({ name, initials: initials(name) })]))

  /** The members that close a CreativeRef; its own people go before its pack's. An unknown person is null. */
  const closing = (own: People, pack: People, variedElements: string): string => {
    const owner = persons.get(own.ownerId ?? pack.ownerId ?? '') ?? 'null'
    const assignee = persons.get(own.assigneeId ?? pack.assigneeId ?? '') ?? 'null'
    return `,"varied_elements":${variedElements},"task_owner":${owner},"assignee":${assignee}}`
  }
  // Most creatives name no people: what closes them is the same for all of their pack.
  const usual = new Map([...packs].map(([id, pack]) => [id, closing(nobody, pack, pack.variedElements)]))
  const closingOf = (creative: Found): string => {
    if (creative.assigneeId === null && creative.ownerId === null) return usual.get(creative.taskId) ?? bare
    const pack = packs.get(creative.taskId)
    return closing(creative, pack ?? nobody, pack?.variedElements ?? '[]')
  }
  const bare = closing(nobody, nobody, '[]')
  return new Map(found.map((creative) => [creative.id, creative.text.slice(0, -1) + closingOf(creative)]))
}

type People = { assigneeId: string | null; ownerId: string | null }
const nobody: People = { assigneeId: null, ownerId: null }

const tooMany = () =>
  new Invalid([
    {
      type: 'value_error',
      loc: ['body', 'ad_ids'],
      msg: `Value error, these campaign ids resolve to more than ${mostCreatives} creatives; ask for fewer at a time`,
      ctx: { error: {} },
    },
  ])
