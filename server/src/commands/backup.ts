// In charge of `backup`: database and files into a folder that `restore` makes the same workspace of, while the service runs.
import { existsSync } from 'node:fs'
import { chmod, copyFile, mkdir, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Copied, copyFiles } from '../platform/backup/copy-files.ts'
import { describeDatabase, filesOf, type Manifest, writeManifest } from '../platform/backup/manifest.ts'
import { stampOf } from '../platform/backup/snapshots.ts'
import { dumpPostgres, pack } from '../platform/backup/tools.ts'
import { type Config, readConfig } from '../platform/config.ts'
import { databaseFolder } from '../platform/embedded.ts'
import { fileFolder } from '../platform/file-folder.ts'
import { lockFolder } from '../platform/folder-lock.ts'
import { openFiles } from '../platform/open-files.ts'
import { OperatorError } from '../platform/operator-error.ts'
import { productVersion } from '../platform/version.ts'
import { askRunning } from './operator-socket.ts'

const help = `Backs up the database and the files that the settings name. The service may go on running.

  npm run backup -- --to /mnt/backups

Each backup is a folder of its own in there, readable by you alone: it holds signing keys and every record. Put it back
with npm run restore.`

export async function backUp(args: string[]): Promise<void> {
  const { to } = readArguments(args)
  if (to === undefined) throw new OperatorError(help)
  const config = readConfig(process.env)
  const moment = new Date()
  const place = join(resolve(to), `atelier-${stampOf(moment)}`)
  // A backup that was broken off never has the name of a whole one.
  const making = join(resolve(to), `.making-${stampOf(moment)}`)
  await mkdir(making, { recursive: true, mode: 0o700 })
  try {
    const database = await copyDatabase(config, making)
    // After the database: bytes stay for an hour after the last record of them is gone.
    const files = await copyFiles(openFiles(config), fileFolder(filesOf(making)))
    await rm(join(filesOf(making), 'incoming'), { recursive: true, force: true })
    const { count, bytes } = files
    const manifest: Manifest = {
      format: 1,
      moment: moment.toISOString(),
      version: productVersion,
      database,
      files: { count, bytes },
    }
    await writeManifest(making, manifest)
    await rename(making, place)
    say(place, manifest, files)
  } finally {
    await rm(making, { recursive: true, force: true })
  }
}

async function copyDatabase(config: Config, making: string): Promise<Manifest['database']> {
  const [kind, file] =
    config.databaseUrl === null ? (['embedded', 'database.tar.gz'] as const) : (['postgres', 'database.dump'] as const)
  const target = join(making, file)
  if (config.databaseUrl === null) await copyEmbedded(config.dataDir, target)
  else await dumpPostgres(config.databaseUrl, target)
  await chmod(target, 0o600)
  return describeDatabase(making, kind, file)
}

/** Through the service that has it open; without one its folder is nobody's, and is packed as it lies there. */
async function copyEmbedded(dataDir: string, target: string): Promise<void> {
  const snapshot = await askRunning(dataDir, 'snapshot')
  if (typeof snapshot === 'string') return copyFile(snapshot, target)
  if (!existsSync(databaseFolder(dataDir))) {
    throw new OperatorError(`There is no embedded database in ${dataDir} (ATELIER_DATA_DIR): nothing to back up.`)
  }
  const unlock = lockFolder(dataDir)
  try {
    await pack(databaseFolder(dataDir), target)
  } finally {
    unlock()
  }
}

function say(place: string, { database, files }: Manifest, { damaged }: Copied): void {
  console.log(
    `Backed up to ${place}: the database (${megabytes(database.bytes)}) and ${files.count} files (${megabytes(files.bytes)}).`,
  )
  if (damaged.length === 0) return
  console.error(
    `Of ${damaged.length} files the bytes are no longer those that were stored; they are not in the backup: ` +
      `${damaged.slice(0, 5).join(', ')}${damaged.length > 5 ? ', …' : ''}. An earlier backup may have them.`,
  )
  process.exitCode = 1
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

function readArguments(args: string[]): { to?: string | undefined } {
  try {
    return parseArgs({ args, options: { to: { type: 'string' } } }).values
  } catch (error) {
    throw new OperatorError(`${error instanceof Error ? error.message : error}\n\n${help}`)
  }
}
