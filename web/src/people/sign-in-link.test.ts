// Facts about sign-in links: which ones can be sent to somebody.
import { expect, test } from 'vitest'
import { isForMachineOnly } from './sign-in-link.ts'

const path = '/sign-in?code=x'

test.each([
  ['http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
  ['http://127.0.0.1:3000', 'https://atelier.example'],
  ['http://[::1]:3000', 'http://[::1]:3000'],
  ['http://localhost:3000', 'http://localhost:3000'],
  ['http://192.168.1.5:3000', 'https://atelier.example'],
])('a link to %s on a page of %s opens on the machine of the service only', (address, page) => {
  expect(isForMachineOnly(address + path, page)).toBe(true)
})

test.each([
  ['https://atelier.example', 'https://atelier.example'],
  ['https://atelier.example', 'http://127.0.0.1:3000'],
  ['http://atelier.example', 'http://atelier.example'],
  ['http://127.example', 'http://127.example'],
])('a link to %s on a page of %s can be sent', (address, page) => {
  expect(isForMachineOnly(address + path, page)).toBe(false)
})
