// In charge of starting the Chromium that pages are tested and measured in.
import { type Browser, chromium } from 'playwright-core'
import { findChromium } from '../../scripts/chromium.ts'

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
