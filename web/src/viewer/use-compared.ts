// In charge of what stands beside the picture in the viewer: another one, or another version of it, and how.
import { useState } from 'react'
import type { Version } from '../review/queries.ts'
import type { Viewed } from '../ui/viewer-store.ts'
import type { Comparing } from '../ui/viewer-view.ts'

type Given = { pictures: readonly Viewed[]; at: number; firstBeside: number | null; picture: Viewed | undefined }

export type Compared = ReturnType<typeof useCompared>

export function useCompared({ pictures, at, firstBeside, picture }: Given) {
  /** The place of the picture at the left; null: one is shown alone. */
  const [beside, setBeside] = useState(firstBeside)
  const [version, setVersion] = useState<Version | null>(null)
  const [comparing, setComparing] = useState<Comparing>('side')
  /** How much of the one upon the other is seen, in percent. */
  const [share, setShare] = useState(50)
  const other = beside === null || beside === at ? undefined : pictures[beside]
  const left = picture ? (asVersion(picture, version) ?? other) : undefined
  return {
    ...{ left, comparing, setComparing, share, setShare, setVersion },
    /** What is looked at goes to the left, and the next one beside it; a version before it, where there is one. */
    turn: (before: Version | undefined, go: (to: number) => void) => {
      setVersion(left || !before ? null : before)
      setBeside(left || before || pictures.length < 2 ? null : at)
      if (!left && !before && pictures.length > 1) go(at + 1 < pictures.length ? at + 1 : at - 1)
    },
  }
}

/** A picture as one of its versions; undefined where it is none of this picture. */
export function asVersion(picture: Viewed, version: Version | null): Viewed | undefined {
  if (!version || version.creative_id !== picture.creativeId) return undefined
  const { number, file, media_type, size } = version
  return { ...picture, digest: file, name: `${picture.name}, v${number}`, mediaType: media_type, size }
}
