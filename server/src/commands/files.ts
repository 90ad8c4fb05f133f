// In charge of `files copy`, for moving to another file store: copies all stored files and checks their digests.
import { parseArgs } from 'node:util'
import { copyFiles } from '../platform/backup/copy-files.ts'
import { readConfig } from '../platform/config.ts'
import { filesAddress } from '../platform/config-values.ts'
import { openFilesAt } from '../platform/open-files.ts'
import { OperatorError } from '../platform/operator-error.ts'

const help = `Copies stored files from one place to another: folders, or buckets as s3://bucket/prefix. The service may go on
running; what is there already is not copied again, so a second run, right before the switch, takes little time.

  npm run files -- copy --from ./data/files --to s3://atelier-files
  npm run files -- copy --from s3://atelier-files --to ./data/files

Each file is read, held to its digest, and stored under it. Then set ATELIER_FILES to the new place, run the copy once
more, and start.`

export async function manageFiles(args: string[]): Promise<void> {
  const { from, to } = readArguments(args)
  const config = readConfig(process.env)
  const [source, target] = [openFilesAt(from, config), openFilesAt(to, config)]
  await source.proveThere()
  await target.prepare()
  const { count, bytes, copied, damaged } = await copyFiles(source, target)
  console.log(`${count} files (${(bytes / 1e6).toFixed(1)} MB) are in ${to}; ${copied} of them were copied now.`)
  if (damaged.length === 0) return
  console.error(
    `${damaged.length} files are damaged where they were, and were left out: ${damaged.slice(0, 5).join(', ')}${damaged.length > 5 ? ', …' : ''}.`,
  )
  process.exitCode = 1
}

function readArguments(args: string[]): { from: string; to: string } {
  try {
    const { values, positionals } = parseArgs({
      args,
      options: { from: { type: 'string' }, to: { type: 'string' } },
      allowPositionals: true,
    })
    const { from, to } = values
    if (positionals.join() !== 'copy' || from === undefined || to === undefined) throw new OperatorError(help)
    return { from: filesAddress(from), to: filesAddress(to) }
  } catch (error) {
    if (error instanceof OperatorError) throw error
    throw new OperatorError(`${error instanceof Error ? error.message : error}\n\n${help}`)
  }
}
