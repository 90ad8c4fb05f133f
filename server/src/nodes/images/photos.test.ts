// Facts about the sample photos, which are used in place of pictures from an image model, and about the ads of the demo.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { adFile, demoAds } from '../../features/demo/ads.ts'
import { demoTasks } from '../../features/demo/content.ts'
import { seeded } from '../seeded.ts'
import { photoFor, photoNames, readPhoto } from './photos.ts'

test.each([
  ['A rumpled bed in blue moonlight, two pillows', 'bed'],
  ['Three folded duvets on a plinth, morning light', 'duvets'],
  ['An alarm clock and a lamp, awake at three', 'clock'],
  ['A dog’s dinner in a bowl', 'bowl'],
  ['A COFFEE in a café', 'cafe'],
  ['A steel bottle on a rock', null],
  ['', null],
])('“%s” is about %s', (prompt, photo) => {
  expect(photoFor(prompt, seeded('00000000'))).toBe(photo)
})

test('each of them is a JPEG that is there', () => {
  for (const name of photoNames) expect(readPhoto(name).subarray(0, 2).toString('hex')).toBe('ffd8')
})

test('each ad of the demo is of a task that is there, and has its file', () => {
  const keys = new Set(demoTasks.map(({ key }) => key))
  for (const [key, ads = []] of Object.entries(demoAds)) {
    expect(keys).toContain(key)
    for (const at of ads.keys()) {
      const file = path.join(import.meta.dirname, '../../features/demo/ads', adFile(key, at + 1))
      expect([file, existsSync(file)]).toEqual([file, true])
    }
  }
})
