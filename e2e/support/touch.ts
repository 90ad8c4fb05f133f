// In charge of simulating a finger in tests: taps, holds, swipes and drags, sent to the browser as events of a touchscreen.
import type { BrowserContextOptions, CDPSession, Page } from 'playwright-core'

/** Options of a browser context that behaves like a phone in portrait orientation. */
export const phone = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
} as const satisfies BrowserContextOptions

type Point = { x: number; y: number }

export type Finger = {
  down(at: Point): Promise<void>
  /** Moves the finger in `steps` steps; after each, waits until the page draws its next frame. */
  move(to: Point, steps?: number): Promise<void>
  up(): Promise<void>
}

export async function fingerOn(page: Page): Promise<Finger> {
  const session: CDPSession = await page.context().newCDPSession(page)
  let at: Point = { x: 0, y: 0 }
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: Point[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints })
  const frame = () => page.evaluate('new Promise((resolve) => requestAnimationFrame(() => resolve()))')
  return {
    async down(point) {
      at = point
      await send('touchStart', [at])
    },
    async move(to, steps = 8) {
      const from = at
      for (let step = 1; step <= steps; step += 1) {
        const share = step / steps
        at = { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share }
        await send('touchMove', [at])
        await frame()
      }
    },
    up: async () => void (await send('touchEnd', [])),
  }
}
