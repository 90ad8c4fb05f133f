// In charge of testing in WebKit, which is controlled by its own WebDriver and not by Playwright. Elements are found by role and
// name, as in the other browsers; `@testing-library/dom`, which is loaded into the page, does this.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type AddressInfo, createServer } from 'node:net'
import { Builder, error, type WebDriver, type WebElement } from 'selenium-webdriver'
import { findWebKit } from '../../scripts/browsers.ts'

const queries = readFileSync(
  createRequire(import.meta.url).resolve('@testing-library/dom/dist/@testing-library/dom.umd.min.js'),
  'utf8',
)

/** How long in ms an awaited element may take to appear. The time is long, because pages are drawn without a graphics card. */
const patience = 60_000

export type WebKitPage = {
  goto(url: string): Promise<void>
  url(): Promise<string>
  evaluate<T>(script: string): Promise<T>
  /** Waits for an element with this role and name, in `within` if that is given. Returns the first such element. */
  find(role: string, name: string | RegExp, within?: WebElement): Promise<WebElement>
  /** Waits for an element with this text, in `within` if that is given. Returns the first such element. */
  findText(text: string | RegExp, within?: WebElement): Promise<WebElement>
  /** Waits until the element exists, is enabled and does not move; then clicks it with the mouse. */
  click(role: string, name: string | RegExp, within?: WebElement): Promise<void>
  /** Waits until the field with this label has the focus, then types into it. */
  typeInto(label: string | RegExp, text: string): Promise<void>
  /** Sends keys to the focused element. */
  press(...keys: string[]): Promise<void>
  /** Presses a key while another key is held. */
  pressWith(held: string, key: string): Promise<void>
  /** Waits until `holds` returns true. `what`: what is awaited, for the error message. */
  until(holds: () => Promise<boolean>, what: string): Promise<void>
}

/** Starts a browser with one page; `close` ends all its processes. */
export async function launchWebKit(): Promise<{ page: WebKitPage; close: () => Promise<void> }> {
  const places = findWebKit()
  if (!places) throw new Error('There is no WebKit with a driver: install webkit2gtk-driver and xvfb.')
  const port = await freePort()
  const screen = ['-a', '-s', '-screen 0 1366x900x24']
  const child = spawn('xvfb-run', [...screen, places.driver, `--port=${port}`, '--host=127.0.0.1'], {
    // WebKit cannot use its sandbox if root starts it. It needs no sandbox here, because it opens only the service under test.
    env: { ...process.env, WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1', GIO_USE_VFS: 'local' },
    stdio: 'ignore',
    detached: true,
  })
  try {
    const driver = await connect(port, places.browser)
    const close = async (): Promise<void> => {
      await driver.quit().catch(() => undefined)
      await end(child)
    }
    return { page: pageOf(driver), close }
  } catch (failure) {
    await end(child)
    throw failure
  }
}

async function connect(port: number, binary: string): Promise<WebDriver> {
  const until = performance.now() + patience
  for (;;) {
    try {
      return await new Builder()
        .usingServer(`http://127.0.0.1:${port}`)
        .withCapabilities({
          browserName: 'MiniBrowser',
          'webkitgtk:browserOptions': { binary, args: ['--automation'] },
        })
        .build()
    } catch (failure) {
      if (performance.now() > until || !String(failure).includes('ECONNREFUSED')) throw failure
    }
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.pid === undefined) return
  const ended = once(child, 'exit')
  // The minus sign ends the whole process group: the virtual screen, the driver and the browser.
  process.kill(-child.pid, 'SIGTERM')
  await ended
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  // The cast is safe, because the server listens on a TCP port.
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** The errors of an element that is not ready yet; after such an error, `until` tries again. */
const passing = [
  error.NoSuchElementError,
  error.StaleElementReferenceError,
  error.ElementClickInterceptedError,
  error.ElementNotInteractableError,
]

function pageOf(driver: WebDriver): WebKitPage {
  const until = async (holds: () => Promise<boolean>, what: string): Promise<void> => {
    await driver.wait(
      () =>
        holds().catch((failure: unknown) => {
          if (passing.some((kind) => failure instanceof kind)) return false
          throw failure
        }),
      patience,
      `Waited for ${what}`,
    )
  }
  const query = async (call: string, given: unknown, within: WebElement | undefined): Promise<WebElement | null> => {
    const answer = await driver.executeScript<WebElement | 'not loaded' | null>(
      `if (!('TestingLibraryDom' in globalThis)) return 'not loaded'
       const [given, within] = arguments
       const matching = (text) => (text.pattern === undefined ? text : new RegExp(text.pattern, text.flags))
       return TestingLibraryDom.${call}[0] ?? null`,
      given,
      within ?? null,
    )
    if (answer !== 'not loaded') return answer
    // A page that was just opened does not have the query functions yet: they are loaded here, and the next attempt finds them.
    await driver.executeScript(queries)
    return null
  }
  const found = async (what: string, look: () => Promise<WebElement | null>): Promise<WebElement> => {
    let element: WebElement | null = null
    await until(async () => {
      element = await look()
      return element !== null
    }, what)
    if (element === null) throw new Error(`${what} was there and is not`)
    return element
  }
  const lookRole = (role: string, name: string | RegExp, within?: WebElement) =>
    query(
      'queryAllByRole(within ?? document.body, given.role, { name: matching(given.name) })',
      { role, name: sent(name) },
      within,
    )
  const findText = (text: string | RegExp, within?: WebElement) =>
    found(`the text ${text}`, () =>
      query('queryAllByText(within ?? document.body, matching(given.text))', { text: sent(text) }, within),
    )
  return {
    goto: (url) => driver.get(url),
    url: () => driver.getCurrentUrl(),
    evaluate: (script) => driver.executeScript(script),
    find: (role, name, within) => found(`${role} ${name}`, () => lookRole(role, name, within)),
    findText,
    async click(role, name, within) {
      await until(async () => {
        const element = await lookRole(role, name, within)
        if (element === null || !(await element.isEnabled()) || !(await isStill(element))) return false
        await element.click()
        return true
      }, `${role} ${name} to be pressed`)
    },
    async typeInto(label, text) {
      await until(
        async () =>
          (await query(
            'queryAllByLabelText(document.body, matching(given.label)).filter((field) => field === document.activeElement)',
            { label: sent(label) },
            undefined,
          )) !== null,
        `the focus in ${label}`,
      )
      await driver.actions().sendKeys(text).perform()
    },
    pressWith: (held, key) => driver.actions().keyDown(held).sendKeys(key).keyUp(held).perform(),
    press: (...keys) =>
      driver
        .actions()
        .sendKeys(...keys)
        .perform(),
    until,
  }
}

/** Whether the element is not moving. A dialog moves while it opens, so that a click on a button in it could miss the button. */
async function isStill(element: WebElement): Promise<boolean> {
  const [before, after] = [await element.getRect(), await element.getRect()]
  return before.x === after.x && before.y === after.y
}

/** A text, or a regular expression, in a form that can be sent to the page as JSON. */
const sent = (text: string | RegExp) => (typeof text === 'string' ? text : { pattern: text.source, flags: text.flags })
