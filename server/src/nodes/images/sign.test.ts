// Facts about content credentials: a signed picture is trusted, every later change of it is found, and it keeps the credentials of
// the pictures from which it was made.
import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { beforeEach, describe, expect, test } from 'vitest'
import { needSigning } from '../../../test/support/credentials.ts'
import { certificatesFrom } from '../../platform/certificates.ts'
import { seeded } from '../seeded.ts'
import { checkPicture, type Ingredient, signPicture } from './sign.ts'

const { chain, root, key } = certificatesFrom(Buffer.alloc(32, 7), 'Atelier')
const signer = { chain, root, key, algorithm: 'ed25519' }
const iptc = 'http://cv.iptc.org/newscodes/digitalsourcetype/'
const formats = ['png', 'jpeg', 'webp', 'avif'] as const
const picture = (format: (typeof formats)[number], background = '#24508c') =>
  sharp({ create: { width: 64, height: 48, channels: 3, background } })
    .toFormat(format)
    .toBuffer()

const sign = (
  bytes: Buffer,
  mediaType: string,
  made: string | null,
  ingredients: Ingredient[] = [],
  actions = [{ action: 'c2pa.resized' }],
) =>
  signPicture({
    picture: bytes,
    mediaType,
    title: 'One',
    created: made,
    actions,
    record: { run: 'a' },
    ingredients,
    signer,
    version: '0.2.0',
  })
const check = (bytes: Uint8Array, mediaType: string, trusted = root) =>
  checkPicture({ picture: bytes, mediaType, root: trusted })

describe('where the library that signs is there', () => {
  beforeEach(needSigning)

  test.for(formats)('a signed %s is trusted by our root, whole for others, and keeps its pixels', async (format) => {
    const mediaType = `image/${format}`
    const bytes = await picture(format)
    const signed = await sign(bytes, mediaType, `${iptc}trainedAlgorithmicMedia`)
    const { state, manifests, active } = await check(signed, mediaType)
    expect([state, manifests]).toEqual(['Trusted', 1])
    expect(JSON.stringify(active)).toContain(`${iptc}trainedAlgorithmicMedia`)
    expect(JSON.stringify(active)).toContain('"run":"a"')
    const other = certificatesFrom(Buffer.alloc(32, 8), 'Another').root
    expect((await check(signed, mediaType, other)).state).toBe('Valid')
    expect(await sharp(signed).raw().toBuffer()).toEqual(await sharp(bytes).raw().toBuffer())
    expect((await check(bytes, mediaType)).state).toBeNull()
  })

  /** Flips one bit of a signed picture. If it is still trusted, returns what its credentials say, and its bytes; otherwise null. */
  async function trustedFor(signed: Buffer, at: number, bit: number) {
    const changed = Buffer.from(signed)
    changed[at] = (changed[at] ?? 0) ^ (1 << bit)
    const found = await check(changed, 'image/png').catch(() => null)
    return found?.state === 'Trusted' ? { said: found.active, changed } : null
  }

  test('a change of any of a hundred bytes is found, or changes neither the picture nor what is said of it', async () => {
    const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
    const photo = sharp({ create: { width: 160, height: 120, channels: 3, background: '#24508c', noise } })
    const signed = Buffer.from(await sign(await photo.png().toBuffer(), 'image/png', `${iptc}trainedAlgorithmicMedia`))
    const { active } = await check(signed, 'image/png')
    const chance = seeded(createHash('sha256').update('bytes').digest('hex'))
    const start = signed.indexOf('caBX') - 4
    const end = start + 12 + signed.readUInt32BE(start)
    let inPicture = 0
    for (let tried = 0; tried < 200; tried++) {
      const at = chance.whole(0, signed.length - 1)
      const trusted = await trustedFor(signed, at, chance.whole(0, 7))
      const isPicture = at < start || at >= end
      if (isPicture) inPicture += 1
      // A change in the PNG chunk that contains the credentials may stay unnoticed: the signature does not cover its padding, some
      // flags and labels, and its checksum.
      expect(trusted === null || !isPicture, `byte ${at}`).toBe(true)
      expect(trusted?.said ?? active, `byte ${at}`).toEqual(active)
    }
    expect(inPicture).toBeGreaterThan(100)
  })

  test('a chain of four edits is whole, each with the credentials of what it was made from', async () => {
    const parent = (bytes: Uint8Array, mediaType: string): Ingredient => ({
      bytes,
      mediaType,
      title: 'Before',
      relation: 'parentOf',
    })
    let made = await sign(await picture('png'), 'image/png', `${iptc}trainedAlgorithmicMedia`)
    let mediaType = 'image/png'
    for (const [at, format] of formats.entries()) {
      const next = await picture(format, `#10${at}0c0`)
      made = await sign(next, `image/${format}`, null, [parent(made, mediaType)])
      mediaType = `image/${format}`
      const { state, manifests } = await check(made, mediaType)
      expect([state, manifests]).toEqual(['Trusted', at + 2])
    }
  })

  test('a part of a layout keeps its credentials in it', async () => {
    const part = await sign(await picture('jpeg'), 'image/jpeg', `${iptc}trainedAlgorithmicMedia`)
    const ingredient: Ingredient = { bytes: part, mediaType: 'image/jpeg', title: 'Photo', relation: 'componentOf' }
    const placed = [{ action: 'c2pa.placed', parameters: { ingredientIds: ['ingredient-0'] } }]
    const layout = await sign(
      await picture('png'),
      'image/png',
      `${iptc}compositeWithTrainedAlgorithmicMedia`,
      [ingredient],
      placed,
    )
    expect(await check(layout, 'image/png')).toMatchObject({ state: 'Trusted', manifests: 2 })
  })

  test('what is no picture is refused in words', async () => {
    await expect(sign(Buffer.from('hello'), 'image/png', `${iptc}algorithmicMedia`)).rejects.toThrow(
      /could not be signed/,
    )
  })
})
