// Facts about what the status of an answer says of a file.
import { expect, test } from 'vitest'
import { deliveryOf } from './reachable.ts'

test('a file that the service does not have is gone; only one that it could not send now may come later', () => {
  expect([200, 206, 416].map(deliveryOf)).toEqual(['sent', 'sent', 'sent'])
  expect([404, 410].map(deliveryOf)).toEqual(['gone', 'gone'])
  expect([undefined, 401, 403, 429, 500, 503].map(deliveryOf)).toEqual(Array(6).fill('unreached'))
})
