// Facts about storing what an image model made.
import { expect, test } from 'vitest'
import { failure, filesInMemory } from '../../test/support/nodes.ts'
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
