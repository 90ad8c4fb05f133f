// Facts about the addresses that nodes may connect to.
import { expect, test } from 'vitest'
import { failure } from '../../../test/support/nodes.ts'
import { redirect, startOutside, text } from '../../../test/support/outside.ts'
import { guardedAgent, isPublic, publicLookup } from './guard.ts'
import { send } from './send.ts'

const get = (url: string, allowed: string[] = []) =>
  send({
    url,
    agent: guardedAgent(allowed),
    signal: new AbortController().signal,
    limit: 1000,
    who: 'x',
    hasEffect: false,
    redirects: 3,
  })

test.for([
  '127.0.0.1',
  '127.8.9.1',
  '0.0.0.0',
  '10.1.2.3',
  '172.16.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '192.0.0.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  'fe80::1',
  'fe80::1%eth0',
  'fc00::1',
  'fd00:ec2::254',
  'ff02::1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '64:ff9b::7f00:1',
  '::127.0.0.1',
  '::7f00:1',
  '::1.1.1.1',
  '64:ff9b:1::7f00:1',
  '::ffff:0:7f00:1',
  '5f00::1',
  'fec0::1',
  '3fff::1',
  '2001::7f00:1',
  '100::1',
  '2002:7f00:1::',
  '2001:db8::1',
  'not an address',
])('%s is not public', (address) => {
  expect(isPublic(address)).toBe(false)
})

test.for(['168.63.129.16', '::ffff:168.63.129.16'])(
  '%s is not public: a cloud answers its machines there',
  (address) => {
    expect(isPublic(address)).toBe(false)
  },
)

test('an address of this machine is not public, however it is written', () => {
  const own = ['93.184.216.34', '2606:4700:4700::1111', 'fe80::1%eth0']
  const written = ['93.184.216.34', '::ffff:93.184.216.34', '2606:4700:4700:0:0:0:0:1111']
  expect(written.map((address) => isPublic(address, own))).toEqual([false, false, false])
  expect(written.map((address) => isPublic(address, []))).toEqual([true, true, true])
})

test.for(['1.1.1.1', '93.184.216.34', '2606:4700:4700::1111', '::ffff:1.1.1.1'])('%s is public', (address) => {
  expect(isPublic(address)).toBe(true)
})

test.for([
  'http://127.0.0.1:1/',
  'http://[::1]:1/',
  'http://[::ffff:127.0.0.1]:1/',
  'http://2130706433:1/',
  'http://0x7f.1:1/',
  'http://localhost:1/',
  'http://169.254.169.254/latest/meta-data/',
])('nothing is sent to %s', async (url) => {
  expect(await failure(get(url))).toMatchObject({
    message: expect.stringMatching(/not on the public internet/),
    again: null,
  })
})

test('a redirect to a private address is not followed', async () => {
  const inside = await startOutside(text('secret'))
  const outside = await startOutside(redirect(`http://localhost:${inside.port}/`))
  // The agent may connect to the host that redirects, which stands for a public host, but not to the target of the redirect.
  expect((await failure(get(outside.url, [`127.0.0.1:${outside.port}`]))).message).toMatch(
    /localhost is not on the public/,
  )
  expect(inside.seen).toEqual([])
})

test('an allowed host is reached, with its port where that is named', async () => {
  const { url, port } = await startOutside(text('hello'))
  expect((await get(url, ['127.0.0.1'])).body.toString()).toBe('hello')
  expect((await get(url, [`127.0.0.1:${port}`])).body.toString()).toBe('hello')
  expect((await failure(get(url, ['127.0.0.1:1']))).message).toMatch(/not on the public internet/)
})

test('an allowed host with the usual port of its scheme is let through', async () => {
  const reached = /^(?!.*not on the public internet)/
  expect(String(await get('http://127.0.0.1/', ['127.0.0.1:80']).catch((error: unknown) => error))).toMatch(reached)
  expect(String(await get('https://127.0.0.1/', ['127.0.0.1:443']).catch((error: unknown) => error))).toMatch(reached)
  expect((await failure(get('http://127.0.0.1/', ['127.0.0.1:443']))).message).toMatch(/not on the public internet/)
})

test('a name is judged by the addresses it resolves to, when it is connected to', async () => {
  const found = await new Promise<Error | null>((resolve) =>
    publicLookup('localhost', { all: true }, (error) => resolve(error)),
  )
  expect(found?.message).toMatch(/localhost is not on the public internet/)
})
