// In charge of which pictures the viewer shows; any part of the page that shows a picture can open it.
import { createStore, useStore } from '../lib/store.ts'

/** A picture or film to be looked at. */
export type Viewed = {
  digest: string
  name: string
  /** The declared size; null if only the file itself has it. */
  mediaType: string | null
  size: number | null
  /** The creative that has the file; its provenance can be read. */
  creativeId?: string
  /** Text about the picture at this place: which option, which item, what it cost. */
  facts?: readonly (readonly [name: string, value: string])[]
  /** An action on the picture at this place, such as choosing it. */
  act?: { label: string; run: () => void }
}

/**
 * `beside`: the picture left of the one at `at`, for a comparison; null if only one is shown.
 * `reviewed`: the comments and decisions are shown at once, also on a narrow screen.
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
