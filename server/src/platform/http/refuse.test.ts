// Facts about what a thrown error is answered with.
import { Refusal } from '@atelier/contract/wire/errors.ts'
import { errorCodes } from 'fastify'
import { expect, test } from 'vitest'
import { classify } from './refuse.ts'

test('what Fastify holds against a request is a refusal, whatever it is, and never a bug', () => {
  const made = Object.values(errorCodes).map((Code) => new Code('x', 'y'))
  const ofRequest = made.filter(({ statusCode = 500 }) => statusCode < 500)
  expect(ofRequest.length).toBeGreaterThan(5)
  for (const error of ofRequest) expect([error.code, classify(error)]).not.toEqual([error.code, null])
})

test('what Fastify holds against this program is a bug, and so is an error of something else that has a status', () => {
  expect(classify(new errorCodes.FST_ERR_REP_INVALID_PAYLOAD_TYPE('object'))).toBeNull()
  expect(
    classify(Object.assign(new Error('A bucket is not there.'), { code: 'NoSuchBucket', statusCode: 404 })),
  ).toBeNull()
})

test('a body that is too large is told how large one may be, where that is known', () => {
  const error = new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE()
  const json = classify(error, { bytes: 2048, isForm: false })
  expect(json).toMatchObject({ code: 'body_too_large', members: { limit: 2048 } })
  const unknown = classify(error)
  expect(unknown instanceof Refusal && unknown.members).toEqual({})
})
