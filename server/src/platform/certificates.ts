// In charge of making the product's own X.509 certificates: a root certificate, and a certificate that is signed by the root and
// used to sign pictures. Both are derived from a secret, so that all processes that use a database have the same certificates
// without storing them. The certificates use Ed25519, because its signatures are deterministic.
import { createPrivateKey, createPublicKey, hkdfSync, type KeyObject, sign } from 'node:crypto'

export type Certificates = {
  /** Two certificates as PEM: first the one for signing pictures, then the root. */
  chain: string
  /** The root certificate alone, for users who want to trust it. */
  root: string
  /** The private key for signing pictures, as PEM. */
  key: string
}

/** The dates are fixed, so that all processes derive the same certificates. The period is long enough for every use. */
const validity = { from: '20260101000000Z', to: '20560101000000Z' } as const

export function certificatesFrom(secret: Buffer, name: string): Certificates {
  const rootKey = keyFrom(secret, 'root')
  const leafKey = keyFrom(secret, 'leaf')
  const rootName = distinguishedName(name, `${name} root`)
  const root = certificate({
    serial: serialFrom(secret, 'root'),
    issuer: rootName,
    subject: rootName,
    subjectKey: rootKey,
    issuerKey: rootKey,
    usages: [
      extension('551d13', sequence(boolean(true)), true), // basicConstraints: a certificate authority
      extension('551d0f', bits(0x06, 1), true), // keyUsage: keyCertSign, cRLSign
    ],
  })
  const leaf = certificate({
    serial: serialFrom(secret, 'leaf'),
    issuer: rootName,
    subject: distinguishedName(name, name),
    subjectKey: leafKey,
    issuerKey: rootKey,
    usages: [
      extension('551d13', sequence(), true),
      extension('551d0f', bits(0x80, 7), true), // keyUsage: digitalSignature
      extension('551d25', sequence(tag(0x06, Buffer.from('2b06010505070304', 'hex'))), false), // emailProtection, as C2PA requires
    ],
  })
  return {
    chain: pem('CERTIFICATE', leaf) + pem('CERTIFICATE', root),
    root: pem('CERTIFICATE', root),
    key: leafKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

type Asked = {
  serial: Buffer
  issuer: Buffer
  subject: Buffer
  subjectKey: KeyObject
  issuerKey: KeyObject
  usages: Buffer[]
}

function certificate({ serial, issuer, subject, subjectKey, issuerKey, usages }: Asked): Buffer {
  const algorithm = sequence(tag(0x06, Buffer.from('2b6570', 'hex'))) // Ed25519
  const time = (text: string): Buffer =>
    text < '2050' ? tag(0x17, Buffer.from(text.slice(2))) : tag(0x18, Buffer.from(text))
  const content = sequence(
    tag(0xa0, tag(0x02, Buffer.from([2]))), // version 3
    tag(0x02, serial),
    algorithm,
    issuer,
    sequence(time(validity.from), time(validity.to)),
    subject,
    publicKeyOf(subjectKey),
    tag(
      0xa3,
      sequence(
        ...usages,
        extension('551d0e', tag(0x04, keyId(subjectKey)), false), // subjectKeyIdentifier
        extension('551d23', sequence(tag(0x80, keyId(issuerKey))), false), // authorityKeyIdentifier
      ),
    ),
  )
  return sequence(content, algorithm, tag(0x03, Buffer.concat([Buffer.from([0]), sign(null, content, issuerKey)])))
}

const derive = (secret: Buffer, what: string, length: number): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(0), `certificates/${what}`, length))

function keyFrom(secret: Buffer, what: string): KeyObject {
  const head = Buffer.from('302e020100300506032b657004220420', 'hex')
  return createPrivateKey({
    key: Buffer.concat([head, derive(secret, `key/${what}`, 32)]),
    format: 'der',
    type: 'pkcs8',
  })
}

/** Returns a serial number, which must be positive and must not begin with a zero byte. */
function serialFrom(secret: Buffer, what: string): Buffer {
  const serial = derive(secret, `serial/${what}`, 16)
  serial[0] = ((serial[0] ?? 0) & 0x3f) | 0x40
  return serial
}

const publicKeyOf = (key: KeyObject): Buffer => createPublicKey(key).export({ type: 'spki', format: 'der' })
const keyId = (key: KeyObject): Buffer => publicKeyOf(key).subarray(-20)

const distinguishedName = (organization: string, common: string): Buffer =>
  sequence(
    ...[['55040a', organization] as const, ['550403', common] as const].map(([id, text]) =>
      tag(0x31, sequence(oid(id), tag(0x0c, Buffer.from(text)))),
    ),
  )

const extension = (id: string, value: Buffer, isCritical: boolean): Buffer =>
  sequence(oid(id), ...(isCritical ? [boolean(true)] : []), tag(0x04, value))

const oid = (hex: string): Buffer => tag(0x06, Buffer.from(hex, 'hex'))
const boolean = (value: boolean): Buffer => tag(0x01, Buffer.from([value ? 0xff : 0]))
const bits = (value: number, unused: number): Buffer => tag(0x03, Buffer.from([unused, value]))
const sequence = (...parts: Buffer[]): Buffer => tag(0x30, Buffer.concat(parts))

/** Encodes an ASN.1 value in DER. */
function tag(kind: number, content: Buffer): Buffer {
  const { length } = content
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([kind, ...size]), content])
}

const pem = (what: string, der: Buffer): string =>
  `-----BEGIN ${what}-----\n${der.toString('base64').replace(/.{64}/g, '$&\n').trim()}\n-----END ${what}-----\n`
