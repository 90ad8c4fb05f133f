// In charge of letting one gesture answer one question only. The next question takes the place of an answered one at once, with its
// buttons at the same pixels: the second press of a double click, or a key that is still held down, would answer it unread.
import { useCallback, useEffect, useLayoutEffect, useRef } from 'react'
import { answered, clicked, idleHand, keyed, pressed } from './one-gesture.ts'

/**
 * `shown`: names the question that is shown. Returns a function to be called when a question is answered; it also knows of answers
 * that are given outside of the question, as in the viewer.
 */
export function useOneGesture(shown: string | null): () => void {
  const hand = useRef(idleHand)
  const shownAt = useRef(0)
  useLayoutEffect(() => {
    shownAt.current = performance.now()
  }, [shown])
  useEffect(() => {
    const onPress = ({ timeStamp, clientX, clientY }: PointerEvent) => {
      hand.current = pressed(hand.current, { at: timeStamp, x: clientX, y: clientY })
    }
    const onClick = (event: MouseEvent) => {
      const { hand: next, isMeant } = clicked(hand.current, event.detail, shownAt.current)
      hand.current = next
      if (!isMeant && isAtQuestion(event)) drop(event)
    }
    const onKey = (event: KeyboardEvent) => {
      hand.current = keyed(hand.current)
      // The browser would press the button that has the focus by now, again and again.
      if (event.repeat && event.key === 'Enter' && isAtQuestion(event, ' button')) event.preventDefault()
    }
    // The document is told before the page's own listeners.
    document.addEventListener('pointerdown', onPress, true)
    document.addEventListener('click', onClick, true)
    document.addEventListener('keydown', onKey, true)
    return () => {
      document.removeEventListener('pointerdown', onPress, true)
      document.removeEventListener('click', onClick, true)
      document.removeEventListener('keydown', onKey, true)
    }
  }, [])
  return useCallback(() => {
    hand.current = answered(hand.current)
  }, [])
}

const isAtQuestion = ({ target }: Event, inside = ''): boolean =>
  target instanceof Element && target.closest(`.gate-stage${inside}`) !== null

function drop(event: Event): void {
  event.preventDefault()
  event.stopPropagation()
}
