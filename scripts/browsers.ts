// In charge of finding browsers for the tests on this machine, and of installing missing ones if possible.
import { existsSync, globSync } from 'node:fs'
import path from 'node:path'
import { installByApt } from './apt.ts'

/** Names of Chromium in order of preference; the headless shell uses a fifth less processor time for the same pages. */
const chromiums = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']

/** The path of the Chromium for tests: the value of `CHROMIUM` if it is set, otherwise the first installed one; null if none is. */
export const findChromium = (): string | null => process.env.CHROMIUM || onPath(chromiums)

/** The path of the Firefox for tests: the value of `FIREFOX` if set, else Debian's ESR or another one; null if there is none. */
export const findFirefox = (): string | null => process.env.FIREFOX || onPath(['firefox-esr', 'firefox'])

/**
 * Finds a WebKit browser and its driver for tests; null if one of them, or the virtual screen that they need, is missing. Tests do
 * not install them, because Debian's packages `webkit2gtk-driver` and `xvfb` need 230 other packages.
 */
export function findWebKit(): { driver: string; browser: string } | null {
  const driver = onPath(['WebKitWebDriver'])
  const browser = globSync('/usr/lib/*/webkit2gtk-4.*/MiniBrowser').toSorted().at(-1)
  return driver && browser && onPath(['xvfb-run']) ? { driver, browser } : null
}

/** Installs Chromium with apt; like `installFirefox`, returns null, or the reason why the installation failed. */
export const installChromium = (): string | null =>
  installByApt(['chromium-headless-shell', 'chromium'], () => findChromium() !== null)
export const installFirefox = (): string | null => installByApt(['firefox-esr'], () => findFirefox() !== null)

function onPath(names: readonly string[]): string | null {
  const folders = ['/usr/bin', ...(process.env.PATH ?? '').split(path.delimiter)]
  const places = names.flatMap((name) => folders.map((folder) => path.join(folder, name)))
  return places.find((place) => existsSync(place)) ?? null
}
