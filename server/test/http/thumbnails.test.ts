// Facts about thumbnails and covers: what they show, of which files, and who may see them.
import { readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { thumbnailFolder } from '../../src/features/files/thumbnail-folder.ts'
import { createThumbnails } from '../../src/features/files/thumbnails.ts'
import { thumbnailsAhead } from '../../src/features/files/thumbnails-ahead.ts'
import { createPictureWorkers } from '../../src/nodes/images/workers.ts'
import { createLog } from '../../src/platform/log.ts'
import { brokenPictureWorkers, picture } from '../support/exporting.ts'
import { type Body, type Service, startService } from '../support/harness.ts'
import { killedPictureWorkers } from '../support/killed-pictures.ts'
import { faults, makers } from '../support/make.ts'

let service: Service
let make: ReturnType<typeof makers>
let digest: string
beforeAll(async () => {
  service = await startService()
  make = makers(service)
  digest = await make.file(picture, 'image/png')
})
afterAll(() => service.close())

const address = (of: string) => `/api/v1/files/${of}/thumbnail`
const covers = (body: object) => service.post('/api/v1/creatives/covers', body)
const linkTo = async (of: string): Promise<Body> =>
  (await service.post('/api/v1/files/links', { digests: [of] })).data[0]

test('the thumbnail of a picture is a small WebP, whoever reads it asks for it only once', async () => {
  const { status, headers, bytes } = await service.get(address(digest))
  expect([status, headers['content-type']]).toEqual([200, 'image/webp'])
  const { format, width, height } = await sharp(bytes).metadata()
  expect([format, width, height]).toEqual(['webp', 512, 512])
  const again = await service.get(address(digest), { headers: { 'if-none-match': String(headers.etag) } })
  expect(again.status).toBe(304)
  expect((await service.get(`/api/v1/files/${digest}`)).headers.etag).not.toBe(headers.etag)
})

test('it is kept, and made again where it was lost', async () => {
  await service.get(address(digest))
  const folder = path.join(service.config.dataDir, 'thumbnails', digest.slice(0, 2))
  expect(await readdir(folder)).toEqual([`${digest}.webp`])
  await writeFile(path.join(folder, `${digest}.webp`), 'what was kept')
  expect((await service.get(address(digest))).text).toBe('what was kept')
})

test('a signed link to a file opens its thumbnail too, and no other', async () => {
  const { thumbnail_url } = await linkTo(digest)
  expect(await service.get(thumbnail_url, { token: null })).toMatchObject({ status: 200 })
  const other = await make.file(`${picture.toString('latin1')}!`, 'image/png')
  const stolen = thumbnail_url.replace(digest, other)
  expect(await service.get(stolen, { token: null })).toMatchObject({ status: 401, body: { code: 'invalid_link' } })
  expect(await service.get(address(digest), { token: null })).toMatchObject({ status: 401 })
})

test('what is no picture has none, however it is declared', async () => {
  const film = await make.file('a film', 'video/mp4')
  const broken = await make.file('no picture at all', 'image/png')
  for (const of of [film, broken, broken, '0'.repeat(64), 'x']) {
    expect(await service.get(address(of))).toMatchObject({ status: 404, body: { code: 'not_found' } })
  }
})

test('many who ask at once for one that is not made yet all get it', async () => {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="2000" height="100"><rect width="9" height="9"/></svg>`
  const drawn = await make.file(svg, 'image/svg+xml')
  const answers = await Promise.all(Array.from({ length: 8 }, () => service.get(address(drawn))))
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
  const { width, height } = await sharp(answers[0]?.bytes).metadata()
  expect([width, height]).toEqual([512, 26])
})

test('the cover of a task is its first creative that is a picture, by name', async () => {
  const film = await make.file('another film', 'video/mp4')
  const { task } = await make.taskWith(['Cover_0'])
  await make.creative(task.id, { name: 'Cover_1', file: film })
  const second = await make.creative(task.id, { name: 'Cover_3', file: digest })
  const first = await make.creative(task.id, { name: 'Cover_2', file: digest })
  const bare = await make.task()
  const { data } = await covers({ task_ids: [bare.id, task.id, 'no id'], creative_ids: [second.id] })
  const { url, thumbnail_url, expires_at } = await linkTo(digest)
  const file = { digest, media_type: 'image/png', size: picture.length, url, thumbnail_url, expires_at }
  expect(data).toEqual([
    { task_id: task.id, creative_id: first.id, name: 'Cover_2', ...file },
    { task_id: task.id, creative_id: second.id, name: 'Cover_3', ...file },
  ])
  await make.deleted(`/api/v1/creatives/${first.id}`)
  expect((await covers({ task_ids: [task.id] })).data).toMatchObject([{ name: 'Cover_3' }])
  await make.deleted(`/api/v1/tasks/${task.id}`)
  expect((await covers({ task_ids: [task.id] })).data).toMatchObject([{ name: 'Cover_3' }])
})

test('a request for covers names 100 of each at most, and may name none', async () => {
  const ids = Array.from({ length: 101 }, (_, index) => `${index}`)
  expect(faults(await covers({ task_ids: ids, creative_ids: ids }))).toEqual([
    'too_long body.task_ids',
    'too_long body.creative_ids',
  ])
  expect((await covers({})).data).toEqual([])
})

test('a picture whose thumbnail cannot be made now gets one when it can', async () => {
  const { database, config } = service
  const { files } = service.app.services
  const folder = thumbnailFolder(path.join(config.dataDir, 'later'), config.thumbnailLimit)
  const working = createPictureWorkers({ most: 1 })
  const workers = { ...brokenPictureWorkers() }
  const thumbnails = createThumbnails({
    ...{ db: database.main, files, workers, folder, log: createLog('silent') },
  })
  const file = await files.find(digest)
  if (!file) throw new Error('There is no file.')
  await expect(thumbnails.read(file)).rejects.toMatchObject({ code: 'overloaded' })
  workers.thumbnail = working.thumbnail
  expect((await thumbnails.read(file)).length).toBeGreaterThan(0)
})

test('a picture whose process was killed is tried once more before it counts as one without a thumbnail', async () => {
  const { database, config } = service
  const { files } = service.app.services
  const folder = thumbnailFolder(path.join(config.dataDir, 'killed'), config.thumbnailLimit)
  const killed = await killedPictureWorkers(config.dataDir, 'SIGKILL')
  const working = createPictureWorkers({ most: 1 })
  const workers = { thumbnail: killed.thumbnail }
  const thumbnails = createThumbnails({ ...{ db: database.main, files, workers, folder, log: createLog('silent') } })
  const [file, other] = [
    await files.find(digest),
    await files.find(await make.file(`${picture.toString('latin1')}?`, 'image/png')),
  ]
  if (!file || !other) throw new Error('There is no file.')
  await expect(thumbnails.read(file)).rejects.toMatchObject({ code: 'overloaded' })
  await expect(thumbnails.read(other)).rejects.toMatchObject({ code: 'overloaded' })
  await expect(thumbnails.read(other)).rejects.toMatchObject({ code: 'not_found' })
  workers.thumbnail = working.thumbnail
  expect((await thumbnails.read(file)).length).toBeGreaterThan(0)
  await expect(thumbnails.read(other)).rejects.toMatchObject({ code: 'not_found' })
})

test('however many are made, no more than two pictures are in memory at the same time', async () => {
  const { database, config } = service
  const folder = thumbnailFolder(path.join(config.dataDir, 'many'), config.thumbnailLimit)
  let held = 0
  let most = 0
  const files = {
    read: async () => {
      most = Math.max(most, ++held)
      return Readable.from([picture])
    },
  }
  const thumbnail = async (bytes: Uint8Array) => {
    await setImmediate()
    held--
    return bytes
  }
  const thumbnails = createThumbnails({
    ...{ db: database.main, files, workers: { thumbnail }, folder, log: createLog('silent') },
  })
  const file = await service.app.services.files.find(digest)
  if (!file) throw new Error('There is no file.')
  const all = Array.from({ length: 10 }, (_, index) => thumbnails.read({ ...file, digest: `${index}`.repeat(64) }))
  expect(await Promise.all(all)).toHaveLength(10)
  expect(most).toBe(2)
})

test('they are made ahead of any look, the newest first, a few in a turn', async () => {
  const { database, config } = service
  const { files } = service.app.services
  const folder = thumbnailFolder(path.join(config.dataDir, 'ahead'), config.thumbnailLimit)
  const thumbnails = createThumbnails({
    ...{ db: database.main, files, workers: createPictureWorkers({ most: 1 }), folder, log: createLog('silent') },
  })
  const turn = thumbnailsAhead({ db: database.main, thumbnails })
  const never = new AbortController().signal
  const task = await make.task()
  const put = async (color: string): Promise<string> => {
    const bytes = await sharp({ create: { width: 8, height: 8, channels: 3, background: color } })
      .png()
      .toBuffer()
    const of = await make.file(bytes, 'image/png')
    await make.creative(task.id, { file: of })
    return of
  }
  const made = async () => (await Promise.all(all.map((of) => folder.find(of)))).map((found) => found !== null)
  const all: string[] = []
  for (let shade = 0; shade < 26; shade += 1) all.push(await put(`rgb(${shade}, 0, 0)`))
  await make.creative(task.id, { file: await make.file('no picture', 'image/png') })
  await turn(never)
  // A call of `turn` tries the newest 25 files. One of these is no picture, so the two oldest pictures have no thumbnail yet.
  expect(await made()).toEqual([false, false, ...Array.from({ length: 24 }, () => true)])
  await turn(never)
  expect(await made()).toEqual(Array.from({ length: 26 }, () => true))

  all.push(await put('blue'))
  await turn(never)
  expect((await made()).at(-1)).toBe(true)
})
