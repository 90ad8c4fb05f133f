// In charge of finding the creatives for the names and ad_ids in a lookup. If all creatives of a pack have the same ending (owner,
// assignee and varied elements), they are read as one joined text; every other creative is read as a row with its own text.
import { turn } from '../../../engine/model/turns.ts'
import { type Database, inSnapshot } from '../../../platform/db.ts'
import {
  cutPack,
  type Ending,
  type Launched,
  type Pack,
  type Reads,
  readLaunched,
  readPacks,
  readSingles,
  readsBy,
  type Single,
} from './lookup-store.ts'

/** Creatives with the same ending (see `Ending`). `texts` is one text that contains the texts of all of these creatives. */
export type Piece = Ending & { texts: string }
type Resolved = { pieces: readonly Piece[]; count: number }

export type Found = {
  name(name: string): readonly Piece[]
  /** Returns the creatives that were launched under an ad_id, oldest first. */
  adId(adId: string): Resolved
  /**
   * `version`: the highest count of changes to people and products that any read saw. `people`: the ids of the people in endings.
   */
  version: number
  people: ReadonlySet<string>
}

/** The creatives and the tasks (packs) that were launched under one ad_id. */
type Handle = { creativeIds: string[]; taskIds: string[] }

const isPack = ({ creativeIds, taskIds }: Handle): boolean => creativeIds.length === 0 && taskIds.length === 1

function handlesOf(launched: readonly Launched[]): Map<string, Handle> {
  const handles = new Map<string, Handle>()
  for (const { adId, creativeId, taskId } of launched) {
    const handle = handles.get(adId) ?? { creativeIds: [], taskIds: [] }
    if (creativeId !== null) handle.creativeIds.push(creativeId)
    if (taskId !== null) handle.taskIds.push(taskId)
    handles.set(adId, handle)
  }
  return handles
}

const tasksOf = (handles: readonly Handle[]): string[] => [...new Set(handles.flatMap(({ taskIds }) => taskIds))]

/**
 * Returns null if the creatives are too many for one response, or their texts larger than `bytes`. Packs and other creatives are read
 * at the same time, each as they are at their own moment. If a creative has been read both ways and was changed, deleted or restored
 * between the two, all is read again in one snapshot. Reading it all in one snapshot at once took a third longer for batches of 1,000.
 */
export async function readFound(
  database: Database,
  names: readonly string[],
  adIds: readonly string[],
  bytes: number,
): Promise<Found | null> {
  const found = await readBy(database, { names, adIds, bytes }, 'many moments')
  if (found !== 'half there') return found
  const again = await inSnapshot(database.main, (db) => readBy(readsBy(db), { names, adIds, bytes }, 'one moment'))
  return again === 'half there' ? null : again
}

async function readBy(
  database: Reads,
  { names, adIds, bytes }: { names: readonly string[]; adIds: readonly string[]; bytes: number },
  of: 'one moment' | 'many moments',
): Promise<Found | null | 'half there'> {
  const handles = handlesOf(await readLaunched(database, adIds))
  const ofPacks = tasksOf([...handles.values()].filter(isPack))
  const others = [...handles.values()].filter((handle) => !isPack(handle))
  const ids = [...new Set(others.flatMap(({ creativeIds }) => creativeIds))]
  const [packs, singles] = await Promise.all([
    readPacks(database, ofPacks, bytes),
    readSingles(database, { names, ids, taskIds: tasksOf(others) }, bytes),
  ])
  if (packs === null || singles === null) return null
  const packOf = new Map(packs.map((pack) => [pack.taskId, pack]))
  const mixed = mixedOf(packs)
  const ofMixed = await readSingles(database, { names: [], ids: [], taskIds: [...mixed] }, bytes)
  if (ofMixed === null) return null
  const inPacks = [...packs.filter(({ taskId }) => !mixed.has(taskId)), ...ofMixed]
  if (of === 'many moments' && (await differs(ofPacks, inPacks, { names, ids, singles }))) return 'half there'

  const byName = new Map(singles.map((single) => [single.name, single]))
  const [some, whole] = [index(singles), index(ofMixed)]
  const adId = (asked: string): Resolved => {
    const handle = handles.get(asked)
    if (!handle) return nothing
    if (!isPack(handle)) return some(handle)
    const [taskId = ''] = handle.taskIds
    if (mixed.has(taskId)) return whole(handle)
    const pack = packOf.get(taskId)
    return pack ? { pieces: [pack], count: pack.count } : nothing
  }
  return { name: (name) => [byName.get(name) ?? []].flat(), adId, ...directoryOf([...packs, ...singles, ...ofMixed]) }
}

