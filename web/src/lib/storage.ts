// In charge of what this browser remembers for its user. If the browser refuses storage, nothing is remembered.

/** `tab`: until the tab is closed, and only in this tab. `browser`: for good. */
type Place = 'browser' | 'tab'

const storageOf = (place: Place): Storage => (place === 'tab' ? sessionStorage : localStorage)

export function remembered<T>(
  key: string,
  isValid: (value: unknown) => value is T,
  fallback: T,
  place: Place = 'browser',
): T {
  try {
    const value: unknown = JSON.parse(storageOf(place).getItem(`atelier.${key}`) ?? 'null')
    return isValid(value) ? value : fallback
  } catch {
    return fallback
  }
}

export function remember(key: string, value: unknown, place: Place = 'browser'): void {
  try {
    storageOf(place).setItem(`atelier.${key}`, JSON.stringify(value))
  } catch {
    // Browsers may refuse storage in private windows; the value is then lost when the page is closed.
  }
}

export const isTextList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((entry) => typeof entry === 'string')
