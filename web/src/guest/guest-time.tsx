// In charge of the time in a film or sound that a guest's comment is about, and of leading a guest to such a time.
import { Switch } from '@mantine/core'
import { type RefObject, type SyntheticEvent, useState } from 'react'
import { timeWords } from '../review/marks.ts'
import type { Shown } from './guest-api.ts'

type Time = {
  /** The time that is shown, in whole seconds; null as long as the film or sound has been neither played nor sought. */
  shown: number | null
  /** Whether the next comment is about this time, and not about the whole. */
  isOn: boolean
  turn: (isOn: boolean) => void
}

/** A time that was noted in another file of the creative does not count. */
export function useTime(media: RefObject<HTMLMediaElement | null>, { file, media_type }: Shown) {
  const [noted, setNoted] = useState<{ file: string; seconds: number } | null>(null)
  const [isOn, turn] = useState(true)
  const shown = noted?.file === file ? noted.seconds : null
  const seek = (seconds: number) => {
    if (!media.current) return
    media.current.currentTime = seconds
    media.current.scrollIntoView({ block: 'nearest' })
  }
  return {
    ...{ shown, isOn, turn },
    /** For the event `timeupdate`. It also comes when nobody has moved the film from its beginning. */
    note: ({ target }: SyntheticEvent) => {
      if (!(target instanceof HTMLMediaElement) || (shown === null && target.currentTime === 0)) return
      const seconds = Math.floor(target.currentTime)
      if (seconds !== shown) setNoted({ file, seconds })
    },
    /** The time for a comment that is sent now; null if the comment is about the whole. */
    read: (): number | null => (shown !== null && isOn ? (media.current?.currentTime ?? null) : null),
    /** Shows this time; null if the creative is neither a film nor a sound. */
    seek: /^(video|audio)\//.test(media_type) ? seek : null,
  }
}

export const AtTime = ({ shown, isOn, turn }: Time) =>
  shown === null ? null : (
    <Switch
      size="md"
      label={`At ${timeWords(shown)}`}
      checked={isOn}
      onChange={({ currentTarget }) => turn(currentTarget.checked)}
    />
  )
