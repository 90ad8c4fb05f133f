// Facts about how refusals of providers are read: which accounts are empty, and when to call again. The bodies are those that
// providers send.
import { expect, test } from 'vitest'
import { refusalOf } from './refusal.ts'

const refused = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  refusalOf(
    { status, headers, body: Buffer.from(JSON.stringify(body, null, 2)), url: 'https://api.example/v1' },
    { who: 'Provider', key: 'sk-secret', keySetting: 'KEY' },
  )

const google = (quotaIds: string[], delay: string) => ({
  error: {
    code: 429,
    message: 'You exceeded your current quota, please check your plan and billing details.',
    status: 'RESOURCE_EXHAUSTED',
    details: [
      {
        '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
        violations: quotaIds.map((quotaId) => ({ quotaId })),
      },
      { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: delay },
    ],
  },
})
const [perMinute, perDay] = [
  'GenerateRequestsPerMinutePerProjectPerModel-FreeTier',
  'GenerateRequestsPerDayPerProjectPerModel-FreeTier',
]

const openAi = (message: string, code: string) => ({ error: { message, type: code, param: null, code } })
const rate =
  'Rate limit reached for requests per min. Limit: 3. Please add a payment method to your account to increase your rate limit. Visit https://platform.openai.com/account/billing to add a payment method.'
const quota = 'You exceeded your current quota, please check your plan and billing details.'
const locked = 'User is locked. Reason: Exhausted balance. Top up your balance at fal.ai/dashboard/billing.'

test.for([
  ['Google’s limit of a minute', 429, google([perMinute], '26.4s'), {}, 27],
  ['OpenAI’s low tier', 429, openAi(rate, 'rate_limit_exceeded'), {}, 20],
  ['a header that says when', 429, google([perMinute], '26s'), { 'retry-after': '7' }, 7],
] as const)('%s ends: the call is made again then', ([, status, body, headers, afterSeconds]) => {
  expect(refused(status, body, headers)).toMatchObject({
    ...{ again: { afterSeconds, busy: true }, outcome: 'none' },
    message: expect.stringMatching(/^Provider takes no more calls just now\. It says: /),
  })
})

test.for([
  ['Google’s limit of a day', 429, google([perMinute, perDay], '45s'), /takes no more calls today\. It says: You ex/],
  ['an empty account at OpenAI', 429, openAi(quota, 'insufficient_quota'), /nothing left to spend\. It says: You ex/],
  [
    'an account without billing',
    429,
    openAi('Not active.', 'billing_not_active'),
    /nothing left to spend\. It says: N/,
  ],
  ['an empty account at fal', 403, { detail: locked }, /nothing left to spend\. It says: User is locked/],
  ['a wrong key', 403, { detail: 'No access' }, /does not accept the key \(403\)/],
] as const)('%s does not end by itself: the call is not made again', ([, status, body, words]) => {
  expect(refused(status, body)).toMatchObject({ again: null, outcome: 'none', message: expect.stringMatching(words) })
})
