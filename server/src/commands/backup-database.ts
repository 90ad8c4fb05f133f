// In charge of the database's part of a backup: copies the database, and reads which files and migrations the copy has.
import { chmod, copyFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describeDatabase, type Manifest } from '../platform/backup/manifest.ts'
import { areFiles, namedFiles } from '../platform/backup/named-files.ts'
import { isForBackup } from '../platform/backup/snapshots.ts'
import { serverMajor, withPostgres } from '../platform/backup/targets.ts'
import { dumpPostgres, pack } from '../platform/backup/tools.ts'
import type { Placed } from '../platform/byte-store.ts'
import type { Config } from '../platform/config.ts'
import { openDatabase } from '../platform/db.ts'
import { databaseFolder, embeddedEngine } from '../platform/embedded.ts'
import { lockFolder } from '../platform/folder-lock.ts'
import { appliedTo } from '../platform/migrate.ts'
import { OperatorError, wordsOf } from '../platform/operator-error.ts'
import { requireEmbedded } from './open.ts'
import { askRunning } from './operator-socket.ts'

/** The files that the database names; if they cannot be read, why not. Then the backup is made all the same. */
export type Named = { files: Placed[] } | { unread: string }

type Copied = Pick<Manifest, 'database' | 'migrations'> & { named: Named }

/**
 * Copies the database. The files that it names are read after the copy was made: files that were added meanwhile are in the store
 * before it is copied, and those that a purge removes meanwhile are of no use to anybody.
 */
export async function copyDatabase(config: Config, making: string): Promise<Copied> {
  const { databaseUrl } = config
  if (databaseUrl === null) {
    const file = 'database.tar.gz'
    const named = await copyEmbedded(config, join(making, file))
    return { database: await described(making, 'embedded', file), named }
  }
  const file = 'database.dump'
  // If they cannot be read, pg_dump says why the database cannot. They are read first: an older schema is never called newer.
  const migrations = await withPostgres(databaseUrl, ({ main }) => appliedTo(main)).catch(() => [])
  const major = await withPostgres(databaseUrl, serverMajor).catch(() => null)
  await dumpPostgres({ url: databaseUrl, major }, join(making, file))
  const named = await orUnread(withPostgres(databaseUrl, namedFiles))
  return { database: await described(making, 'postgres', file), migrations, named }
}

async function described(making: string, kind: Manifest['database']['kind'], file: string) {
  await chmod(join(making, file), 0o600)
  return describeDatabase(making, kind, file)
}

/**
 * If a service is running, copies a file that the service makes for this, and removes that file. Otherwise packs the folder of the
 * database directly.
 */
async function copyEmbedded(config: Config, target: string): Promise<Named> {
  const { dataDir } = config
  const snapshot = await askRunning(dataDir, 'snapshot')
  if (typeof snapshot === 'string') {
    try {
      await copyFile(snapshot, target)
    } finally {
      // A service of an earlier version takes a snapshot for this, which it keeps.
      if (isForBackup(snapshot)) await rm(snapshot, { force: true })
    }
    return orUnread(filesOfRunning(dataDir))
  }
  requireEmbedded(config, 'back up')
  const lock = lockFolder(dataDir)
  try {
    await pack(databaseFolder(dataDir), target)
  } finally {
    lock.release()
  }
  return orUnread(filesOfStopped(config))
}

/** A service of an earlier version, which runs on while the new one lies in its place already, does not know this question. */
async function filesOfRunning(dataDir: string): Promise<Placed[]> {
  const files = await askRunning(dataDir, 'files')
  if (!areFiles(files)) throw new OperatorError('The service ended meanwhile.')
  return files
}

async function filesOfStopped({ dataDir, embeddedCommits }: Config): Promise<Placed[]> {
  const database = openDatabase(await embeddedEngine(dataDir, { isFast: embeddedCommits === 'fast' }))
  try {
    return await namedFiles(database)
  } finally {
    await database.close()
  }
}

const orUnread = (read: Promise<Placed[]>): Promise<Named> =>
  read.then(
    (files) => ({ files }),
    (error: unknown) => ({ unread: wordsOf(error) }),
  )
