// In charge of `files copy`, for moving to another file store: copies all stored files and checks their digests.
import { realpath } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { copyFiles } from '../platform/backup/copy-files.ts'
import { readConfig } from '../platform/config.ts'
import { parseBucket } from '../platform/config-values.ts'
import { openFilesAt } from '../platform/open-files.ts'
import { OperatorError } from '../platform/operator-error.ts'
import { addressOf, argumentError, readOptions } from './arguments.ts'
import { counted, firstOf, megabytes } from './words.ts'

const help = `Copies stored files from one place to another: folders, or buckets as s3://bucket/prefix. The service may go on
running; what is there already is not copied again, so a second run, right before the switch, takes little time.

  npm run files -- copy --from ./data/files --to s3://atelier-files
  npm run files -- copy --from s3://atelier-files --to ./data/files

Each file is read, held to its digest, and stored under it. Then set ATELIER_FILES to the new place, run the copy once
more, and start.`

export async function manageFiles(args: string[]): Promise<void> {
  const text = { type: 'string' } as const
  const [first = '--'] = args
  const isCopy = first === 'copy'
  if (!isCopy && !first.startsWith('-')) throw argumentError(`“${first}” is not known; say copy.`, help)
  const options = readOptions(isCopy ? args.slice(1) : args, help, { from: text, to: text })
  if (options === null) return
  if (!isCopy || options.from === undefined || options.to === undefined) {
    throw argumentError('Say what to do: copy --from … --to …', help)
  }
  const [from, to] = [addressOf('--from', options.from), addressOf('--to', options.to)]
  await refuseItself(from, to)
  const config = readConfig(process.env)
  const [source, target] = [openFilesAt(from, config), openFilesAt(to, config)]
  await source.proveThere()
  await target.prepare()
  const { count, bytes, copied, damaged, unreadable } = await copyFiles(source, target)
  console.log(
    `${counted(count, 'file')} (${megabytes(bytes)}) ${count === 1 ? 'is' : 'are'} in ${to}; copied now: ${copied}.`,
  )
  sayLeft(damaged, 'Damaged where they were')
  sayLeft(unreadable, 'Files or folders that cannot be read, as the disk fails')
}

/** Prints what was not copied, if there is any. */
function sayLeft(names: readonly string[], why: string): void {
  if (names.length === 0) return
  console.error(`${why}, and left out: ${names.length} (${firstOf(names)}).`)
  process.exitCode = 1
}

/** Throws if the files would be copied to where they are, or into the folder that they are in: the service would take it for files. */
async function refuseItself(from: string, to: string): Promise<void> {
  const [source, target] = await Promise.all([placeOf(from), placeOf(to)])
  if (target === source) throw new OperatorError(`--to is where the files of --from are (${from}): name another place.`)
  const isFolder = parseBucket(from) === null
  if (isFolder && target.startsWith(source))
    throw new OperatorError(`--to is within the folder of --from (${from}): name a place outside of it.`)
}

/** An address by which two that name the same place are alike, ending with a slash: without links, and with the whole path. */
async function placeOf(address: string): Promise<string> {
  const bucket = parseBucket(address)
  return bucket === null
    ? join(await realPath(resolve(address)), '/')
    : `s3://${bucket.bucket.toLowerCase()}/${bucket.prefix}`
}

/** The path without links, of which the last parts may not be there yet. */
const realPath = (path: string): Promise<string> =>
  realpath(path).catch(async (error: unknown) => {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    if (!isMissing || path === dirname(path)) return path
    return join(await realPath(dirname(path)), basename(path))
  })
