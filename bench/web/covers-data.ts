// In charge of the pictures of the web benchmark: before the service starts, each task that is not deleted gets a finished
// creative with a picture.
import { Readable } from 'node:stream'
import sharp from 'sharp'
import { photoNames, readPhoto } from '../../server/src/nodes/images/photos.ts'
import { fileFolder } from '../../server/src/platform/file-folder.ts'

type Sql = (text: string, values?: unknown[]) => Promise<unknown>

/**
 * Each photo is stored in this many hues, each in a file of its own, so that cards that are visible at the same time show
 * different files.
 */
const hues = 12
const largest = 10_000_000

export async function fillCovers(sql: Sql, folder: string): Promise<void> {
  const digests: string[] = []
  const store = fileFolder(folder)
  await store.prepare()
  for (const photo of photoNames) {
    for (let hue = 0; hue < hues; hue++) {
      const bytes = await sharp(readPhoto(photo))
        .resize(1080, 1350)
        .modulate({ hue: (hue * 360) / hues })
        .jpeg({ quality: 85 })
        .toBuffer()
      const incoming = await store.receive(Readable.from([bytes]), largest)
      await incoming.send()
      await incoming.place()
      digests.push(incoming.digest)
      await sql(
        `insert into files (digest, size, media_type, unused_since) values ($1, $2, 'image/jpeg', null)
         on conflict do nothing`,
        [incoming.digest, incoming.size],
      )
    }
  }
  await sql(
    `insert into creatives (id, task_id, name, variation_num, completed, done, in_work_at, rolled_up_at, file, created_at)
     select gen_random_uuid(), id, generated_name || '_V1_1', 1, true, true, created_at, now_ms(),
       ($1::text[])[1 + number % $2], created_at
     from tasks where deleted_at is null`,
    [digests, digests.length],
  )
  await sql(
    `update tasks t set count = greatest(count, 1), creatives_total = 1, creatives_done = 1,
       planned_creatives_done = array[generated_name || '_V1_1']
     where deleted_at is null`,
  )
}
