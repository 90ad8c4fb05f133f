// Facts about the certificate that signs pictures: the operator's if one is configured, else the one that this installation made.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { needSigning } from '../../test/support/credentials.ts'
import { type CredentialSettings, createCredentials } from './credentials.ts'
import { checkPicture } from './images/sign.ts'
import { createPictureWorkers } from './images/workers.ts'

const workers = createPictureWorkers({ most: 1 })
const secret = Buffer.alloc(32, 1)
const folder = mkdtempSync(join(tmpdir(), 'atelier-certificates-'))
afterAll(() => rmSync(folder, { recursive: true }))

const openssl = (...args: string[]): void => void execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' })
const settings = (certificate: string | null, key: string | null): CredentialSettings => ({
  signs: true,
  signingCertificate: certificate && join(folder, certificate),
  signingKey: key && join(folder, key),
})
const picture = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#24508c' } })
  .jpeg()
  .toBuffer()
const job = {
  picture,
  mediaType: 'image/jpeg',
  title: 'One',
  created: 'http://cv.iptc.org/newscodes/digitalsourcetype/algorithmicMedia',
  actions: [],
  record: {},
  ingredients: [],
}

/** Creates a certificate authority, whose certificates `issueFrom` then issues. */
function createAuthority(): void {
  openssl(
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-keyout',
    'root.key',
    '-out',
    'root.pem',
    '-subj',
    '/O=Nord/CN=Nord root',
    '-days',
    '10',
  )
}

/** Creates what an operator gets from a certificate authority: `name.key` is a key, `name.pem` its certificate and the root's. */
function issue(name: string, ...keyArgs: string[]): void {
  createAuthority()
  issueFrom(name, ...keyArgs)
}

function issueFrom(name: string, ...keyArgs: string[]): void {
  writeFileSync(
    join(folder, 'ee.cnf'),
    'keyUsage=critical,digitalSignature\nextendedKeyUsage=emailProtection\nauthorityKeyIdentifier=keyid\nsubjectKeyIdentifier=hash\nbasicConstraints=critical,CA:FALSE\n',
  )
  openssl('genpkey', ...keyArgs, '-out', `${name}.key`)
  openssl('req', '-new', '-key', `${name}.key`, '-out', 'ee.csr', '-subj', '/O=Nord/CN=Nord studio')
  openssl(
    'x509',
    '-req',
    '-in',
    'ee.csr',
    '-CA',
    'root.pem',
    '-CAkey',
    'root.key',
    '-CAcreateserial',
    '-out',
    'ee.pem',
    '-days',
    '5',
    '-extfile',
    'ee.cnf',
  )
  execFileSync('sh', ['-c', `cat ee.pem root.pem > ${name}.pem`], { cwd: folder })
}

describe('where the library that signs is there', () => {
  beforeEach(needSigning)

  test.for([
    ['P-256', ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256']],
    ['P-384', ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-384']],
    ['Ed25519', ['-algorithm', 'ED25519']],
    ['RSA', ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048']],
  ] as const)(
    'a certificate of the operator’s with a key of %s signs, and its root is who is trusted',
    async ([name, args]) => {
      issue(name, ...args)
      const credentials = createCredentials(settings(`${name}.pem`, `${name}.key`), secret, workers)
      expect(credentials.signer).toMatchObject({ name: 'Nord studio', isOwn: false })
      const signed = await credentials.sign(job)
      const root = credentials.signer?.root ?? ''
      expect(await checkPicture({ picture: signed, mediaType: 'image/jpeg', root })).toMatchObject({ state: 'Trusted' })
    },
  )

  test('another customer’s certificate of the same authority is not taken for the operator’s', async () => {
    createAuthority()
    issueFrom('ours', '-algorithm', 'ED25519')
    issueFrom('theirs', '-algorithm', 'ED25519')
    const [ours, theirs, local] = [
      createCredentials(settings('ours.pem', 'ours.key'), secret, workers),
      createCredentials(settings('theirs.pem', 'theirs.key'), Buffer.alloc(32, 2), workers),
      createCredentials(settings(null, null), secret, workers),
    ]
    const stateOf = async (signed: Promise<Uint8Array>) => (await ours.check(await signed, 'image/jpeg')).state
    expect([await stateOf(ours.sign(job)), await stateOf(theirs.sign(job))]).toEqual(['Trusted', 'Valid'])
    expect(await stateOf(local.sign(job))).toBe('Trusted')
  })

  test('without one our own signs, the same in every process that shares the secret', async () => {
    const [one, other] = [
      createCredentials(settings(null, null), secret, workers),
      createCredentials(settings(null, null), secret, workers),
    ]
    expect(one.signer).toEqual(other.signer)
    const signed = await one.sign(job)
    const root = other.signer?.root ?? ''
    expect(await checkPicture({ picture: signed, mediaType: 'image/jpeg', root })).toMatchObject({ state: 'Trusted' })
  })
})

test('settings that cannot sign are refused at the start, in words', () => {
  issue('one', '-algorithm', 'ED25519')
  issue('two', '-algorithm', 'ED25519')
  writeFileSync(join(folder, 'text.pem'), 'hello')
  const create = (certificate: string, key: string) => () =>
    createCredentials(settings(certificate, key), secret, workers)
  expect(create('nowhere.pem', 'one.key')).toThrow(/^ATELIER_C2PA_CERT names a file that cannot be read/)
  expect(create('text.pem', 'one.key')).toThrow('ATELIER_C2PA_CERT must name a file with a certificate as PEM.')
  expect(create('one.pem', 'text.pem')).toThrow(/^ATELIER_C2PA_KEY must name a file with a private key/)
  expect(create('one.pem', 'two.key')).toThrow(/is not the key of the first certificate/)
})

test('switched off, nothing signs, and it is said why', () => {
  const { signer, ...rest } = createCredentials({ ...settings(null, null), signs: false }, secret, workers)
  expect(signer).toBeNull()
  expect(rest).toMatchObject({ reason: expect.stringMatching(/ATELIER_C2PA/) })
})
