// In charge of starting the browsers that pages are tested and measured in.
import { type Browser, type BrowserContextOptions, chromium, firefox } from 'playwright-core'
import { findChromium, findFirefox } from '../../scripts/browsers.ts'

const switches = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export function launchChromium(): Promise<Browser> {
  const executablePath = findChromium()
  if (!executablePath) throw new Error('There is no Chromium: install it, or say where it is with CHROMIUM.')
  return chromium.launch({ executablePath, args: switches })
}

/** Debian's own Firefox, spoken to by WebDriver BiDi: Playwright's protocol for Firefox needs a build of its own. */
export function launchFirefox(): Promise<Browser> {
  const executablePath = findFirefox()
  if (!executablePath) throw new Error('There is no Firefox: install it, or say where it is with FIREFOX.')
  return firefox.launch({ channel: 'moz-firefox', executablePath, firefoxUserPrefs: { 'ui.prefersReducedMotion': 1 } })
}

/** What tests do in a browser only where it can do so. */
export type TestBrowser = {
  launch: () => Promise<Browser>
  /** Without what it cannot pretend. */
  options: (wanted: BrowserContextOptions) => BrowserContextOptions
  /** Whether what a page has kept can be removed, so that its context can serve another test. */
  canForget: boolean
}

const browsers: Record<string, TestBrowser> = {
  chromium: { launch: launchChromium, options: (wanted) => ({ reducedMotion: 'reduce', ...wanted }), canForget: true },
  firefox: {
    launch: launchFirefox,
    options: (wanted) => ({ ...wanted, reducedMotion: null, colorScheme: null, forcedColors: null, contrast: null }),
    canForget: false,
  },
}

export const browserName = process.env.ATELIER_TEST_BROWSER ?? 'chromium'

/** The one that `ATELIER_TEST_BROWSER` names. */
export function testBrowser(): TestBrowser {
  const browser = browsers[browserName]
  if (!browser) throw new Error(`ATELIER_TEST_BROWSER is one of ${Object.keys(browsers).join(', ')}.`)
  return browser
}
