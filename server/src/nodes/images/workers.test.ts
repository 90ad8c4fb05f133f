// Facts about the processes that work on pictures: a job that takes too long or needs too much memory fails with a clear message.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { hostileSvgs } from '../../../test/support/hostile-pictures.ts'
import { killedPictureWorkers } from '../../../test/support/killed-pictures.ts'
import type { ResizeJob } from './jobs.ts'
import { createPictureWorkers, isTemporary, isUncertain } from './workers.ts'

const quick = createPictureWorkers({ most: 2, seconds: 2, megabytes: 400 })
const never = new AbortController().signal

const resizing = (picture: Uint8Array): ResizeJob => ({
  ...{ picture, placements: ['2000x2000'], fit: 'cover', focus: 'centre' },
  ...{ background: '#ffffff', format: 'png', quality: 90 },
})
const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#a01010' } })

test.for(Object.entries(hostileSvgs))('an SVG of %s ends when its time is over, in words', async ([, svg]) => {
  const failure = await quick.resize(resizing(Buffer.from(svg)), never).catch((error: unknown) => error)
  expect(failure).toMatchObject({ message: 'The picture took longer than 2 seconds. Make it smaller first.' })
  expect([isTemporary(failure), isUncertain(failure)]).toEqual([false, true])
})

test('more of them than there are processes leave files readable, and those that wait can be cancelled', async () => {
  const stop = new AbortController()
  const svg = Buffer.from(hostileSvgs['noise over noise'])
  const calls = Array.from({ length: 8 }, () => quick.resize(resizing(svg), stop.signal))
  await Promise.all(Array.from({ length: 8 }, () => readFile(import.meta.filename)))
  stop.abort(new Error('cancelled'))
  const ends = await Promise.allSettled(calls)
  expect(ends.map((end) => end.status === 'rejected' && end.reason.message)).toEqual(calls.map(() => 'cancelled'))
  expect(await quick.resize(resizing(await plain(20, 20).png().toBuffer()), never)).toHaveLength(1)
})

test('a picture that takes more memory than there is for one ends in words, and the next one works', async () => {
  // `quick` is not used here: on a busy machine, its two seconds could end before the memory limit is reached.
  const small = createPictureWorkers({ most: 1, megabytes: 400 })
  const large = await plain(7000, 7000).png().toBuffer()
  const job = { picture: large, format: 'webp', quality: 90, budget: null, mayShrink: false } as const
  const failure = await small.convert(job, never).catch((error: unknown) => error)
  const words = 'The picture needs more than 400 MB of memory to work on. Make it smaller first.'
  expect(failure).toMatchObject({ message: words })
  expect([isTemporary(failure), isUncertain(failure)]).toEqual([false, false])
  expect(await small.inspect(await plain(30, 20).png().toBuffer(), never)).toMatchObject({ width: 30, height: 20 })
})

test.for(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  'a process that is ended from outside by %s says nothing about its picture',
  async (signal) => {
    const folder = await mkdtemp(join(tmpdir(), 'atelier-killed-'))
    const killed = await killedPictureWorkers(folder, signal)
    const failure = await killed.thumbnail(Buffer.from('a picture'), never).catch((error: unknown) => error)
    expect(failure).toMatchObject({ message: expect.stringMatching(/^The process .* was ended from outside, .*\.$/) })
    expect([isTemporary(failure), isUncertain(failure)]).toEqual([true, true])
    await rm(folder, { recursive: true })
  },
)
