// In charge of finding the browsers for tests on this machine, and of installing them if possible.
import { existsSync, globSync } from 'node:fs'
import path from 'node:path'
import { installByApt } from './apt.ts'

/** The headless shell comes first, since without a window Chromium uses a fifth less processor time for the same pages. */
const chromiums = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']

/** The browser for tests: the one that `CHROMIUM` names, else the first one on the PATH. */
export const findChromium = (): string | null => process.env.CHROMIUM || onPath(chromiums)

/** The Firefox that `FIREFOX` names, else the one on the PATH, preferably Debian's `firefox-esr`. */
export const findFirefox = (): string | null => process.env.FIREFOX || onPath(['firefox-esr', 'firefox'])

/** WebKit with its driver and a virtual screen: Debian's `webkit2gtk-driver` and `xvfb`, with dependencies 230 packages. */
export function findWebKit(): { driver: string; browser: string } | null {
  const driver = onPath(['WebKitWebDriver'])
  const browser = globSync('/usr/lib/*/webkit2gtk-4.*/MiniBrowser').toSorted().at(-1)
  return driver && browser && onPath(['xvfb-run']) ? { driver, browser } : null
}

/** Both functions return null, or the reason why the installation failed. */
export const installChromium = (): string | null =>
  installByApt(['chromium-headless-shell', 'chromium'], () => findChromium() !== null)
export const installFirefox = (): string | null => installByApt(['firefox-esr'], () => findFirefox() !== null)

function onPath(names: readonly string[]): string | null {
  const folders = ['/usr/bin', ...(process.env.PATH ?? '').split(path.delimiter)]
  const places = names.flatMap((name) => folders.map((folder) => path.join(folder, name)))
  return places.find((place) => existsSync(place)) ?? null
}
