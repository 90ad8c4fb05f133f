// In charge of signing pictures that leave the product, with the operator's certificate or with one that this installation made.
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { certificatesFrom } from '../platform/certificates.ts'
import type { Config } from '../platform/config.ts'
import { OperatorError, wordsOf } from '../platform/operator-error.ts'
import { productVersion } from '../platform/version.ts'
import type { Checked } from './images/manifest.ts'
import { type Signer, type SignJob, signingPackage } from './images/sign.ts'
import type { PictureWorkers } from './images/workers.ts'

export type Credentials = {
  sign(job: Omit<SignJob, 'signer' | 'version'>): Promise<Uint8Array>
  /**
   * Reads the content credentials in a file. The result is `Trusted` only if the current signer's or this installation's own
   * certificate signed them, not another certificate of the same authority.
   */
  check(bytes: Uint8Array, mediaType: string): Promise<Checked>
  /** The serial number, in decimal, of the certificate that this installation made for itself. */
  localSerial: string
} & (
  | { signer: Signer & { name: string; isOwn: boolean } }
  /** `reason`: why this installation does not sign. */
  | { signer: null; reason: string }
)

export type CredentialSettings = Pick<Config, 'signs' | 'signingCertificate' | 'signingKey'>

/** The time limit for signing or checking one picture. */
const seconds = 60

export function createCredentials(
  { signs, signingCertificate: certificate, signingKey: key }: CredentialSettings,
  secret: Buffer,
  workers: Pick<PictureWorkers, 'sign' | 'check'>,
): Credentials {
  const own = ownSigner(secret)
  const signer = !signs || certificate === null || key === null ? own : signerFrom(certificate, key)
  const limit = () => AbortSignal.timeout(seconds * 1000)
  const root = [...new Set([signer.root, own.root])].join('\n')
  const localSerial = serialOf(own.chain)
  const serials = [serialOf(signer.chain), localSerial]
  const reading = {
    localSerial,
    check: async (picture: Uint8Array, mediaType: string): Promise<Checked> => {
      const checked = await workers.check({ picture, mediaType, root }, limit())
      // The library trusts all certificates of the authority, but an authority has other customers too. Its serial numbers tell
      // them apart. The library is not told to trust these two certificates alone: then a picture would no longer be trusted if it
      // was made from one that an earlier certificate of the operator signed.
      const isOurs = checked.serial !== null && serials.includes(checked.serial)
      return checked.state === 'Trusted' && !isOurs ? { ...checked, state: 'Valid' } : checked
    },
  }
  const without = (reason: string): Credentials => ({
    ...reading,
    signer: null,
    reason,
    sign: () => Promise.reject(new Error('Nothing signs here.')),
  })
  if (!signs) return without('Signing is switched off (ATELIER_C2PA).')
  if (!isInstalled()) return without('The library for content credentials is not there for this platform.')
  return {
    ...reading,
    signer,
    sign: (job) => workers.sign({ ...job, signer, version: productVersion }, limit()),
  }
}

/**
 * Whether the package that signs is installed. Even then, the first signing may fail, because the package's native code is only
 * loaded then.
 */
function isInstalled(): boolean {
  if (process.platform !== 'linux' || process.arch !== 'x64') return false
  try {
    return existsSync(new URL('./index.node', import.meta.resolve(signingPackage)))
  } catch {
    return false
  }
}

/** The serial number, in decimal, of the first certificate of a chain. */
const serialOf = (chain: string): string => BigInt(`0x${new X509Certificate(chain).serialNumber}`).toString()

function ownSigner(secret: Buffer) {
  return {
    ...certificatesFrom(secret, 'Atelier'),
    algorithm: 'ed25519',
    name: 'Atelier (its own certificate)',
    isOwn: true,
  }
}

function signerFrom(certificatePath: string, keyPath: string) {
  const chain = read(certificatePath, 'ATELIER_C2PA_CERT')
  const text = read(keyPath, 'ATELIER_C2PA_KEY')
  const certificates = chain.match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g) ?? []
  const first = parsed(() => new X509Certificate(certificates[0] ?? ''), 'ATELIER_C2PA_CERT', 'a certificate as PEM')
  const key = parsed(() => createPrivateKey(text), 'ATELIER_C2PA_KEY', 'a private key as PEM, without a passphrase')
  if (!first.checkPrivateKey(key))
    throw new OperatorError('ATELIER_C2PA_KEY is not the key of the first certificate in ATELIER_C2PA_CERT.')
  const name = /^CN=(.*)$/m.exec(first.subject)?.[1] ?? first.subject
  const pem = key.export({ type: 'pkcs8', format: 'pem' }).toString()
  return { chain, root: certificates.at(-1) ?? chain, key: pem, algorithm: algorithmOf(key), name, isOwn: false }
}

const algorithms: Readonly<Record<string, string>> = {
  ed25519: 'ed25519',
  rsa: 'ps256',
  'rsa-pss': 'ps256',
  prime256v1: 'es256',
  secp384r1: 'es384',
  secp521r1: 'es512',
}

function algorithmOf({ asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject): string {
  const algorithm = algorithms[(type === 'ec' ? details?.namedCurve : type) ?? '']
  if (algorithm !== undefined) return algorithm
  throw new OperatorError('ATELIER_C2PA_KEY must be an Ed25519, P-256, P-384, P-521 or RSA key.')
}

function read(path: string, name: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new OperatorError(`${name} names a file that cannot be read: ${wordsOf(error)}.`)
  }
}

function parsed<T>(parse: () => T, name: string, what: string): T {
  try {
    return parse()
  } catch {
    throw new OperatorError(`${name} must name a file with ${what}.`)
  }
}
