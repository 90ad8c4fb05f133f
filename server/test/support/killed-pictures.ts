// In charge of picture processes that are ended from outside.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createPictureWorkers, type PictureWorkers } from '../../src/nodes/images/workers.ts'

/** Picture workers whose processes end by this signal as soon as they have a job. Their program is written into the folder. */
export async function killedPictureWorkers(folder: string, signal: NodeJS.Signals): Promise<PictureWorkers> {
  const file = join(folder, `${signal}.mjs`)
  const program = `process.on('message', () => process.kill(process.pid, '${signal}'))
    process.send({ ready: true })`
  await writeFile(file, program)
  return createPictureWorkers({ most: 1, file: pathToFileURL(file) })
}
