// Facts about storing what an image model made.
import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { failure, filesInMemory } from '../../test/support/nodes.ts'
import { filesUnavailable } from '../platform/byte-store.ts'
import { createPictureWorkers, type PictureWorkers } from './images/workers.ts'
import { duePrice } from './keep-made.ts'
import { NodeFailure } from './node-type.ts'
import { storePicture } from './store-picture.ts'

const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#24508c' } })
  .png()
  .toBuffer()

const paid = { model: 'm', credits: 10, cost: null, charge: async () => undefined }

test('what cannot be stored is booked at what the call cost, in credits and in money', async () => {
  const cost = { amount: 40_000, by: 'usage' } as const
  const stored = storePicture(Buffer.from('hello'), {
    ...{ workers: createPictureWorkers({ most: 1 }), files: filesInMemory(), signal: new AbortController().signal },
    ...{ ...paid, cost },
  })
  expect(await failure(stored)).toMatchObject({
    ...{ outcome: 'paid', credits: 10, cost },
    message: expect.stringMatching(/could not be kept: The file is no picture that can be read/),
  })
})

test('an attempt pays nothing for a reply that an earlier one was charged for, in credits and in money', async () => {
  const cost = { amount: 40_000, by: 'usage' } as const
  expect(duePrice(false, 10, cost)).toEqual({ credits: 10, cost })
  expect(duePrice(true, 10, cost)).toEqual({ credits: 0, cost: { amount: 0, by: 'usage' } })
  const stored = storePicture(Buffer.from('hello'), {
    ...{ workers: createPictureWorkers({ most: 1 }), files: filesInMemory(), signal: new AbortController().signal },
    ...{ ...paid, ...duePrice(true, 10, cost), charge: () => Promise.reject(new Error('charged twice')) },
  })
  expect(await failure(stored)).toMatchObject({
    ...{ outcome: 'none', credits: 0 },
    message: expect.stringMatching(/^The provider made a picture. It was paid for before, but could not be kept: /),
  })
})

test('so is a picture that there is no room for, and the failure says so', async () => {
  const full = filesUnavailable(new Error('no space left on device'))
  const stored = storePicture(png, {
    ...{ workers: createPictureWorkers({ most: 1 }), signal: new AbortController().signal },
    ...{ files: { ...filesInMemory(), write: () => Promise.reject(full) }, ...paid },
  })
  expect(await failure(stored)).toMatchObject({
    ...{ outcome: 'paid', credits: 10, cause: full },
    message: expect.stringMatching(
      /^The provider made a picture. It was paid for, but could not be kept: Files cannot be written/,
    ),
  })
})

/** Workers whose processes cannot be started for the first `failures` jobs: their file is missing. */
function workersWith(failures: number) {
  const missing = createPictureWorkers({ most: 1, file: new URL(`./${randomUUID()}.ts`, import.meta.url) })
  const working = createPictureWorkers({ most: 1 })
  let jobs = 0
  const mark: PictureWorkers['mark'] = (job, signal) => (++jobs > failures ? working : missing).mark(job, signal)
  return { workers: { ...working, mark }, jobs: () => jobs }
}

test('a picture is tried again while no process for pictures can be started', async () => {
  const { workers, jobs } = workersWith(2)
  const { signal } = new AbortController()
  const stored = await storePicture(png, { ...paid, workers, files: filesInMemory(), signal }, [1, 1])
  expect([stored.media_type, jobs()]).toEqual(['image/png', 3])
})

test('if none can be started at all, the failure says so, and not that there is no picture', async () => {
  const { workers, jobs } = workersWith(9)
  const { signal } = new AbortController()
  const stored = storePicture(png, { ...paid, workers, files: filesInMemory(), signal }, [1, 1])
  expect(await failure(stored)).toMatchObject({
    ...{ outcome: 'paid', credits: 10 },
    message: expect.stringMatching(
      /^The provider made a picture\. It was paid for, but could not be kept: Pictures cannot be worked on here: /,
    ),
  })
  expect(jobs()).toBe(3)
})

test.for([
  [new NodeFailure('The picture broke the program (SIGSEGV).'), 'The picture broke the program (SIGSEGV).'],
  [new Error('A process ended by itself (1).'), 'The program for pictures failed.'],
] as const)(
  'a picture whose process ended is paid for, and the failure says what happened: %s',
  async ([cause, why]) => {
    const workers = { ...createPictureWorkers({ most: 1 }), mark: () => Promise.reject(cause) }
    const { signal } = new AbortController()
    expect(await failure(storePicture(png, { ...paid, workers, files: filesInMemory(), signal }))).toMatchObject({
      ...{ outcome: 'paid', credits: 10 },
      message: `The provider made a picture. It was paid for, but could not be kept: ${why}`,
    })
  },
)

test('a pause before another try ends with its call', async () => {
  const stop = new AbortController()
  const { workers } = workersWith(9)
  const mark: PictureWorkers['mark'] = async (job, signal) => {
    const marked = workers.mark(job, signal)
    // The pause begins before the next turn of the event loop.
    marked.catch(() => setImmediate(() => stop.abort()))
    return marked
  }
  const storing = { ...paid, workers: { ...workers, mark }, files: filesInMemory(), signal: stop.signal }
  await expect(storePicture(png, storing, [3_600_000])).rejects.toMatchObject({ name: 'AbortError' })
})
