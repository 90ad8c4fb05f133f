// In charge of settings that this browser remembers for its user. If the browser refuses storage, nothing is remembered.

export function remembered<T>(key: string, isValid: (value: unknown) => value is T, fallback: T): T {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(`atelier.${key}`) ?? 'null')
    return isValid(value) ? value : fallback
  } catch {
    return fallback
  }
}

export function remember(key: string, value: unknown): void {
  try {
    localStorage.setItem(`atelier.${key}`, JSON.stringify(value))
  } catch {
    // Browsers may refuse storage in private windows; the setting is then lost when the page is closed.
  }
}

export const isTextList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((entry) => typeof entry === 'string')
