// Facts about callers: from which pages requests are accepted, and which callers count as being on the machine of the service.
import { describe, expect, test } from 'vitest'
import { isFromOwnPage, isOnThisMachine } from './callers.ts'

describe('a page of ours', () => {
  const host = '127.0.0.1:3000'
  const publicUrl = 'https://atelier.example'
  test.each([
    ['of the host that was asked', { origin: 'http://127.0.0.1:3000', fetchSite: 'same-origin', host }, null],
    ['in a browser that says no more', { origin: 'http://127.0.0.1:3000', fetchSite: undefined, host }, null],
    ['at the public address', { origin: 'https://atelier.example', fetchSite: 'same-origin', host }, publicUrl],
  ])('is one %s', (_what, said, address) => {
    expect(isFromOwnPage(said, address)).toBe(true)
  })

  test.each([
    ['that does not say where it is from', { origin: undefined, fetchSite: 'same-origin', host }],
    ['of another host', { origin: 'https://evil.example', fetchSite: undefined, host }],
    ['of another port', { origin: 'http://127.0.0.1:3001', fetchSite: undefined, host }],
    ['of a neighbouring host', { origin: 'https://other.atelier.example', fetchSite: 'same-site', host }],
    ['whose name begins like ours', { origin: 'https://atelier.example.evil', fetchSite: undefined, host }],
    ['at the public host without its TLS', { origin: 'http://atelier.example', host: 'atelier.example' }],
    ['in a sandbox', { origin: 'null', fetchSite: undefined, host }],
    ['of another protocol', { origin: 'ftp://127.0.0.1:3000', fetchSite: undefined, host }],
    ['that the browser calls cross-site', { origin: 'http://127.0.0.1:3000', fetchSite: 'cross-site', host }],
    ['without an origin or a host', { origin: '', fetchSite: undefined, host: undefined }],
  ])('is none %s', (_what, said) => {
    expect(isFromOwnPage({ fetchSite: undefined, ...said }, publicUrl)).toBe(false)
  })
})

describe('a caller on this machine', () => {
  const peer = { ip: '127.0.0.1', localAddress: '127.0.0.1', forwarded: false, trustsProxies: false }
  test.each([
    ['by the loopback address', peer],
    ['by another one of it', { ...peer, ip: '127.1.2.3' }],
    ['by that of IPv6', { ...peer, ip: '::1', localAddress: '::1' }],
    ['by an address written as IPv6', { ...peer, ip: '::ffff:127.0.0.1' }],
    ['by our own address', { ...peer, ip: '192.168.1.5', localAddress: '192.168.1.5' }],
    ['through a proxy we trust', { ...peer, forwarded: true, trustsProxies: true }],
  ])('is one who comes %s', (_what, given) => {
    expect(isOnThisMachine(given)).toBe(true)
  })

  test.each([
    ['from a neighbour', { ...peer, ip: '192.168.1.6', localAddress: '192.168.1.5' }],
    ['through a proxy we do not trust', { ...peer, forwarded: true }],
    ['through one we trust, from elsewhere', { ...peer, ip: '203.0.113.9', forwarded: true, trustsProxies: true }],
    ['from an address that only looks like it', { ...peer, ip: '127.0.0.1.example' }],
  ])('is none who comes %s', (_what, given) => {
    expect(isOnThisMachine(given)).toBe(false)
  })
})
