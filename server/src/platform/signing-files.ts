// In charge of reading the certificate and the key of an operator's own, with which exported pictures are signed. The settings ask
// whether they can be used, so that a wrong file is told with the other wrong settings, before a database is opened.
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { wordsOf } from './operator-error.ts'

/** `root`: the last certificate of the chain. `algorithm`: its name in the standard for content credentials. */
export type OperatorSigner = { chain: string; root: string; key: string; algorithm: string; name: string }

/** Reads both files; returns the signer, or everything that is wrong with them, each beginning with the name of a setting. */
export function readSigner(
  certificatePath: string,
  keyPath: string,
): { signer: OperatorSigner } | { problems: string[] } {
  const problems: string[] = []
  const from = <T>(name: string, path: string, what: string, parse: (text: string) => T): T | null => {
    const text = read(path)
    if ('problem' in text) {
      problems.push(`${name} ${text.problem}`)
      return null
    }
    try {
      return parse(text.text)
    } catch {
      problems.push(`${name} must name a file with ${what}`)
      return null
    }
  }
  const chain = from('ATELIER_C2PA_CERT', certificatePath, 'a certificate as PEM', chainIn)
  const what = 'a private key as PEM, without a passphrase'
  const key = from('ATELIER_C2PA_KEY', keyPath, what, (text) => createPrivateKey(text))
  const algorithm = key && algorithmOf(key)
  if (key && algorithm === null) problems.push('ATELIER_C2PA_KEY must be an Ed25519, P-256, P-384, P-521 or RSA key')
  if (chain && key && !chain.first.checkPrivateKey(key))
    problems.push('ATELIER_C2PA_KEY is not the key of the first certificate in ATELIER_C2PA_CERT')
  if (!chain || !key || algorithm === null || problems.length > 0) return { problems }
  const { first, text, last } = chain
  const name = /^CN=(.*)$/m.exec(first.subject)?.[1] ?? first.subject
  const pem = key.export({ type: 'pkcs8', format: 'pem' }).toString()
  return { signer: { chain: text, root: last, key: pem, algorithm, name } }
}

function chainIn(text: string): { text: string; first: X509Certificate; last: string } {
  const certificates = text.match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g) ?? []
  return { text, first: new X509Certificate(certificates[0] ?? ''), last: certificates.at(-1) ?? text }
}

const algorithms: Readonly<Record<string, string>> = {
  ed25519: 'ed25519',
  rsa: 'ps256',
  'rsa-pss': 'ps256',
  prime256v1: 'es256',
  secp384r1: 'es384',
  secp521r1: 'es512',
}

const algorithmOf = ({ asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject): string | null =>
  algorithms[(type === 'ec' ? details?.namedCurve : type) ?? ''] ?? null

function read(path: string): { text: string } | { problem: string } {
  try {
    return { text: readFileSync(path, 'utf8') }
  } catch (error) {
    return { problem: `names a file that cannot be read: ${wordsOf(error)}` }
  }
}
