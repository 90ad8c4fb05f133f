// In charge of starting the browsers in which pages are tested and in which their speed is measured.
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
 * Turns off V8's optimizing compilers, because the page of a test is closed before optimized code has saved the time that compiling
 * it takes. Enlarges the heap for young objects. Together this saves a tenth of the processor time of all tests in Chromium.
 */
const shortLived = '--js-flags=--no-opt --no-maglev --semi-space-growth-factor=4 --min-semi-space-size=16'

export function launchChromium(...more: string[]): Promise<Browser> {
  const executablePath = findChromium()
  if (!executablePath) throw new Error('There is no Chromium: install it, or say where it is with CHROMIUM.')
  return chromium.launch({ executablePath, args: [...switches, ...more] })
}

/** Starts Debian's Firefox, controlled by WebDriver BiDi, because Playwright's own protocol needs a special build of Firefox. */
export function launchFirefox(): Promise<Browser> {
  const executablePath = findFirefox()
  if (!executablePath) throw new Error('There is no Firefox: install it, or say where it is with FIREFOX.')
  return firefox.launch({ channel: 'moz-firefox', executablePath, firefoxUserPrefs: { 'ui.prefersReducedMotion': 1 } })
}

/** How tests start and use a browser; browsers differ in what they support. */
export type TestBrowser = {
  launch: () => Promise<Browser>
  /** Returns the options of a context as this browser supports them: without those that it cannot emulate. */
  options: (wanted: BrowserContextOptions) => BrowserContextOptions
  /** Whether tests can remove the data that pages have stored in a browser context, and so reuse the context. */
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
