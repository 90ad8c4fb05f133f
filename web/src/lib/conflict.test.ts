// Facts about changes that were based on an old revision: which may be repeated, and that none replaces what others wrote.
import { CallError } from '@atelier/contract/wire/calls.ts'
import { expect, test } from 'vitest'
import { ChangedMeanwhile, mayRepeat, withOwn, writeChecked } from './conflict.ts'

const seen = { name: 'A', subtopics: ['x'], priority: 2 }

test('a change of what nobody else touched may be made all the same', () => {
  expect(mayRepeat(seen, { ...seen, priority: 1 }, { name: 'B' })).toBe(true)
  expect(mayRepeat(seen, { ...seen, subtopics: ['x'] }, { subtopics: [] })).toBe(true)
})

test('a change of what somebody else changed may not', () => {
  expect(mayRepeat(seen, { ...seen, name: 'C' }, { name: 'B', priority: 1 })).toBe(false)
})

test('what I have written myself since I saw it is not the change of somebody else', () => {
  const now = { name: 'mine', topic: 'theirs' }
  const known = withOwn({ name: 'A', topic: 'A' }, now, { name: 'mine', topic: 'mine' })
  expect(mayRepeat(known, now, { name: 'again' })).toBe(true)
  expect(mayRepeat(known, now, { topic: 'again' })).toBe(false)
})

const precondition = () => new CallError({ status: 412, code: 'precondition_failed', detail: '' })

type Stored = { name: string; revision: number }

/** A record on the service, and the renaming of it. `meanwhile` is called between a read and the write that follows it. */
function stored(name: string, meanwhile: (record: Stored) => void = () => undefined) {
  const record: Stored = { name, revision: 1 }
  const rename = (seen: string, next: string) =>
    writeChecked({
      read: () => Promise.resolve({ data: { ...record }, etag: String(record.revision) }),
      check: (now) => {
        if (now.name !== seen) throw new ChangedMeanwhile()
      },
      write: async (etag) => {
        meanwhile(record)
        if (etag !== String(record.revision)) throw precondition()
        record.name = next
        return 'written'
      },
    })
  return { record, rename }
}

test('what nobody else has changed is replaced', async () => {
  const { record, rename } = stored('Old')
  expect(await rename('Old', 'Mine')).toBe('written')
  expect(record.name).toBe('Mine')
})

test('what somebody else wrote before or during the write is not replaced', async () => {
  const before = stored('Theirs')
  await expect(before.rename('Old', 'Mine')).rejects.toThrow(ChangedMeanwhile)
  const during = stored('Old', (record) => Object.assign(record, { name: 'Theirs', revision: 2 }))
  await expect(during.rename('Old', 'Mine')).rejects.toThrow(ChangedMeanwhile)
  expect([before.record.name, during.record.name]).toEqual(['Theirs', 'Theirs'])
})

test('another change of the record does not stand in the way', async () => {
  const { record, rename } = stored('Old', (record) => Object.assign(record, { revision: 2 }))
  await rename('Old', 'Mine')
  expect(record.name).toBe('Mine')
})

test('a record that is changed again and again is tried twice', async () => {
  const { record, rename } = stored('Old', (record) => Object.assign(record, { revision: record.revision + 1 }))
  await expect(rename('Old', 'Mine')).rejects.toThrow(ChangedMeanwhile)
  expect(record).toEqual({ name: 'Old', revision: 3 })
})
