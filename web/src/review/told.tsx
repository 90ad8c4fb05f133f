// In charge of telling screen readers that something is done which others see happen, such as a comment that was sent.
import { type ReactNode, useState } from 'react'

/** Returns the place of the words, which has to stay on the page, and a function that puts words there. */
export function useTold(): [place: ReactNode, tell: (words: string) => void] {
  const [told, setTold] = useState({ words: '', count: 0 })
  const place = (
    <p className="visually-hidden" role="status">
      {/* With another key, the same words are spoken again. */}
      <span key={told.count}>{told.words}</span>
    </p>
  )
  return [place, (words) => setTold(({ count }) => ({ words, count: count + 1 }))]
}
