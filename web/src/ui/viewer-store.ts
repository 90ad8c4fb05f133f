// In charge of which pictures the viewer shows, and of who may open it: any part of the page that shows a picture.
import { createStore, useStore } from '../lib/store.ts'

/** A picture or film to be looked at. */
export type Viewed = {
  digest: string
  name: string
  /** As it is declared; null where only the file itself tells. */
  mediaType: string | null
  size: number | null
  /** The creative that has the file: what made it can be asked. */
  creativeId?: string
  /** What is known of it where it stands: which option, which item, what it cost. */
  facts?: readonly (readonly [name: string, value: string])[]
  /** What can be done with it there, such as choosing it. */
  act?: { label: string; run: () => void }
}

/**
 * `beside`: the picture that stands at the left of the one at `at`, to compare them; null where one is shown alone.
 * `reviewed`: what is said and decided of it is shown at once, on a narrow screen too.
 */
type Opened = { pictures: readonly Viewed[]; at: number; beside: number | null; reviewed: boolean }
const opened = createStore<Opened | null>(null)

export const openViewer = (
  pictures: readonly Viewed[],
  at: number,
  { beside = null, reviewed = false }: { beside?: number | null; reviewed?: boolean } = {},
): void => {
  if (pictures.length > 0)
    opened.set({ pictures, at: Math.min(Math.max(0, at), pictures.length - 1), beside, reviewed })
}
export const closeViewer = (): void => opened.set(null)
export const useViewer = (): Opened | null => useStore(opened, (value) => value)
