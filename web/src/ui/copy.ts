// In charge of copying a text to the clipboard; where the browser forbids it (without TLS), the text is shown to be copied.
import { tell } from './toasts.tsx'

export function copyText(text: string, done: string): void {
  // Missing on pages without TLS, although the types say otherwise.
  const clipboard: Clipboard | undefined = navigator.clipboard
  const written = clipboard?.writeText(text) ?? Promise.reject(new Error('There is no clipboard.'))
  written
    .then(() => done)
    .catch(() => text)
    .then(tell)
}
