// In charge of the sample photos, which `sample.image` uses in place of a picture from an image model. The words of the prompt
// select one. `scripts/demo-pictures` has rendered them.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Seeded } from '../seeded.ts'

/** Name of a photo → words in prompts for which the photo fits. */
const subjects = {
  bed: ['bed', 'pillow', 'moon', 'moonlight', 'window', 'night', 'sleep', 'sleeper', 'rumpled', 'cool'],
  duvets: ['duvet', 'duvets', 'quilt', 'folded', 'bedding', 'cotton', 'fabric', 'stack', 'linen'],
  clock: ['clock', 'alarm', 'awake', 'lamp', 'a.m', 'o’clock', 'bedside', '3', 'three'],
  bowl: ['bowl', 'dog', 'dogs', 'dinner', 'food', 'meal', 'eat', 'eating', 'pet', 'kitchen'],
  ingredients: ['ingredients', 'carrot', 'carrots', 'peas', 'recipe', 'cooked', 'fresh', 'above', 'wooden', 'label'],
  pack: ['box', 'pack', 'package', 'packaging', 'delivery', 'brand', 'product', 'shelf'],
  phone: ['phone', 'app', 'screen', 'mobile', 'lesson', 'streak', 'commute', 'device'],
  cafe: ['café', 'cafe', 'coffee', 'espresso', 'order', 'travel', 'table', 'counter', 'cup'],
  bubbles: ['speak', 'speaking', 'talk', 'talking', 'language', 'conversation', 'word', 'words', 'spanish', 'say'],
} as const
export type PhotoName = keyof typeof subjects
// The cast is needed because `Object.keys` returns `string[]`.
export const photoNames = Object.keys(subjects) as PhotoName[]

/** The size of each photo, in pixels. */
export const photoSize = { width: 576, height: 720 } as const

/** The photo with the most of its `subjects` in the prompt; null if none has any. Of equally good photos, `chance` picks one. */
export function photoFor(prompt: string, chance: Seeded): PhotoName | null {
  const words = new Set(prompt.toLowerCase().match(/[\p{L}\d.’]+/gu) ?? [])
  const scores = photoNames.map((name) => subjects[name].filter((word) => words.has(word)).length)
  const best = Math.max(...scores)
  return best === 0 ? null : chance.pick(photoNames.filter((_, at) => scores[at] === best))
}

export const readPhoto = (name: PhotoName): Buffer => readFileSync(join(import.meta.dirname, 'photos', `${name}.jpg`))
