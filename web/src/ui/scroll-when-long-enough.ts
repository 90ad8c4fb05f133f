// In charge of scrolling a page to a place that it may not have yet, because its content is still being read.

/**
 * Scrolls to `top`, if need be again when more of the page is there, until the user does something. Returns a function that stops
 * this. `stopped` is called when this has ended, for whatever reason.
 */
export function scrollWhenLongEnough(main: HTMLElement, top: number, stopped = () => {}): () => void {
  const ending = new AbortController()
  const growing = new MutationObserver(() => scroll())
  const stop = () => {
    growing.disconnect()
    ending.abort()
    stopped()
  }
  const scroll = () => {
    main.scrollTop = top
    if (Math.abs(main.scrollTop - top) < 1) stop()
  }
  growing.observe(main, { childList: true, subtree: true })
  for (const sign of ['wheel', 'pointerdown', 'keydown'])
    addEventListener(sign, stop, { signal: ending.signal, capture: true, passive: true })
  scroll()
  return stop
}
