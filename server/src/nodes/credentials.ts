// In charge of signing pictures that leave the product, with the operator's certificate or with one that this installation made.
import { X509Certificate } from 'node:crypto'
import { existsSync } from 'node:fs'
import { certificatesFrom } from '../platform/certificates.ts'
import type { Config } from '../platform/config.ts'
import { OperatorError } from '../platform/operator-error.ts'
import { readSigner } from '../platform/signing-files.ts'
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
  const read = readSigner(certificatePath, keyPath)
  if ('problems' in read) throw new OperatorError(`${read.problems.join('. ')}.`)
  return { ...read.signer, isOwn: false }
}
