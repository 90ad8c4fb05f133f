// In charge of comparing the picture in the viewer with another picture or another version, and of how both pictures are shown.
import { useState } from 'react'
import type { Version } from '../review/queries.ts'
import type { Viewed } from '../ui/viewer-store.ts'
import type { Comparing } from '../ui/viewer-view.ts'

type Given = { pictures: readonly Viewed[]; at: number; firstBeside: number | null; picture: Viewed | undefined }

export type Compared = ReturnType<typeof useCompared>

export function useCompared({ pictures, at, firstBeside, picture }: Given) {
  /** The index of the picture on the left; null if the picture is not compared with another picture. */
  const [beside, setBeside] = useState(firstBeside)
  const [version, setVersion] = useState<Version | null>(null)
  const [comparing, setComparing] = useState<Comparing>('side')
  /** How much of the upper picture is visible, in percent, if one picture is shown on top of the other. */
  const [share, setShare] = useState(50)
  const other = beside === null || beside === at ? undefined : pictures[beside]
  const left = picture ? (asVersion(picture, version) ?? other) : undefined
  return {
    ...{ left, comparing, setComparing, share, setShare, setVersion },
    /**
     * Ends the comparison if there is one. Otherwise starts one, with the version `before` on the left. If `before` is undefined,
     * the present picture moves to the left, and the next picture opens (after the last picture, the previous one).
     */
    turn: (before: Version | undefined, go: (to: number) => void) => {
      setVersion(left || !before ? null : before)
      setBeside(left || before || pictures.length < 2 ? null : at)
      if (!left && !before && pictures.length > 1) go(at + 1 < pictures.length ? at + 1 : at - 1)
    },
  }
}

/** Returns the picture as it was in a version; undefined if the version is null or belongs to another creative. */
export function asVersion(picture: Viewed, version: Version | null): Viewed | undefined {
  if (!version || version.creative_id !== picture.creativeId) return undefined
  const { number, file, media_type, size } = version
  return { ...picture, digest: file, name: `${picture.name}, v${number}`, mediaType: media_type, size }
}
