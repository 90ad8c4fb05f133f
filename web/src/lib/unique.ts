// In charge of random unique names. `crypto.randomUUID` is missing on pages without TLS, `crypto.getRandomValues` is not.

export function uniqueName(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
