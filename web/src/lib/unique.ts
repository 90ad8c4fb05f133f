// In charge of creating random unique names. `crypto.randomUUID` is not used, because it is missing on pages without TLS.

export function uniqueName(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
