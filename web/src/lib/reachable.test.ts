// Facts about what an answer says of a file.
import { expect, test } from 'vitest'
import { deliveryOf } from './reachable.ts'

const ofService = (status: number) =>
  deliveryOf({ status, headers: new Headers({ 'content-type': 'application/problem+json; charset=utf-8' }) })

test('a file that the service does not have is gone; only one that it could not send now may come later', () => {
  expect([200, 206, 416].map(ofService)).toEqual(['sent', 'sent', 'sent'])
  expect([404, 410].map(ofService)).toEqual(['gone', 'gone'])
  expect([401, 403, 429, 500, 503].map(ofService)).toEqual(Array(5).fill('unreached'))
  expect(deliveryOf(null)).toBe('unreached')
})

test('what something else than the service says of a file is not believed', () => {
  expect(deliveryOf({ status: 404, headers: new Headers({ 'content-type': 'text/html' }) })).toBe('unreached')
})
