// Facts about the keys of the viewer that are held down, and about those that a film keeps.
import { expect, test } from 'vitest'
import { onViewerKey } from './viewer-keys.ts'

const pressed = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false }

/** Returns how often the action of `key` was performed while the key was held down for three events. */
function timesOf(key: string, isInFilm = false): number {
  let times = 0
  const act = { stopPropagation: () => undefined, preventDefault: () => undefined }
  const keys = { [key]: () => times++ }
  for (const repeat of [false, true, true]) onViewerKey({ ...pressed, ...act, key, repeat }, keys, isInFilm)
  return times
}

test('a key that decides, opens or closes something acts once, however long it is held', () => {
  for (const key of ['a', 'u', 'x', 's', 'w', 'i', 'r', 'b']) expect(timesOf(key), key).toBe(1)
})

test('a key that moves the picture, or leads to the next, goes on while it is held', () => {
  for (const key of ['ArrowLeft', '+', '-', '.', 'j', ']']) expect(timesOf(key), key).toBe(3)
})

test('a film that has the focus keeps the keys by which one seeks in it, and leaves the others to the viewer', () => {
  for (const key of ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'Home', 'End']) {
    expect(timesOf(key, true), key).toBe(0)
    expect(timesOf(key), key).toBeGreaterThan(0)
  }
  for (const key of ['.', 'i', 'b', 'p']) expect(timesOf(key, true), key).toBe(timesOf(key))
})

test('the browser hears of a key that a film keeps, and the page below the viewer does not', () => {
  const heard: string[] = []
  const act = { stopPropagation: () => heard.push('stopped'), preventDefault: () => heard.push('prevented') }
  const keys = { ArrowRight: () => heard.push('done') }
  onViewerKey({ ...pressed, ...act, key: 'ArrowRight', repeat: false }, keys, true)
  expect(heard).toEqual(['stopped'])
})
