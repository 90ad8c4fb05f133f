// In charge of encrypting (“sealing”) secrets that must not be readable in the database or a backup. They are encrypted by
// AES-256-GCM with the first key in the settings; all keys in the settings can decrypt.
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

export type Sealing = {
  /** Whether the settings contain a key for sealing. */
  canSeal: boolean
  /** Encrypts a text. `place` names where the result is stored; with another `place`, the result cannot be opened. */
  seal(text: string, place: string): string
  /** Decrypts a sealed text; null if no key in the settings fits, the text was changed, or it was sealed with another `place`. */
  open(sealed: string, place: string): string | null
  /** Whether the text was sealed with another key than the first, and should therefore be sealed again. */
  isOutdated(sealed: string): boolean
}

/** Returns a short name for a key; the name reveals nothing about the key. */
const nameOf = (key: Buffer): string =>
  createHash('sha256').update('atelier key').update(key).digest('hex').slice(0, 12)

/** Each key has 32 bytes; the first key seals. */
export function createSealing(keys: readonly Buffer[]): Sealing {
  const byName = new Map(keys.map((key) => [nameOf(key), key]))
  const [first] = keys
  return {
    canSeal: first !== undefined,
    seal(text, place) {
      if (!first) throw new Error('There is no key to seal with.')
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv(algorithm, first, nonce).setAAD(Buffer.from(place))
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return `1.${nameOf(first)}.${Buffer.concat([nonce, body, cipher.getAuthTag()]).toString('base64url')}`
    },
    open(sealed, place) {
      const [version, name = '', text = ''] = sealed.split('.')
      const key = byName.get(name)
      const bytes = Buffer.from(text, 'base64url')
      if (version !== '1' || !key || bytes.length < nonceBytes + tagBytes) return null
      const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes })
      decipher.setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(-tagBytes))
      try {
        const body = decipher.update(bytes.subarray(nonceBytes, -tagBytes))
        return Buffer.concat([body, decipher.final()]).toString('utf8')
      } catch {
        return null
      }
    },
    isOutdated: (sealed) => first !== undefined && sealed.split('.')[1] !== nameOf(first),
  }
}
