// In charge of finding the browsers of the tests on this machine, and of installing them where that is possible.
import { existsSync, globSync } from 'node:fs'
import path from 'node:path'
import { installByApt } from './apt.ts'

/** Without its window, Chromium takes a fifth less processor time for the same pages; so its shell comes first. */
const chromiums = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']

/** The browser to test with: what `CHROMIUM` says, else the first on the PATH. */
export const findChromium = (): string | null => process.env.CHROMIUM || onPath(chromiums)

/** What `FIREFOX` says, else the one on the PATH: Debian's first. */
export const findFirefox = (): string | null => process.env.FIREFOX || onPath(['firefox-esr', 'firefox'])

/** WebKit with a driver, and a screen for it: Debian's packages `webkit2gtk-driver` and `xvfb`, which are 230 with what they need. */
export function findWebKit(): { driver: string; browser: string } | null {
  const driver = onPath(['WebKitWebDriver'])
  const browser = globSync('/usr/lib/*/webkit2gtk-4.*/MiniBrowser').toSorted().at(-1)
  return driver && browser && onPath(['xvfb-run']) ? { driver, browser } : null
}

/** Both return null, or the reason why that failed. */
export const installChromium = (): string | null =>
  installByApt(['chromium-headless-shell', 'chromium'], () => findChromium() !== null)
export const installFirefox = (): string | null => installByApt(['firefox-esr'], () => findFirefox() !== null)

function onPath(names: readonly string[]): string | null {
  const folders = ['/usr/bin', ...(process.env.PATH ?? '').split(path.delimiter)]
  const places = names.flatMap((name) => folders.map((folder) => path.join(folder, name)))
  return places.find((place) => existsSync(place)) ?? null
}
