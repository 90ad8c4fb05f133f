// Facts about storing what an image model made.
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { failure, filesInMemory } from '../../test/support/nodes.ts'
import { filesUnavailable } from '../platform/byte-store.ts'
import { createPictureWorkers } from './images/workers.ts'
import { storePicture } from './store-picture.ts'

test('what cannot be stored is booked at what the call cost, in credits and in money', async () => {
  const cost = { amount: 40_000, by: 'usage' } as const
  const stored = storePicture(Buffer.from('hello'), {
    ...{ workers: createPictureWorkers({ most: 1 }), files: filesInMemory(), signal: new AbortController().signal },
    ...{ model: 'm', credits: 10, cost },
  })
  expect(await failure(stored)).toMatchObject({ outcome: 'paid', credits: 10, cost })
})

test('so is a picture that there is no room for, and the failure says so', async () => {
  const full = filesUnavailable(new Error('no space left on device'))
  const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#24508c' } })
    .png()
    .toBuffer()
  const stored = storePicture(picture, {
    ...{ workers: createPictureWorkers({ most: 1 }), signal: new AbortController().signal },
    ...{ files: { ...filesInMemory(), write: () => Promise.reject(full) }, model: 'm', credits: 10, cost: null },
  })
  expect(await failure(stored)).toMatchObject({
    ...{ outcome: 'paid', credits: 10, cause: full },
    message: expect.stringMatching(
      /^The provider made a picture. It was paid for, but could not be kept: Files cannot be written/,
    ),
  })
})
