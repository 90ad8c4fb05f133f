// In charge of letting one gesture answer one question only. The next question takes the place of an answered one at once, with its
// buttons at the same pixels: the second press of a double click, or a key that is still held down, would answer it unread. So would
// the words of somebody who is still typing while another person answers the question.
import { useCallback, useEffect, useLayoutEffect, useRef } from 'react'
import { answered, clicked, idleHand, keyed, notTyping, pressed, replaced, typed } from './one-gesture.ts'

/**
 * `shown`: names the question that is shown. Returns a function to be called when a question is answered; it also knows of answers
 * that are given outside of the question, as in the viewer.
 */
export function useOneGesture(shown: string | null): () => void {
  const hand = useRef(idleHand)
  const typing = useRef(notTyping)
  const shownAt = useRef(0)
  useLayoutEffect(() => {
    shownAt.current = performance.now()
    typing.current = replaced(typing.current, shownAt.current)
  }, [shown])
  useEffect(() => {
    const onPress = ({ timeStamp, clientX, clientY }: PointerEvent) => {
      typing.current = notTyping
      hand.current = pressed(hand.current, { at: timeStamp, x: clientX, y: clientY })
    }
    const onClick = (event: MouseEvent) => {
      const { hand: next, isMeant } = clicked(hand.current, event.detail, shownAt.current)
      hand.current = next
      if (!isMeant && isAtQuestion(event)) drop(event)
    }
    const onKey = (event: KeyboardEvent) => {
      hand.current = keyed(hand.current)
      const { typing: next, isMeant } = typed(typing.current, event.timeStamp, isInField(event))
      typing.current = next
      if (!isMeant) drop(event)
      // The browser would press the button that has the focus by now, again and again.
      if (event.repeat && event.key === 'Enter' && isAtQuestion(event, ' button')) event.preventDefault()
    }
    const onKeyUp = (event: KeyboardEvent) => {
      // A button that has the focus is pressed when Space is released.
      if (typing.current.isHeld) drop(event)
    }
    // The document is told before the page's own listeners.
    document.addEventListener('pointerdown', onPress, true)
    document.addEventListener('click', onClick, true)
    document.addEventListener('keydown', onKey, true)
    document.addEventListener('keyup', onKeyUp, true)
    return () => {
      document.removeEventListener('pointerdown', onPress, true)
      document.removeEventListener('click', onClick, true)
      document.removeEventListener('keydown', onKey, true)
      document.removeEventListener('keyup', onKeyUp, true)
    }
  }, [])
  return useCallback(() => {
    hand.current = answered(hand.current)
    typing.current = notTyping
  }, [])
}

const isAtQuestion = ({ target }: Event, inside = ''): boolean =>
  target instanceof Element && target.closest(`.gate-stage${inside}`) !== null

const isInField = ({ target }: Event): boolean =>
  target instanceof Element && target.closest('input:not([type="radio"], [type="checkbox"]), textarea') !== null

function drop(event: Event): void {
  event.preventDefault()
  event.stopPropagation()
}
