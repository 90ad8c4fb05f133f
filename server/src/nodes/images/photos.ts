// In charge of the sample photos that stand in for pictures of an image model: `scripts/demo-pictures` rendered them once, and the
// words of a prompt select one of them.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Seeded } from '../seeded.ts'

/** What each photo shows, in words that prompts use. */
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
// `Object.keys` returns `string[]`, although these are exactly the photo names.
export const photoNames = Object.keys(subjects) as PhotoName[]

/** The size of each photo, in pixels. */
export const photoSize = { width: 576, height: 720 } as const

/** The photo that shares the most words with the prompt; null where none shares a word. Chance decides between equal ones. */
export function photoFor(prompt: string, chance: Seeded): PhotoName | null {
  const words = new Set(prompt.toLowerCase().match(/[\p{L}\d.’]+/gu) ?? [])
  const scores = photoNames.map((name) => subjects[name].filter((word) => words.has(word)).length)
  const best = Math.max(...scores)
  return best === 0 ? null : chance.pick(photoNames.filter((_, at) => scores[at] === best))
}

export const readPhoto = (name: PhotoName): Buffer => readFileSync(join(import.meta.dirname, 'photos', `${name}.jpg`))
