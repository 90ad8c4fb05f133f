// Facts about decisions of people and guests at the moment at which another process puts a new version of the file in place.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Body, engine, type Service, startService } from '../support/harness.ts'
import { makers } from '../support/make.ts'

let service: Service
let other: Service
let make: ReturnType<typeof makers>
beforeAll(async () => {
  service = await startService()
  other = await service.another()
  make = makers(service)
})
afterAll(async () => {
  await other.close()
  await service.close()
})

/** How many decisions to make at least; 1000 is the full test. Fewer if embedded: there, transactions never overlap. */
const races = Number(process.env.ATELIER_TEST_RACES ?? (engine === 'postgres' ? 100 : 20))
/** How many creatives are decided about at the same time, each while it gets a new file. */
const lanes = engine === 'postgres' ? 10 : 5
/** How often each creative gets a new file; each time, a person and a guest decide, which makes two decisions. */
const rounds = Math.ceil(races / lanes / 2)

type Lane = { creative: Body; files: [string, string]; guest: string; current: string }

async function newLane(_: unknown, at: number): Promise<Lane> {
  const task = await make.task()
  const files: [string, string] = [await make.file(`${at} a`, 'image/png'), await make.file(`${at} b`, 'image/png')]
  const creative = await make.creative(task.id, { file: files[0] })
  const link = await service.post(`/api/v1/tasks/${task.id}/guest-links`, { name: 'The client', may_decide: true })
  const entered = await service.post('/api/v1/guest/enter', { link: link.data.url.split('#')[1], name: 'Grace' })
  return { creative, files, guest: entered.data.token, current: files[0] }
}

/** A person and a guest accept the file that they see while another process replaces it. Any of the three requests may win. */
async function race(lane: Lane, round: number): Promise<number[]> {
  const { creative, files, guest: token, current } = lane
  const next = current === files[0] ? files[1] : files[0]
  const decide = async (path: string, options: { token?: string } = {}): Promise<number> => {
    const sent = { file: current, decision: 'accepted' }
    const { status, body, data } = await service.post(`${path}/${creative.id}/decisions`, sent, options)
    // An accepted decision is about the file that was seen; a refused one has the error code for an outdated version.
    expect([status, body.code, data?.file]).toEqual(
      status === 200 ? [200, undefined, current] : [409, 'version_not_current', undefined],
    )
    return status
  }
  const replace = async (): Promise<null> => {
    const { status, text } = await other.patch(`/api/v1/creatives/${creative.id}`, { file: next })
    expect(status, text).toBe(200)
    return null
  }
  const asked = [replace, () => decide('/api/v1/creatives'), () => decide('/api/v1/guest/creatives', { token })]
  const first = round % asked.length
  const statuses = await Promise.all([...asked.slice(first), ...asked.slice(0, first)].map((ask) => ask()))
  lane.current = next
  return statuses.filter((status) => status !== null)
}

test('accepted is only ever the file that was looked at, however decisions and a new version meet', async () => {
  const racing = await Promise.all(Array.from({ length: lanes }, newLane))
  const statuses: number[] = []
  for (let round = 0; round < rounds; round++) {
    statuses.push(...(await Promise.all(racing.map((lane) => race(lane, round)))).flat())
    const wrong = await service.rows(
      `select c.name from review_decisions d join creatives c on c.id = d.creative_id where d.void_at is null and d.file <> c.file`,
    )
    expect(wrong).toEqual([])
  }
  expect(statuses.length).toBeGreaterThanOrEqual(races)
  const accepted = statuses.filter((status) => status === 200).length
  // Every acknowledged decision is stored with the file of its version; no refused decision is stored.
  const kept = await service.rows(
    `select count(*)::integer as n, count(*) filter (where v.file is distinct from d.file)::integer as wrong
     from review_decisions d
     left join creative_versions v on v.creative_id = d.creative_id and v.number = d.version`,
  )
  expect(kept).toEqual([{ n: accepted, wrong: 0 }])
})
