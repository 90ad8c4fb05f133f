// In charge of the TypeScript types of the demo's content: users, products, tasks, and the steps of a task's story.
import type { TaskStatus } from '@atelier/contract/enums.ts'
import type { TaskCreate, TaskPatch, TaskVariantWrite } from '@atelier/contract/tasks.ts'

export type PersonKey = 'maren' | 'ilse' | 'teo' | 'kofi' | 'priya'
export type ProductKey = 'quiltern' | 'tuckerfen' | 'verbanook'

/** Identifies a creative by its task's key and its number within the task, in the order of creation. Example: `pillow-flip/2`. */
export type CreativeKey = `${string}/${number}`

/**
 * A creative to add: the number of its variant (null: it has no variant), or an object with more details. `named_like` is the key
 * of another creative; the new creative gets the same name.
 */
export type Making = number | null | { variant: number | null; tags?: string[]; named_like?: CreativeKey }

/**
 * What a step does. For `launch`, `finish` and `discard`, a creative is given by its position in the task, counted from 1 in the
 * order of creation. `variants` are variation numbers.
 */
type Deed =
  | { kind: 'move'; to: TaskStatus }
  | { kind: 'change'; patch: TaskPatch }
  | { kind: 'launch'; ad_id: string; creatives: readonly number[] }
  | { kind: 'make'; creatives: readonly Making[] }
  | { kind: 'finish'; creatives: readonly number[] }
  | { kind: 'accept'; variants: readonly number[] }
  | { kind: 'discard'; creative: number }
  | { kind: 'say'; text: string }
  | { kind: 'remove' }

/** When a step happens, in the notation that `momentOf` in calendar.ts reads, and who does it. */
type Occasion = { day: number; time: string; by: PersonKey }
export type Step = Occasion & Deed

/** The members of a task except its name, its references to other records and its deadline: a `DemoTask` gives those separately. */
type Body = Omit<
  TaskCreate,
  'name' | 'product_id' | 'assignee_id' | 'task_owner_id' | 'deadline_at' | 'origin_creative_id' | 'source_creative_ids'
>

/**
 * A task and its story. `due` counts working days after today; it is negative for days before today. `work`, `media` and `says`
 * together are the task's body.
 */
export type DemoTask = {
  key: string
  name: string
  product: ProductKey
  created: readonly [day: number, time: string, by: PersonKey]
  assignee?: PersonKey
  owner?: PersonKey
  due?: number
  origin?: CreativeKey
  sources?: readonly CreativeKey[]
  work: Body
  media: Body
  says: Body
  steps: readonly Step[]
}

type StepOf<Rest extends unknown[]> = (day: number, time: string, by: PersonKey, ...rest: Rest) => Step

export const move: StepOf<[to: TaskStatus]> = (day, time, by, to) => ({ day, time, by, kind: 'move', to })
export const change: StepOf<[patch: TaskPatch]> = (day, time, by, patch) => ({ day, time, by, kind: 'change', patch })
/** Records that these creatives, or the whole pack if no creatives are given, went live under the campaign id `ad_id`. */
export const launch: StepOf<[ad_id: string, ...creatives: number[]]> = (day, time, by, ad_id, ...creatives) => ({
  day,
  time,
  by,
  kind: 'launch',
  ad_id,
  creatives,
})
export const make: StepOf<Making[]> = (day, time, by, ...creatives) => ({ day, time, by, kind: 'make', creatives })
export const finish: StepOf<number[]> = (day, time, by, ...creatives) => ({ day, time, by, kind: 'finish', creatives })
export const accept: StepOf<number[]> = (day, time, by, ...variants) => ({ day, time, by, kind: 'accept', variants })
export const say: StepOf<[text: string]> = (day, time, by, text) => ({ day, time, by, kind: 'say', text })
export const remove: StepOf<[]> = (day, time, by) => ({ day, time, by, kind: 'remove' })
export const discard: StepOf<[creative: number]> = (day, time, by, creative) => ({
  day,
  time,
  by,
  kind: 'discard',
  creative,
})

/** Builds the members of a task that describe the work. `points` is two numbers: how complex the creation and the execution are. */
export function work(
  task_type: string,
  work_stream: string,
  { priority, count, points }: { priority?: number; count?: number; points?: readonly [number, number] },
): Body {
  return {
    task_type,
    work_stream,
    ...(priority === undefined ? {} : { priority }),
    ...(count === undefined ? {} : { count }),
    ...(points === undefined ? {} : { creation_complexity: points[0], execution_complexity: points[1] }),
  }
}

/** Builds a variant of a task. `tag_slugs` are the tags that the creatives of the variant get. */
export const variant = (
  variation_num: number,
  key: string,
  tag_slugs: string[],
  rest: Omit<TaskVariantWrite, 'key' | 'variation_num' | 'tag_slugs'>,
): TaskVariantWrite => ({ key, variation_num, tag_slugs, ...rest })

/** The placements for which the team makes ads. */
export const reel = { source: 'META', media_type: 'video', resolution: '1080x1920' }
export const tiktok = { ...reel, source: 'TT' }
export const portrait = { source: 'META', media_type: 'image', resolution: '1080x1350' }
export const square = { ...portrait, resolution: '1080x1080' }
export const carousel = { source: 'META', media_type: 'carousel', resolution: '1080x1080' }

export const us = { geo: 'US', language: 'en-US' }
export const gb = { geo: 'GB', language: 'en-GB' }
export const de = { geo: 'DE', language: 'de-DE' }

/** The landing page of each product, to which the product's ads link. */
export const coolPage = { url: 'https://quiltern.example/cool', headline: 'Sleep through the hot part of the night' }
export const dinnerPage = {
  url: 'https://tuckerfen.example/start',
  headline: 'Dinner, cooked for dogs',
  offer: '50 % off box one',
}
export const storePage = { url: 'https://verbanook.example/app', store: 'both' }
