// In charge of the pictures that the viewer shows; any component with a picture can open the viewer from here.
import { createStore, useStore } from '../lib/store.ts'

/** A picture or film in the viewer. */
export type Viewed = {
  digest: string
  name: string
  /** The media type; `size` is in bytes. Each is null if it was not recorded. If `size` is null, the viewer requests both. */
  mediaType: string | null
  size: number | null
  /** The creative to which the file belongs, if any. With it, the viewer shows the creative's review and provenance. */
  creativeId?: string
  /** Facts about the picture that depend on where it was opened, for example its option or item, and what it cost. */
  facts?: readonly (readonly [name: string, value: string])[]
  /** An action that the viewer offers for the picture, for example to choose the picture. */
  act?: { label: string; run: () => void }
}

/**
 * `beside`: the index of the picture to compare with, shown to the left of the one at `at`; null for no comparison.
 * `reviewed`: comments and decisions are shown from the start, also on a narrow screen.
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
export const isViewerOpen = (): boolean => opened.get() !== null
/** Calls the listener whenever the viewer is opened or closed. Returns a function that ends this. */
export const watchViewer = opened.subscribe
export const useViewer = (): Opened | null => useStore(opened, (value) => value)
