// Facts about renaming a creative while others may rename it too.
import { CallError } from '@atelier/contract/wire/calls.ts'
import { expect, test } from 'vitest'
import { ChangedMeanwhile } from './conflict.ts'
import { renameCreative } from './rename-creative.ts'

const precondition = () => new CallError({ status: 412, code: 'precondition_failed', detail: '' })

/** A creative on the service. `meanwhile` is called between a read and the write that follows it. */
function stored(name: string, meanwhile: (creative: { name: string; revision: number }) => void = () => undefined) {
  const creative = { name, revision: 1 }
  return {
    creative,
    read: () => Promise.resolve({ data: { name: creative.name }, etag: String(creative.revision) }),
    write: (name: string) => async (etag: string | null) => {
      meanwhile(creative)
      if (etag !== String(creative.revision)) throw precondition()
      creative.name = name
      return 'written'
    },
  }
}
const toMine = { shown: 'Old', name: 'Mine', own: undefined }

test('a name that nobody else has changed is replaced', async () => {
  const { creative, read, write } = stored('Old')
  expect(await renameCreative(toMine, read, write('Mine'))).toBe('written')
  expect(creative.name).toBe('Mine')
})

test('a name that somebody else gave before or during the write is not replaced', async () => {
  const before = stored('Theirs')
  await expect(renameCreative(toMine, before.read, before.write('Mine'))).rejects.toThrow(ChangedMeanwhile)
  const during = stored('Old', (creative) => Object.assign(creative, { name: 'Theirs', revision: 2 }))
  await expect(renameCreative(toMine, during.read, during.write('Mine'))).rejects.toThrow(ChangedMeanwhile)
  expect([before.creative.name, during.creative.name]).toEqual(['Theirs', 'Theirs'])
})

test('another change of the creative does not stand in the way, and what one has written oneself neither', async () => {
  const touched = stored('Old', (creative) => Object.assign(creative, { revision: 2 }))
  await renameCreative(toMine, touched.read, touched.write('Mine'))
  expect(touched.creative.name).toBe('Mine')
  const again = stored('Mine')
  await renameCreative({ shown: 'Old', name: 'Mine 2', own: 'Mine' }, again.read, again.write('Mine 2'))
  expect(again.creative.name).toBe('Mine 2')
})

test('a creative that is changed again and again is tried twice', async () => {
  const restless = stored('Old', (creative) => Object.assign(creative, { revision: creative.revision + 1 }))
  await expect(renameCreative(toMine, restless.read, restless.write('Mine'))).rejects.toThrow(CallError)
  expect(restless.creative).toEqual({ name: 'Old', revision: 3 })
})
