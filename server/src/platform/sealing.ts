// In charge of encrypting (“sealing”) secrets that must not be readable in the database or a backup: AES-256-GCM with keys from
// the settings; the first key encrypts, all keys decrypt.
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

export type Sealing = {
  /** Whether there is a key for sealing. */
  canSeal: boolean
  /** `place` is bound to the sealed text: a text sealed for one place cannot be opened for another. */
  seal(text: string, place: string): string
  /** Returns null if no key of the settings fits, or if the text was changed. */
  open(sealed: string, place: string): string | null
  /** Whether the text was sealed with a key other than the first, and so should be sealed again. */
  isOutdated(sealed: string): boolean
}

/** Names a key without revealing anything about it. */
const nameOf = (key: Buffer): string =>
  createHash('sha256').update('atelier key').update(key).digest('hex').slice(0, 12)

/** `keys`: 32 bytes each; the first one seals. */
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
