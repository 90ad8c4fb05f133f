// In charge of the creative lookup: a row for each handle in the order asked, each creative's text built once.

import { invalidAt } from '@atelier/contract/errors.ts'
import { initials } from '@atelier/contract/fold.ts'
import type { CreativeLookup } from '@atelier/contract/launches.ts'
import { valueError } from '@atelier/contract/validation-errors.ts'
import type { Database } from '../../platform/db.ts'
import { echo } from '../../platform/error-list.ts'
import {
  type Found,
  mostCreatives,
  type Pack,
  readCreatives,
  readLaunched,
  readNames,
  readPacks,
} from './lookup-store.ts'

/**
 * The answer as parts of JSON text: a batch may name the same large pack many times over.
 *
 * What is done here for each creative is what a large batch costs this process besides reading and sending. Of 7,600
 * creatives (1,000 handles; the least of 25 runs, load average 8 to 13) it took 13 to 15 ms of processor time as an object,
 * a part and an entry by name for each; now, as rows and parts of a piece's size, 11. Numbering the rows in SQL instead of
 * finding them by id saved less here than it cost there (158 ms became 173).
 */
export async function lookUp(
  database: Database,
  { names = [], ad_ids: adIds = [] }: CreativeLookup,
): Promise<Iterable<string>> {
  const launched = await readLaunched(database, [...new Set(adIds)])
  const ids = [...launched.values()].flat()
  if (ids.length > mostCreatives) throw tooMany(adIds)
  const found = await readCreatives(database, [...new Set(names)], [...new Set(ids)])
  const texts = await completeTexts(database, found)

  // Most of a large batch were found by their packs' ad_ids, not by name.
  const byName = new Map<string, string[]>(names.map((name) => [name, []]))
  for (const [id, name] of found) byName.get(name)?.push(id)
  return partsOf(texts, [
    ...names.map((query): Row => ({ query, handle: 'name', ids: byName.get(query) ?? [] })),
    ...adIds.map((query): Row => ({ query, handle: 'ad_id', ids: launched.get(query) ?? [] })),
  ])
}

type Row = { query: string; handle: 'name' | 'ad_id'; ids: readonly string[] }

/** Characters that a part has at least: as many as are sent at once, so that nothing is put together twice. */
const partLength = 65_536

/** A bare array of rows. A creative that was deleted between two reads is left out. */
function* partsOf(texts: ReadonlyMap<string, string>, rows: Row[]): Generator<string> {
  let part = '['
  for (const [place, { query, handle, ids }] of rows.entries()) {
    part += `${place === 0 ? '' : ','}{"query":${JSON.stringify(query)},"handle":"${handle}","creatives":[`
    let separator = ''
    for (const id of ids) {
      const text = texts.get(id)
      if (text === undefined) continue
      part += separator + text
      separator = ','
      if (part.length < partLength) continue
      yield part
      part = ''
    }
    part += ']}'
  }
  yield `${part}]`
}

/** Each creative's CreativeRef, with what pack and directory add; by id. */
async function completeTexts(database: Database, found: Found[]): Promise<Map<string, string>> {
  const packs = await readPacks(database, packsOf(found))
  const people = new Set([...packs.values()].flatMap(({ assigneeId, ownerId }) => [assigneeId, ownerId]))
  for (const [, , , assigneeId, ownerId] of found) {
    if (assigneeId !== null) people.add(assigneeId)
    if (ownerId !== null) people.add(ownerId)
  }
  const names = await readNames(
    database,
    [...people].filter((id) => id !== null),
  )
  const persons = new Map([...names].map(([id, name]) => [id, JSON.stringify({ name, initials: initials(name) })]))

  /** The members that close a CreativeRef; its own people go before its pack's. An unknown person is null. */
  const closing = (own: People, pack: Pack): string => {
    const owner = persons.get(own.ownerId ?? pack.ownerId ?? '') ?? 'null'
    const assignee = persons.get(own.assigneeId ?? pack.assigneeId ?? '') ?? 'null'
    return `,"varied_elements":${pack.variedElements},"task_owner":${owner},"assignee":${assignee}}`
  }
  const texts = new Map<string, string>()
  let taskId = ''
  let pack = bare
  let usual = closing(nobody, bare)
  for (const [id, , of, assigneeId, ownerId, text] of found) {
    // Most creatives are read one after another of their pack, and name no people: what closes those is the same.
    if (of !== taskId) {
      taskId = of
      pack = packs.get(of) ?? bare
      usual = closing(nobody, pack)
    }
    const end = assigneeId === null && ownerId === null ? usual : closing({ assigneeId, ownerId }, pack)
    texts.set(id, text.slice(0, -1) + end)
  }
  return texts
}

/** The packs of creatives, each once; runs of the same are passed over unread. */
function packsOf(found: Found[]): string[] {
  const ids = new Set<string>()
  let last = ''
  for (const [, , taskId] of found) {
    if (taskId !== last) ids.add(taskId)
    last = taskId
  }
  return [...ids]
}

type People = { assigneeId: string | null; ownerId: string | null }
const nobody: People = { assigneeId: null, ownerId: null }
const bare: Pack = { ...nobody, variedElements: '[]' }

const tooMany = (adIds: readonly string[]) =>
  invalidAt(
    ['body', 'ad_ids'],
    valueError(`these campaign ids resolve to more than ${mostCreatives} creatives; ask for fewer at a time`),
    echo(adIds),
  )
