// In charge of telling screen readers that something is done which others see happen, such as a comment that was sent.
import { type ReactNode, useState } from 'react'

/** Words for a live region. `count`: how often something was told; with another count, the same words are spoken again. */
export const Told = ({ words, count }: { words: string; count: number }) => <span key={count}>{words}</span>

/** Returns the place of the words, which has to stay on the page, and a function that puts words there. */
export function useTold(): [place: ReactNode, tell: (words: string) => void] {
  const [told, setTold] = useState({ words: '', count: 0 })
  const place = (
    <p className="visually-hidden" role="status">
      <Told {...told} />
    </p>
  )
  return [place, (words) => setTold(({ count }) => ({ words, count: count + 1 }))]
}
