// In charge of the comparison in the viewer: another picture, or another version of this one, and how the two are compared.
import { useState } from 'react'
import type { Version } from '../review/queries.ts'
import type { Viewed } from '../ui/viewer-store.ts'
import type { Comparing } from '../ui/viewer-view.ts'

type Given = { pictures: readonly Viewed[]; at: number; firstBeside: number | null; picture: Viewed | undefined }

export type Compared = ReturnType<typeof useCompared>

export function useCompared({ pictures, at, firstBeside, picture }: Given) {
  /** The index of the picture on the left; null if no other picture is compared. */
  const [beside, setBeside] = useState(firstBeside)
  const [version, setVersion] = useState<Version | null>(null)
  const [comparing, setComparing] = useState<Comparing>('side')
  /** How much of the upper picture is visible when one covers the other, in percent. */
  const [share, setShare] = useState(50)
  const other = beside === null || beside === at ? undefined : pictures[beside]
  const left = picture ? (asVersion(picture, version) ?? other) : undefined
  return {
    ...{ left, comparing, setComparing, share, setShare, setVersion },
    /** Starts or ends a comparison: with another version if there is one, else this picture moves left and the next one opens. */
    turn: (before: Version | undefined, go: (to: number) => void) => {
      setVersion(left || !before ? null : before)
      setBeside(left || before || pictures.length < 2 ? null : at)
      if (!left && !before && pictures.length > 1) go(at + 1 < pictures.length ? at + 1 : at - 1)
    },
  }
}

/** The picture in one of its versions; undefined if the version is of another creative. */
export function asVersion(picture: Viewed, version: Version | null): Viewed | undefined {
  if (!version || version.creative_id !== picture.creativeId) return undefined
  const { number, file, media_type, size } = version
  return { ...picture, digest: file, name: `${picture.name}, v${number}`, mediaType: media_type, size }
}
