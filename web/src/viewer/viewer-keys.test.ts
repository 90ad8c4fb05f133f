// Facts about the keys of the viewer that are held down.
import { expect, test } from 'vitest'
import { onViewerKey } from './viewer-keys.ts'

/** Returns how often the action of `key` was performed while the key was held down for three events. */
function timesOf(key: string): number {
  let times = 0
  const event = { key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false }
  const act = { stopPropagation: () => undefined, preventDefault: () => undefined }
  for (const repeat of [false, true, true]) onViewerKey({ ...event, ...act, repeat }, { [key]: () => times++ })
  return times
}

test('a key that decides, opens or closes something acts once, however long it is held', () => {
  for (const key of ['a', 'u', 'x', 's', 'w', 'i', 'r', 'b']) expect(timesOf(key), key).toBe(1)
})

test('a key that moves the picture, or leads to the next, goes on while it is held', () => {
  for (const key of ['ArrowLeft', '+', '-', '.', 'j', ']']) expect(timesOf(key), key).toBe(3)
})
