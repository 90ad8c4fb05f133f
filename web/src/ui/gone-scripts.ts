// In charge of what helps if scripts of the app cannot be loaded although the service can be reached. An update of the service has
// removed the files of the version that the page is of, or the browser does not load again what has failed once. Only a reload of the
// page helps.

/** `what` names what could not be loaded, as in “the inspector”. */
export const goneWords = (what: string): string =>
  `It was not possible to load ${what}: the service was probably updated. Load the page again.`

/** The label of the button that loads the page again. */
export const goneLabel = 'Load again'

/**
 * Reloads the page, unless that would lose something, or was tried from this version of the app before. Returns whether it does. The
 * user has just gone to another page, and expects it to load; but a part of the page may have stayed and hold typed text.
 */
export function reloadOnce(): boolean {
  if (wouldLose() || !isFirstOf(versionOfPage())) return false
  location.reload()
  return true
}

/** Whether the browser would ask the user before it reloads the page, because something is not saved. */
const wouldLose = (): boolean => !dispatchEvent(new Event('beforeunload', { cancelable: true }))

/** The addresses of the scripts that the page has begun with, which are others in each version of the app. */
const versionOfPage = (): string =>
  Array.from(document.querySelectorAll<HTMLScriptElement>('script[type="module"][src]'), ({ src }) => src).join(' ')

/** Returns whether this is the first call for a version in this tab. False if the browser stores nothing: nobody could know. */
function isFirstOf(version: string): boolean {
  const key = `atelier.reloaded ${version}`
  try {
    const isFirst = sessionStorage.getItem(key) === null
    sessionStorage.setItem(key, 'yes')
    return isFirst
  } catch {
    return false
  }
}
