// In charge of the way back to where somebody was led before they had to sign in: a link in a mail, say. For this tab only.

const key = 'atelier.return-to'
/** Longer ago than signing in takes, it is no longer what is wanted. */
const goodForMs = 10 * 60_000

export function keepPlace(): void {
  const to = location.pathname + location.search + location.hash
  try {
    if (to !== '/') sessionStorage.setItem(key, JSON.stringify({ to, at: Date.now() }))
  } catch {
    // Private windows refuse; signing in then leads to the board.
  }
}

/** Where to go now that somebody is signed in, once; null: they stay. Only ever an address of ours, as it is a path that was open here. */
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
