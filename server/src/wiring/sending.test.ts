// Facts about the links in messages of a service that has no public address.
import { expect, test } from 'vitest'
import { readConfig } from '../platform/config.ts'
import { originOf } from './sending.ts'

test('links in messages begin with the public address; without one, with an address that opens on the machine itself', () => {
  const of = (environment: Record<string, string>): string => originOf(readConfig(environment))
  expect(of({ PUBLIC_URL: 'https://atelier.example', HOST: '0.0.0.0' })).toBe('https://atelier.example')
  expect(of({ HOST: '0.0.0.0', PORT: '3001' })).toBe('http://127.0.0.1:3001')
  expect(of({ HOST: '::' })).toBe('http://127.0.0.1:3000')
  expect(of({ HOST: 'fd00::7' })).toBe('http://[fd00::7]:3000')
})
