// Facts about reading the settings: all errors are reported together, no error repeats a secret, and unknown names are refused.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ConfigError, readConfig } from './config.ts'
import { parseDuration } from './config-values.ts'
import { OperatorError } from './operator-error.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'atelier-config-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

function problemsOf(environment: Record<string, string>): string[] {
  try {
    readConfig(environment)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}

test('without any setting there is a whole configuration', () => {
  expect(readConfig({})).toMatchObject({
    host: '127.0.0.1',
    port: 3000,
    databaseUrl: null,
    dataDir: './data',
    ownerToken: null,
    retention: { iso: 'P30D', seconds: 30 * 86_400 },
    trustedProxies: [],
    demo: true,
  })
})

test('an empty setting is one that is not set', () => {
  expect(readConfig({ PORT: '', DATABASE_URL: '', ATELIER_RETENTION: '' })).toEqual(readConfig({}))
})

test('everything that is wrong is told at once, each with its name', () => {
  const problems = problemsOf({
    PORT: '70000',
    PUBLIC_URL: 'atelier.example',
    DATABASE_URL: 'mysql://localhost/atelier',
    ATELIER_OWNER_TOKEN: 'short',
    ATELIER_RETENTION: '30 days',
    ATELIER_RATE_LIMIT: '-1',
    ATELIER_BODY_LIMIT: '1.5',
    ATELIER_TRUSTED_PROXIES: '10.0.0.0/8, proxy.example, 10.0.0.1/33',
    ATELIER_DEMO: 'yes',
    ATELIER_VOCABULARY: '/nowhere/vocabulary.json',
    LOG_LEVEL: 'loud',
    ATELIER_RETENTOIN: 'P30D',
  })
  const names = problems.map((problem) => problem.split(' ', 1)[0])
  expect(names.toSorted()).toEqual([
    'ATELIER_BODY_LIMIT',
    'ATELIER_DEMO',
    'ATELIER_OWNER_TOKEN',
    'ATELIER_RATE_LIMIT',
    'ATELIER_RETENTION',
    'ATELIER_RETENTOIN',
    'ATELIER_TRUSTED_PROXIES',
    'ATELIER_VOCABULARY',
    'DATABASE_URL',
    'LOG_LEVEL',
    'PORT',
    'PUBLIC_URL',
  ])
  expect(problems).toContain('PORT must be a whole number from 0 to 65535')
  expect(problems).toContain(
    'ATELIER_TRUSTED_PROXIES must list addresses, ranges or loopback, linklocal, uniquelocal, not proxy.example, 10.0.0.1/33',
  )
})

test('what a start prints is a sentence for each', () => {
  const wrong = () => readConfig({ PORT: 'x', LOG_LEVEL: 'x' })
  expect(wrong).toThrow(OperatorError)
  expect(wrong).toThrow(/^The settings are not right:\n {2}- PORT must be [^\n]+\n {2}- LOG_LEVEL must be [^\n]+$/)
})

test('a name of ours that is no setting is told, others are nobody’s business', () => {
  expect(problemsOf({ ATELIER_DATABASE_URL: 'postgres://x' })).toEqual([
    'ATELIER_DATABASE_URL is not a setting; docs/configuration.md lists them',
  ])
  expect(problemsOf({ PATH: '/bin', DATABASE_URI: 'x', ATELIER_TEST_DB: 'postgres' })).toEqual([])
})

test('a shell that has what clients and our examples ask for can start the service too', () => {
  expect(problemsOf({ ATELIER_URL: 'http://127.0.0.1:3000', ATELIER_TOKEN: 'atl_x' })).toEqual([])
})

test('an address whose password holds characters of an address says how these are written', () => {
  for (const DATABASE_URL of ['postgres://atelier:a/b@host/atelier', 'postgres://atelier:a#b@host/atelier']) {
    expect(problemsOf({ DATABASE_URL })).toEqual([
      expect.stringMatching(/^DATABASE_URL cannot be read as a URL: .*%2F %23/),
    ])
  }
})

test('signing people in at an issuer takes the issuer, and an address to come back to', () => {
  const issuer = { ATELIER_OAUTH_ISSUER: 'https://login.example', ATELIER_OAUTH_AUDIENCE: 'atelier' }
  const client = { ATELIER_OAUTH_CLIENT_ID: 'atelier' }
  const needs = [expect.stringMatching(/^ATELIER_OAUTH_CLIENT_ID needs ATELIER_OAUTH_ISSUER, and PUBLIC_URL/)]
  expect(problemsOf({ ...issuer, ...client })).toEqual(needs)
  expect(problemsOf({ ...client, PUBLIC_URL: 'https://atelier.example' })).toEqual(needs)
  expect(problemsOf({ ...issuer, ...client, PUBLIC_URL: 'https://atelier.example' })).toEqual([])
})

test('no secret is told with what is wrong about it', () => {
  const secrets = {
    DATABASE_URL: 'mysql://somebody:hunter2@localhost/atelier',
    ATELIER_OWNER_TOKEN: 'hunter2 with a space in it, which no token has',
    ATELIER_WEBHOOK_SECRETS: 'whsec_hunter2',
  }
  expect(problemsOf(secrets)).toHaveLength(3)
  expect(problemsOf(secrets).join()).not.toContain('hunter2')
})

test('a secret of webhooks with which no message could be verified is refused, also beside one that is right', () => {
  const right = Buffer.alloc(30, 251).toString('base64')
  const wrong = Buffer.alloc(30, 251).toString('base64url')
  expect(readConfig({ ATELIER_WEBHOOK_SECRETS: `whsec_${right}` }).webhookSecrets).toEqual([`whsec_${right}`])
  for (const listed of [wrong, `whsec_${right},whsec_${wrong}`]) {
    expect(problemsOf({ ATELIER_WEBHOOK_SECRETS: listed })).toEqual([
      expect.stringMatching(/^ATELIER_WEBHOOK_SECRETS must list base64 secrets .*not - and _/),
    ])
  }
})

test('the key of a provider may be as long in the settings as in the app, and the bound is told', () => {
  expect(readConfig({ OPENAI_API_KEY: 'k'.repeat(4096) }).openaiApiKey).toHaveLength(4096)
  expect(problemsOf({ OPENAI_API_KEY: 'k'.repeat(4097) })).toEqual([
    'OPENAI_API_KEY must be at most 4096 visible ASCII characters without blanks',
  ])
})

test('a public address is a host and no more, however it is written', () => {
  expect(readConfig({ PUBLIC_URL: 'https://atelier.example/' }).publicUrl).toBe('https://atelier.example')
  expect(readConfig({ PUBLIC_URL: 'HTTPS://Atelier.example:8443//' }).publicUrl).toBe('https://atelier.example:8443')
  expect(problemsOf({ PUBLIC_URL: 'https://example.com/atelier' })).toEqual([
    'PUBLIC_URL must end after the host, such as https://example.com: the service answers at the root of a host only',
  ])
  for (const wrong of [
    'https://a.example/?x',
    'https://a.example/#x',
    'https://me@a.example',
    'http://a.example:6000',
  ]) {
    expect(problemsOf({ PUBLIC_URL: wrong })).toHaveLength(1)
  }
  expect(problemsOf({ PUBLIC_URL: 'https://me:hunter2@a.example' }).join()).not.toContain('hunter2')
})

test('a service that answers below the root of its host is asked there', () => {
  expect(readConfig({ OPENAI_BASE_URL: 'http://models:8080/openai/v1/' }).openaiBaseUrl).toBe(
    'http://models:8080/openai/v1',
  )
})

test('a port is one that browsers open', () => {
  expect(problemsOf({ PORT: '6000' })).toEqual(['PORT must be a port that browsers open: they refuse 6000'])
  for (const right of ['0', '80', '443', '3000', '8080', '65535']) expect(problemsOf({ PORT: right })).toEqual([])
})

test('a secret of a client belongs to its id', () => {
  expect(problemsOf({ ATELIER_OAUTH_CLIENT_SECRET: 'hunter2' })).toEqual([
    'ATELIER_OAUTH_CLIENT_SECRET needs ATELIER_OAUTH_CLIENT_ID: whose secret it is',
  ])
})

test('nobody trusts every caller to say where it is', () => {
  for (const all of ['0.0.0.0/0', '::/0', '10.0.0.1,0.0.0.0/0']) {
    expect(problemsOf({ ATELIER_TRUSTED_PROXIES: all })).toEqual([
      expect.stringMatching(/^ATELIER_TRUSTED_PROXIES must name your proxies/),
    ])
  }
})

test('proxies are addresses, ranges and the usual names', () => {
  const list = ['127.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8', 'loopback', 'uniquelocal']
  expect(readConfig({ ATELIER_TRUSTED_PROXIES: ` ${list.join(' , ')},` }).trustedProxies).toEqual(list)
  for (const wrong of ['10.0.0.0/', '10.0.0.0/8/8', '::1/129', '1.2.3', '*', 'true']) {
    expect(problemsOf({ ATELIER_TRUSTED_PROXIES: wrong })).toHaveLength(1)
  }
})

test('an owner token has 32 to 200 visible ASCII characters', () => {
  for (const right of ['x'.repeat(32), '!'.repeat(200)]) expect(problemsOf({ ATELIER_OWNER_TOKEN: right })).toEqual([])
  for (const wrong of ['x'.repeat(31), 'x'.repeat(201), `${'x'.repeat(40)}é`]) {
    expect(problemsOf({ ATELIER_OWNER_TOKEN: wrong })).toHaveLength(1)
  }
})

test('a vocabulary file that is no JSON, or no vocabulary, is told as such', () => {
  const file = path.join(folder, 'vocabulary.json')
  writeFileSync(file, '{"Geo": [')
  expect(problemsOf({ ATELIER_VOCABULARY: file })[0]).toMatch(/names a file that cannot be read as JSON/)
  writeFileSync(file, '{"Nope": []}')
  expect(problemsOf({ ATELIER_VOCABULARY: file })).toHaveLength(1)
})

describe('a duration', () => {
  test.each([
    ['P30D', 30 * 86_400],
    ['PT15M', 900],
    ['P1W2DT3H4M5S', 788_645],
    ['PT1S', 1],
    ['P36600D', 36_600 * 86_400],
  ])('%s is %i seconds', (text, seconds) => {
    expect(parseDuration(text)).toEqual({ iso: text, seconds })
  })

  test.each([
    '',
    'P',
    'PT',
    'P1DT',
    'P0D',
    'PT0S',
    '30',
    'P1Y',
    'P1M',
    'P-1D',
    'P1.5D',
    'p1d',
    ' P1D',
    'P36601D',
    'P99999999999999D',
  ])('%j is none that has a fixed length, is over 0 and at most 100 years', (text) => {
    expect(() => parseDuration(text)).toThrow('must be an ISO 8601 duration')
  })
})

test('a mail server is an address with or without a password, which never goes out in the open', () => {
  const rest = { PUBLIC_URL: 'https://atelier.example', ATELIER_MAIL_FROM: '"Our Atelier" <a@example.org>' }
  const read = (text: string) => readConfig({ ...rest, ATELIER_SMTP_URL: text })
  expect(read('smtp://ada:p%40ss@mail.example')).toMatchObject({
    smtp: { host: 'mail.example', port: 587, tls: 'starttls', auth: { user: 'ada', pass: 'p@ss' } },
    mailFrom: { name: 'Our Atelier', address: 'a@example.org' },
  })
  expect(read('smtps://mail.example').smtp).toEqual({ host: 'mail.example', port: 465, tls: 'implicit', auth: null })
  expect(read('smtp://[::1]:25?tls=none').smtp).toEqual({ host: '::1', port: 25, tls: 'none', auth: null })
  for (const wrong of [
    ...['mail.example:587', 'https://mail.example', 'smtp://mail.example/box', 'smtp://mail.example?tls=maybe'],
    ...[
      'smtps://mail.example?tls=none',
      'smtp://ada@mail.example',
      'smtp://ada:secret@mail.example?tls=none',
      'smtp://a:%zz@b',
    ],
  ]) {
    const problems = problemsOf({ ...rest, ATELIER_SMTP_URL: wrong })
    expect(problems, wrong).toEqual([expect.stringMatching(/^ATELIER_SMTP_URL (?:must|takes)/)])
    expect(String(problems)).not.toContain('secret')
  }
  for (const from of ['nobody', 'a@b, c@d', 'A\nBcc: x <a@b>', 'a b@c'])
    expect(problemsOf({ ...rest, ATELIER_MAIL_FROM: from })).toEqual([
      expect.stringContaining('ATELIER_MAIL_FROM must be'),
    ])
  expect(problemsOf({ ATELIER_SMTP_URL: 'smtp://mail.example' })).toEqual([
    'ATELIER_SMTP_URL needs ATELIER_MAIL_FROM, and PUBLIC_URL: where the links in mail lead',
  ])
})
