// In charge of copying a text to the clipboard. If the browser refuses, as on pages without TLS, a message shows the text instead.
import { tell } from './toasts.tsx'

export function copyText(text: string, done: string): void {
  // On pages without TLS the clipboard is missing, although the TypeScript type says that it always exists.
  const clipboard: Clipboard | undefined = navigator.clipboard
  const written = clipboard?.writeText(text) ?? Promise.reject(new Error('There is no clipboard.'))
  written
    .then(() => done)
    .catch(() => text)
    .then(tell)
}
