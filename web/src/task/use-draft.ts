// In charge of what is being typed over a value that others may change at the same time: what they did shows, unless it
// would wipe out something that is typed, and then it is known what the typing began on.
import { useEffect, useRef, useState } from 'react'

export type Draft<T> = {
  draft: T
  setDraft: (draft: T) => void
  /** Whether the value has changed since the typing began. */
  isOvertaken: () => boolean
  /** Lets go of the draft, for the value as it is now. */
  letGo: () => void
  /** Told when what was typed has been saved, which the service may have written a little differently. */
  settle: (saved: T) => void
}

export function useDraft<T>(value: T): Draft<T> {
  const text = JSON.stringify(value)
  const [draft, setDraft] = useState(value)
  const base = useRef(text)
  const now = useRef({ draft, value, text })
  now.current = { draft, value, text }
  useEffect(() => {
    const typed = JSON.stringify(now.current.draft)
    if (typed !== base.current && typed !== text) return
    base.current = text
    setDraft(JSON.parse(text))
  }, [text])
  return {
    draft,
    setDraft,
    isOvertaken: () => base.current !== now.current.text,
    letGo: () => {
      base.current = now.current.text
      setDraft(now.current.value)
    },
    settle: (saved) => {
      const hasArrived = base.current !== now.current.text
      const isUntouched = JSON.stringify(now.current.draft) === JSON.stringify(saved)
      base.current = hasArrived ? now.current.text : JSON.stringify(saved)
      if (hasArrived && isUntouched) setDraft(now.current.value)
    },
  }
}
