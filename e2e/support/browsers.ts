// In charge of starting the browsers in which pages are tested and measured.
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

/**
 * V8 without its optimizing compilers, because a test's page is closed before optimized code has saved the time of its compilation,
 * and with a larger heap for young objects. All tests in Chromium take a tenth less processor time with these options.
 */
const shortLived = '--js-flags=--no-opt --no-maglev --semi-space-growth-factor=4 --min-semi-space-size=16'

export function launchChromium(...more: string[]): Promise<Browser> {
  const executablePath = findChromium()
  if (!executablePath) throw new Error('There is no Chromium: install it, or say where it is with CHROMIUM.')
  return chromium.launch({ executablePath, args: [...switches, ...more] })
}

/** Starts Debian's Firefox, controlled by WebDriver BiDi, since Playwright's own protocol needs a special build of Firefox. */
export function launchFirefox(): Promise<Browser> {
  const executablePath = findFirefox()
  if (!executablePath) throw new Error('There is no Firefox: install it, or say where it is with FIREFOX.')
  return firefox.launch({ channel: 'moz-firefox', executablePath, firefoxUserPrefs: { 'ui.prefersReducedMotion': 1 } })
}

/** How tests use a browser, depending on what it supports. */
export type TestBrowser = {
  launch: () => Promise<Browser>
  /** The wanted options without those that the browser cannot emulate. */
  options: (wanted: BrowserContextOptions) => BrowserContextOptions
  /** Whether the data that pages have stored in a browser context can be removed, so that another test can use the context. */
  canForget: boolean
}

const browsers: Record<string, TestBrowser> = {
  chromium: {
    launch: () => launchChromium(shortLived),
    options: (wanted) => ({ reducedMotion: 'reduce', ...wanted }),
    canForget: true,
  },
  firefox: {
    launch: launchFirefox,
    options: (wanted) => ({ ...wanted, reducedMotion: null, colorScheme: null, forcedColors: null, contrast: null }),
    canForget: false,
  },
}

export const browserName = process.env.ATELIER_TEST_BROWSER ?? 'chromium'

/** The browser that `ATELIER_TEST_BROWSER` names. */
export function testBrowser(): TestBrowser {
  const browser = browsers[browserName]
  if (!browser) throw new Error(`ATELIER_TEST_BROWSER is one of ${Object.keys(browsers).join(', ')}.`)
  return browser
}
