// Facts about the certificates that this service makes itself.
import { X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { certificatesFrom } from './certificates.ts'

const secret = Buffer.alloc(32, 3)

test('the same secret gives the same certificates, another one others', () => {
  expect(certificatesFrom(secret, 'Atelier')).toEqual(certificatesFrom(secret, 'Atelier'))
  expect(certificatesFrom(Buffer.alloc(32, 4), 'Atelier').root).not.toBe(certificatesFrom(secret, 'Atelier').root)
})

test('the one that signs is issued by the root, and may issue none itself', () => {
  const { chain, root } = certificatesFrom(secret, 'Atelier')
  const [leaf, issuer] = chain.split(/(?<=-----END CERTIFICATE-----\n)/).map((pem) => new X509Certificate(pem))
  expect(issuer?.toString()).toBe(new X509Certificate(root).toString())
  expect(leaf?.checkIssued(new X509Certificate(root))).toBe(true)
  expect(leaf?.verify(new X509Certificate(root).publicKey)).toBe(true)
  expect([leaf?.ca, issuer?.ca]).toEqual([false, true])
  expect(leaf?.keyUsage).toEqual(['1.3.6.1.5.5.7.3.4'])
  expect(leaf?.subject).toContain('Atelier')
})

test('other secrets give certificates that can be read, whatever their keys are', () => {
  for (let seed = 0; seed < 200; seed++) {
    const { root } = certificatesFrom(Buffer.alloc(32, seed), 'Atelier')
    expect(new X509Certificate(root).verify(new X509Certificate(root).publicKey)).toBe(true)
  }
})
