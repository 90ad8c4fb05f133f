// In charge of returning a user after the sign-in to the page that the user had opened before the sign-in in the same browser tab.

const key = 'atelier.return-to'
/** An address that was stored longer ago is ignored, because nobody needs that long to sign in. */
const goodForMs = 10 * 60_000

export function keepPlace(): void {
  const to = location.pathname + location.search + location.hash
  try {
    if (to !== '/') sessionStorage.setItem(key, JSON.stringify({ to, at: Date.now() }))
  } catch {
    // Browsers may refuse storage in private windows; the user then sees the board after the sign-in.
  }
}

/**
 * Returns the path within this app to open after the sign-in, and forgets the path. Null if no path is stored, if it was stored too
 * long ago, or if the page that is open now is not the start page.
 */
export function takePlace(): string | null {
  try {
    const { to, at } = JSON.parse(sessionStorage.getItem(key) ?? '{}')
    sessionStorage.removeItem(key)
    const isAtStart = location.pathname === '/'
    return isAtStart && typeof to === 'string' && /^\/(?!\/)/.test(to) && Date.now() - at < goodForMs ? to : null
  } catch {
    return null
  }
}
