// In charge of telling a press of the pointer that belongs to an earlier answer, as the second press of a double click does, from one
// that is meant for the question that is shown now; and so of keys that were meant for a text field which has gone. Pure.

/** `at` is in ms, as in events of the browser; `x` and `y` are in pixels of the window. */
export type Press = { at: number; x: number; y: number }

/**
 * `down`: the last press, until its click has come. `acting`: the press of the last click; null if a key came after it. `answering`:
 * the last press of the gesture that has answered a question.
 */
export type Hand = { down: Press | null; acting: Press | null; answering: Press | null }

export const idleHand: Hand = { down: null, acting: null, answering: null }

/** How long in ms after a press another one at its place belongs to the same double click, as in most systems. */
const doubleClickMs = 500
/** How far apart in pixels, in each direction, the presses of a double click may be: two taps of a finger are less exact than a mouse. */
const reach = 40

const isNear = (one: Press, next: Press): boolean =>
  Math.abs(next.x - one.x) <= reach && Math.abs(next.y - one.y) <= reach

/**
 * What is known after the pointer was pressed. Each press that follows an answer extends its gesture, as in a triple click; one that
 * is elsewhere ends it, since the hand has gone on.
 */
export function pressed(hand: Hand, press: Press): Hand {
  const { answering } = hand
  if (answering === null || !isNear(answering, press)) return { ...hand, down: press, answering: null }
  const goesOn = press.at - answering.at <= doubleClickMs
  return { ...hand, down: press, answering: goesOn ? press : answering }
}

/**
 * What is known after a click, and whether the click is meant for what is shown. `detail`: which click of a row it is by the system's
 * own time for double clicks; 0 if the click comes from a key or a program. `shownAt`: since when the question has been shown.
 */
export function clicked(hand: Hand, detail: number, shownAt: number): { hand: Hand; isMeant: boolean } {
  const { down: press, acting, answering } = hand
  if (detail === 0 || press === null) return { hand: { ...hand, down: null, acting: null }, isMeant: true }
  const goesOn = answering !== null && (answering === press || (detail > 1 && answering === acting))
  return {
    hand: { down: null, acting: press, answering: goesOn ? press : answering },
    isMeant: !goesOn && press.at >= shownAt,
  }
}

/** What is known after a key: an answer that comes now is not the pointer's. */
export const keyed = (hand: Hand): Hand => ({ ...hand, acting: null })

/** What is known after an answer was given, by the last click or by a key. */
export const answered = (hand: Hand): Hand => ({ ...hand, answering: hand.acting })

/** How long in ms after a key the next one still belongs to what is being typed. */
const pauseMs = 1000

/**
 * Keys that are being typed into a text field. `at`: when the last one came; `isHeld`: whether the field has gone with its question, so
 * that the keys which follow belong to nothing that is shown.
 */
export type Typing = { at: number; isHeld: boolean }

export const notTyping: Typing = { at: Number.NEGATIVE_INFINITY, isHeld: false }

/** What is known after a key, and whether the key is meant for what is shown. `inField`: whether a text field has the focus. */
export function typed(typing: Typing, at: number, inField: boolean): { typing: Typing; isMeant: boolean } {
  if (inField) return { typing: { at, isHeld: false }, isMeant: true }
  const isMeant = !typing.isHeld || at - typing.at > pauseMs
  return { typing: isMeant ? notTyping : { at, isHeld: true }, isMeant }
}

/** What is known after another question has taken the place of the one that was shown. */
export const replaced = (typing: Typing, at: number): Typing =>
  at - typing.at <= pauseMs ? { ...typing, isHeld: true } : notTyping