/** What was looked for without a pack: names and ids, and what was found. */
type Alone = { names: readonly string[]; ids: readonly string[]; singles: readonly Single[] }

/** How many creatives are cut out of packs in a row. */
const cutAtOnce = 1000

/**
 * Whether a creative that was read both in its pack and by itself was not the same both times. `inPacks`: the creatives of the
 * tasks `ofPacks`. If a name or an id was not found, it is looked for in all packs, which may be `mostCreatives`; other work runs in
 * between. To search the text of a pack for it first takes about as long as to cut it, and many times as long for many names.
 */
export async function differs(
  ofPacks: readonly string[],
  inPacks: readonly (Read & { taskId: string })[],
  { names, ids, singles }: Alone,
): Promise<boolean> {
  if (ofPacks.length === 0) return false
  const tasks = new Set(ofPacks)
  const expected = new Map(singles.filter(({ taskId }) => tasks.has(taskId)).map((single) => [single.id, single]))
  const found = new Set(singles.flatMap(({ id, name }) => [id, name]))
  const missed = new Set([
    ...ids.filter((id) => !found.has(id)),
    ...names.filter((name) => !found.has(name)).map(asJson),
  ])
  const touched = new Set([...expected.values()].map(({ taskId }) => taskId))
  let cut = 0
  for (const pack of inPacks) {
    if (missed.size === 0 && !touched.has(pack.taskId)) continue
    for (const { id, jsonName, texts } of cutPack(pack.texts)) {
      const single = expected.get(id)
      if (single ? !isSame(single, { ...pack, texts }) : missed.has(id) || missed.has(jsonName)) return true
      expected.delete(id)
      if (++cut % cutAtOnce === 0) await turn()
    }
  }
  return expected.size > 0
}

const asJson = (name: string): string => JSON.stringify(name)

type Read = Ending & { texts: string }
const isSame = (one: Read, other: Read): boolean =>
  one.texts === other.texts &&
  one.variedElements === other.variedElements &&
  one.ownerId === other.ownerId &&
  one.assigneeId === other.assigneeId

const nothing: Resolved = { pieces: [], count: 0 }

/**
 * Returns the tasks whose creatives have different endings. Such a task has an element in `packs` for each ending, and these do
 * not say in which order its creatives stand across the endings.
 */
function mixedOf(packs: readonly Pack[]): Set<string> {
  const seen = new Set<string>()
  const mixed = new Set<string>()
  for (const { taskId } of packs) {
    if (seen.has(taskId)) mixed.add(taskId)
    seen.add(taskId)
  }
  return mixed
}

/** Returns a function that selects the creatives of a handle from `singles`, in the order of `singles`. */
function index(singles: readonly Single[]): (handle: Handle) => Resolved {
  const byId = new Map(singles.map(({ id }, place) => [id, place]))
  const byTask = new Map<string, number[]>()
  for (const [place, { taskId }] of singles.entries()) {
    const places = byTask.get(taskId)
    if (places) places.push(place)
    else byTask.set(taskId, [place])
  }
  return ({ creativeIds, taskIds }) => {
    const places = new Set(creativeIds.flatMap((id) => byId.get(id) ?? []))
    for (const taskId of taskIds) for (const place of byTask.get(taskId) ?? []) places.add(place)
    const pieces = [...places].toSorted((one, other) => one - other).flatMap((place) => singles[place] ?? [])
    return { pieces, count: pieces.length }
  }
}

function directoryOf(read: readonly (Pack | Single)[]): Pick<Found, 'version' | 'people'> {
  const people = new Set<string>()
  let version = -1
  for (const { ownerId, assigneeId, version: one } of read) {
    if (ownerId !== null) people.add(ownerId)
    if (assigneeId !== null) people.add(assigneeId)
    if (one > version) version = one
  }
  return { version, people }
}
