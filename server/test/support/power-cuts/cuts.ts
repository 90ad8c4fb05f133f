// In charge of simulating power cuts of an embedded database at many moments, and of checking the database after each: it must
// open, contain all acknowledged transactions and no partial ones, and have indexes that match the tables.
import { cpSync, readFileSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { PGlite } from '@electric-sql/pglite'
import { amcheck } from '@electric-sql/pglite/contrib/amcheck'
import { syncedParams } from '../../../src/platform/synced-folder.ts'
import { randomNumbers } from '../random.ts'
import { type Choice, type Cut, choiceAt, choiceBy, countOf, cutAfter, diskAfter } from './after-cut.ts'
import { RecordedFolder, type Recording } from './recorded-folder.ts'

const schema = `
  create table notes (id int primary key, word text not null, body text not null);
  create index notes_word on notes (word, id);
  create table counts (id int primary key, notes int not null, checksum text not null);
  insert into counts values (1, 0, '');`

/** A recorded session of a database; `base` is a copy of the database's folder from before the recording. */
export type Session = { base: string; recording: Recording; close(): Promise<void> }

/**
 * Makes commits of many kinds, one after the other, in a database that already has tables, and records all operations on the
 * database's files. After each commit, the recording notes that it was acknowledged.
 */
export async function record(scratch: string, seed: number, commits = 120): Promise<Session> {
  const random = randomNumbers(seed)
  const [live, base] = [
    join(await mkdtemp(join(scratch, 'cut-')), 'live'),
    join(await mkdtemp(join(scratch, 'cut-')), 'base'),
  ]
  const first = await PGlite.create({ dataDir: live })
  await first.exec(schema)
  await first.close()
  cpSync(live, base, { recursive: true })
  const folder = new RecordedFolder(live)
  const pglite = await PGlite.create({ fs: folder, startParams: syncedParams })
  for (let commit = 1; commit <= commits; commit++) {
    await act(pglite, commit, random)
    folder.acknowledge(commit)
    if (random() < 0.04) await pglite.exec('checkpoint')
    if (random() < 0.02) await pglite.exec('vacuum notes')
  }
  const recording = { operations: [...folder.recording.operations], present: folder.recording.present }
  await pglite.close()
  return {
    base,
    recording,
    close: async () => {
      for (const one of [live, base]) await rm(dirname(one), { recursive: true, force: true })
    },
  }
}

/** The same session without its syncs, as if the disk ignored them. */
export const withoutSyncs = ({ base, recording, close }: Session): Session => {
  const operations = recording.operations.filter(({ kind }) => kind !== 'sync' && kind !== 'syncFolder')
  return { base, close, recording: { ...recording, operations } }
}

/** One transaction: adds notes (some longer than a page), changes or deletes a few, and stores the count and checksum of all. */
async function act(pglite: PGlite, commit: number, random: () => number): Promise<void> {
  const long = random() < 0.2 ? 20_000 : 200
  await pglite.transaction(async (tx) => {
    const rows = 1 + Math.floor(random() * 5)
    for (let row = 0; row < rows; row++) {
      const body = Array.from({ length: long / 10 }, () => random().toString(36).slice(2, 12)).join('')
      await tx.query('insert into notes values ($1, $2, $3)', [commit * 10 + row, `word ${commit % 7}`, body])
    }
    if (random() < 0.3) await tx.query(`update notes set word = word || '!' where id % 13 = $1`, [commit % 13])
    if (random() < 0.1) await tx.query('delete from notes where id % 31 = $1', [commit % 31])
    if (random() < 0.05)
      await tx.exec(`create table made_${commit} as select * from notes; create index on made_${commit} (word)`)
    await tx.query(`update counts set id = $1, notes = (select count(*) from notes), checksum = ${checksum}`, [commit])
  })
}

const checksum = `(select md5(string_agg(id || word || md5(body), ',' order by id)) from notes)`

/** A fault of one disk state. */
export type Fault = { length: number; choice: Choice; what: string }

/** Cuts the power after `length` operations; opens the database in up to `orders` possible disk states; returns the faults. */
export async function tryCut(
  { base, recording }: Session,
  scratch: string,
  { length, orders, random }: { length: number; orders: number; random: () => number },
): Promise<{ tried: number; faults: Fault[] }> {
  const cut = cutAfter(recording.operations, length)
  const acknowledged = lastAcknowledged(cut)
  const isSmall = cut.blocks.length <= 6
  const count = isSmall ? Math.min(countOf(cut), orders) : orders
  const faults: Fault[] = []
  for (let number = 0; number < count; number++) {
    const choice = isSmall ? choiceAt(cut, number) : choiceBy(cut, random)
    const what = await faultOf(await diskOf(cut, choice, { base, recording }, scratch), acknowledged)
    if (what !== null) faults.push({ length, choice, what })
  }
  return { tried: count, faults }
}

const lastAcknowledged = ({ operations }: Cut): number =>
  operations.reduce((last, one) => (one.kind === 'acknowledged' ? one.commit : last), 0)

/** Writes a database folder as the disk has it in the state `choice`, and returns its path. */
async function diskOf(
  cut: Cut,
  choice: Choice,
  { base, recording }: Pick<Session, 'base' | 'recording'>,
  scratch: string,
) {
  const disk = join(await mkdtemp(join(scratch, 'disk-')), 'pg')
  await cp(base, disk, { recursive: true })
  const { files, folders } = diskAfter(cut, choice, {
    present: recording.present,
    read: (path) => readFileSync(join(base, path)),
  })
  for (const folder of folders) await mkdir(join(disk, folder), { recursive: true })
  for (const [path, content] of files) {
    if (content === null) await rm(join(disk, path), { recursive: true, force: true })
    else await writeFile(join(disk, path), content)
  }
  return disk
}

/** The fault of the database in a folder, as text; null if there is none. Removes the folder. */
async function faultOf(folder: string, acknowledged: number): Promise<string | null> {
  // A damaged database may never answer.
  const silent = wait(60_000, 'does not answer within a minute', { ref: false })
  return Promise.race([judge(folder, acknowledged), silent])
}

async function judge(folder: string, acknowledged: number): Promise<string | null> {
  let pglite: PGlite | null = null
  try {
    pglite = await PGlite.create({ dataDir: folder, extensions: { amcheck } })
    const { rows } = await pglite.query<{ id: number; counted: boolean; summed: boolean; indexed: boolean }>(`
      select id, notes = (select count(*) from notes) as counted, checksum = coalesce(${checksum}, '') as summed,
        (select count(*) from notes) = (select count(*) from notes where word > '') as indexed from counts`)
    const [found] = rows
    if (!found || rows.length !== 1) return `counts has ${rows.length} rows`
    const last = found.id === 1 && acknowledged === 0 ? 0 : found.id
    if (last < acknowledged) return `${acknowledged} was acknowledged, and ${last} is the last there`
    if (!found.counted || !found.summed || !found.indexed) return `not a whole transaction: ${JSON.stringify(found)}`
    await pglite.exec(`
      create extension amcheck;
      select bt_index_check(i.indexrelid, true) from pg_index i join pg_class c on c.oid = i.indexrelid
        join pg_am a on a.oid = c.relam where a.amname = 'btree' and c.relpersistence = 'p';
      select count(*) from pg_class c, lateral verify_heapam(c.oid) where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace`)
    return null
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  } finally {
    await pglite?.close().catch(() => undefined)
    await rm(dirname(folder), { recursive: true, force: true })
  }
}

/** After how many operations to cut: mostly soon after an acknowledgement or a sync, where a fault shows most likely. */
export function momentsOf({ recording: { operations } }: Session, count: number, random: () => number): number[] {
  const promises = operations.flatMap((one, index) =>
    one.kind === 'acknowledged' || one.kind === 'sync' || one.kind === 'syncFolder' ? [index + 1] : [],
  )
  return Array.from({ length: count }, () => {
    const promise = promises[Math.floor(random() * promises.length)] ?? operations.length
    const later = random() < 0.5 ? 0 : Math.floor(random() * 12)
    return random() < 0.2 ? 1 + Math.floor(random() * operations.length) : Math.min(operations.length, promise + later)
  })
}
