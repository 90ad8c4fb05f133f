// In charge of `files copy`, for moving to another file store: copies all stored files and checks their digests.
import { copyFiles } from '../platform/backup/copy-files.ts'
import { readConfig } from '../platform/config.ts'
import { openFilesAt } from '../platform/open-files.ts'
import { addressOf, argumentError, readOptions } from './arguments.ts'
import { firstOf, megabytes } from './words.ts'

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
  const config = readConfig(process.env)
  const [source, target] = [openFilesAt(from, config), openFilesAt(to, config)]
  await source.proveThere()
  await target.prepare()
  const { count, bytes, copied, damaged, unreadable } = await copyFiles(source, target)
  console.log(`${count} files (${megabytes(bytes)}) are in ${to}; ${copied} of them were copied now.`)
  sayLeft(damaged, 'files are damaged where they were')
  sayLeft(unreadable, 'files or folders cannot be read, as the disk fails')
}

/** Prints what was not copied, if there is any. */
function sayLeft(names: readonly string[], why: string): void {
  if (names.length === 0) return
  console.error(`${names.length} ${why}, and were left out: ${firstOf(names)}.`)
  process.exitCode = 1
}
