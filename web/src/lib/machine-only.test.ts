// Facts about addresses: which ones lead to the machine on which they are opened.
import { expect, test } from 'vitest'
import { leadsToOwnMachine } from './machine-only.ts'

test.each(['http://127.0.0.1:3000', 'http://127.8.0.1', 'http://[::1]:3000', 'https://localhost'])(
  '%s leads to the machine on which it is opened',
  (origin) => expect(leadsToOwnMachine(`${origin}/guest#secret`)).toBe(true),
)

test.each(['http://192.168.1.5:3000', 'https://atelier.example', 'http://127.example', 'http://[fd00::1]:3000'])(
  '%s leads elsewhere',
  (origin) => expect(leadsToOwnMachine(`${origin}/guest#secret`)).toBe(false),
)
