// In charge of putting a text on the clipboard; where a page may not (without TLS), it is shown to be copied by hand.
import { tell } from './toasts.tsx'

export function copyText(text: string, done: string): void {
  // Not there on pages without TLS, whatever the types say.
  const clipboard: Clipboard | undefined = navigator.clipboard
  const written = clipboard?.writeText(text) ?? Promise.reject(new Error('There is no clipboard.'))
  written
    .then(() => done)
    .catch(() => text)
    .then(tell)
}
