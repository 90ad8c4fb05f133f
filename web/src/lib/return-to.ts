// In charge of returning a user, after signing in, to the page they had opened (by a link in a mail, say). In this tab only.

const key = 'atelier.return-to'
/** Older addresses are ignored: signing in takes less time. */
const goodForMs = 10 * 60_000

export function keepPlace(): void {
  const to = location.pathname + location.search + location.hash
  try {
    if (to !== '/') sessionStorage.setItem(key, JSON.stringify({ to, at: Date.now() }))
  } catch {
    // Private windows may refuse storage; after signing in, the board is shown then.
  }
}

/** The address to open after signing in, returned once; null if there is none. Always a path of this app, as it was open here. */
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
