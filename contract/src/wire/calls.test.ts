// Facts about calls in which the client asks the server to leave a large record out of the response.
import { expect, test } from 'vitest'
import { routes } from '../routes/routes.ts'
import { minimalRoutes, refused } from './calls.ts'
import { createClient } from './client.ts'

test('callMinimal is for the routes that take Prefer, and for no other', () => {
  const taking = Object.values(routes).filter(({ minimal }) => minimal)
  expect([...minimalRoutes].toSorted()).toEqual(taking.map(({ id }) => id).toSorted())
})

test('callMinimal asks for no record, keeps the headers it is given, and answers where the record is', async () => {
  const sent: Headers[] = []
  const client = createClient({
    url: 'http://localhost',
    token: 'secret',
    fetch: async (_, init) => {
      sent.push(new Headers(init?.headers))
      return new Response(null, { status: 204, headers: { location: '/api/v1/runs/7' } })
    },
  })
  const answer = await client.callMinimal('startRun', {
    params: { run_id: '7' },
    headers: { 'idempotency-key': 'once' },
  })
  expect(answer).toEqual({ location: '/api/v1/runs/7' })
  const [headers] = sent
  expect([headers?.get('prefer'), headers?.get('idempotency-key')]).toEqual(['return=minimal', 'once'])
})

test('a taken name tells of the creatives that can be renamed, not of one that was to be created', () => {
  const conflict = { creative_id: 'a', name: 'x', taken_by: 'b', taken_by_task_id: 'c' }
  const text = JSON.stringify({
    code: 'creative_name_taken',
    detail: '',
    conflicts: [conflict, { ...conflict, creative_id: null }],
  })
  expect(refused(409, text).conflicts).toEqual([conflict])
})
