// Facts about the order of the checks that refuse a request before its body is read.
import { routes } from '@atelier/contract/routes/routes.ts'
import { Refusal } from '@atelier/contract/wire/errors.ts'
import { expect, test } from 'vitest'
import { systemClock } from '../clock.ts'
import { readConfig } from '../config.ts'
import { createLog } from '../log.ts'
import { entrance } from './bind.ts'
import { createRates } from './rates.ts'
import { createServer } from './server.ts'

test('stopping goes before a database that is away, that before too many requests, that before a token that is wrong', async () => {
  const reasons = { stopping: true, away: true }
  let verified = 0
  const config = readConfig({ ATELIER_ADDRESS_RATE_LIMIT: '2', LOG_LEVEL: 'silent' })
  const closing = () => reasons.stopping
  const availability = {
    require() {
      if (reasons.away) throw new Refusal('database_unavailable', 'Away.')
    },
    report: () => undefined,
    wrote: () => undefined,
    stop: () => undefined,
  }
  const auth = {
    async authenticate() {
      verified++
      throw new Refusal('invalid_token', 'Wrong.')
    },
    lastsMs: async () => Infinity,
    onChange: () => () => undefined,
    forget: () => undefined,
    recordUse: async () => undefined,
  }
  const metrics = { observeRequest: () => undefined }
  const rates = createRates(config, systemClock)
  const server = await createServer({
    config,
    log: createLog('silent'),
    availability,
    metrics,
    rates,
    draining: closing,
  })
  server.decorateRequest('actor', null)
  server.route({
    ...entrance(routes.createTask, { auth, guests: auth, availability, rates, closing }),
    handler: async () => 'looked into',
  })

  /** Sends a body that is not JSON: if a parser ran before the check of the token, the parser would refuse the body. */
  const ask = async () => {
    const headers = { authorization: 'Bearer wrong', 'content-type': 'text/plain' }
    const answer = await server.inject({ method: 'POST', url: '/api/v1/tasks', payload: '{', headers })
    return [answer.statusCode, answer.json().code]
  }
  expect(await ask()).toEqual([503, 'shutting_down'])
  reasons.stopping = false
  expect(await ask()).toEqual([503, 'database_unavailable'])
  reasons.away = false
  expect([await ask(), await ask()]).toEqual([
    [401, 'invalid_token'],
    [401, 'invalid_token'],
  ])
  expect(await ask()).toEqual([429, 'rate_limited'])
  expect(verified).toBe(2)
  reasons.away = true
  expect(await ask()).toEqual([503, 'database_unavailable'])
  await server.close()
})
