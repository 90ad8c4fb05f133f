// Facts about random histories of one subject, each of which reaches the service in several random orders: the provider's messages
// arrive late, out of order and repeatedly; decisions of admins and new credentials arrive in order. Each order must give the end
// state that the model computes from the whole history: how many people, which role, active or not, which credentials are accepted.
import { scopes } from '@atelier/contract/enums.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { changeUser } from '../../src/features/people/store.ts'
import { beginSession, findSession, lockActive } from '../../src/features/sessions/store.ts'
import { applyEvent } from '../../src/features/webhooks/store.ts'
import { insertToken, newToken } from '../../src/platform/auth.ts'
import { actorOfAccessToken } from '../../src/platform/identities.ts'
import { parseRoleMap } from '../../src/platform/role-map.ts'
import { type Service, share, startService } from '../support/harness.ts'
import {
  type Act,
  drawHistory,
  drawOrder,
  type End,
  expectedEnd,
  organization,
  type Sight,
  type Step,
  type Taken,
} from '../support/identity-model.ts'
import { randomNumbers } from '../support/random.ts'

const issuer = 'https://issuer.example'
const directory = {
  ...{ organization, oauthIssuer: issuer },
  roles: parseRoleMap('org:admin=admin,org:member=writer,org:guest=reader'),
}
const ordersEach = 4
const orders = Number(process.env.ATELIER_TEST_ORDERS ?? share(400))
const seed = Number(process.env.ATELIER_TEST_SEED ?? 12)
/** How many subjects go through their histories at the same time. */
const atOnce = 40

let service: Service
const begin = Math.ceil(Date.now() / 1000) * 1000
beforeAll(async () => {
  service = await startService()
  // The test replaces the database's clock (`now_ms`) and moves it by one second with each step.
  await service.database.script(`
    create table test_clock (ms bigint not null);
    insert into test_clock values (${begin});
    create or replace function now_ms() returns timestamptz language sql volatile as
    $$ select timestamptz 'epoch' + ms * interval '1 millisecond' from test_clock $$`)
})
afterAll(() => service.close())

const setClock = (ms: number) => service.rows('update test_clock set ms = $1', [ms])

/** One subject, with its steps in the order in which they reach the service. */
function subjectOf(subject: string, steps: readonly Step[]) {
  const taken: Taken[] = []
  const holds = new Map<string, () => Promise<boolean>>()
  const { database, app } = service
  const userId = async (): Promise<string | null> => {
    const found = await service.rows(
      `select user_id from identities where subject = $1
       union select user_id from directory_users where provider_id = $1 and user_id is not null`,
      [subject],
    )
    return found[0]?.user_id ?? null
  }
  const isLetIn = (attempt: Promise<unknown>) =>
    attempt.then(
      () => true,
      () => false,
    )

  async function act(at: number, decision: Act): Promise<void> {
    const id = await userId()
    if (id === null) return
    const patch = decision.kind === 'role' ? { role: decision.role } : { active: decision.kind === 'activate' }
    await database.tx((tx) => changeUser(tx, id, patch))
    taken.push({ at, act: decision })
  }

  async function see(at: number, sight: Sight): Promise<void> {
    const name = `${sight.kind} of ${at}`
    if (sight.kind === 'access token') {
      const token = { issuer, subject, scopes: [...scopes], madeAt: at, end: Infinity }
      holds.set(name, () => isLetIn(actorOfAccessToken(database, token)))
      await holds.get(name)?.()
    } else {
      const id = await userId()
      if (id === null) return
      if (sight.kind === 'static token') {
        const token = newToken()
        const given = { name, token, scopes, userId: id, expiresAt: null }
        await database.tx((tx) => insertToken(tx, given))
        holds.set(name, () => isLetIn(app.services.auth.authenticate(`Bearer ${token}`)))
      } else {
        const secret = await database.tx(async (tx) => ((await lockActive(tx, id)) ? beginSession(tx, id) : null))
        if (secret === null) return
        holds.set(name, async () => (await findSession(database.main, secret)) !== null)
      }
    }
    taken.push({ at, sight, name })
  }

  async function take(step: Step): Promise<void> {
    if ('hear' in step) await database.tx((tx) => applyEvent(tx, step.hear, directory))
    else if ('act' in step) await act(step.at, step.act)
    else await see(step.at, step.sight)
  }

  async function end(): Promise<End> {
    const found = await service.rows(
      `select id, role, active from users where id in (select user_id from identities where subject = $1
       union select user_id from directory_users where provider_id = $1)`,
      [subject],
    )
    const holding: string[] = []
    for (const [name, isHeld] of holds) if (await isHeld()) holding.push(name)
    return {
      ...{ people: found.length, role: found[0]?.role ?? null, active: found[0]?.active ?? null },
      holding: holding.toSorted(),
    }
  }
  return { steps, taken, take, end }
}

/** Carries out the steps of many subjects concurrently, second by second. */
async function run(subjects: ReturnType<typeof subjectOf>[]): Promise<void> {
  const last = Math.max(...subjects.flatMap(({ steps }) => steps.map(({ at }) => at)))
  for (let now = begin; now <= last; now += 1000) {
    await setClock(now)
    await Promise.all(
      subjects.map(async ({ steps, take }) => {
        for (const step of steps.filter(({ at }) => at === now)) await take(step)
      }),
    )
  }
}

test(`${orders} orders of random histories end as the model says (seed ${seed})`, {
  timeout: 60_000 + orders * 500,
}, async () => {
  const draws = randomNumbers(seed)
  const draw = (below: number) => Math.floor(draws() * below)
  const seen = {
    people: new Set<number>(),
    active: new Set<boolean | null>(),
    roles: new Set<string | null>(),
    holding: 0,
  }
  for (let done = 0; done < orders; ) {
    const batch = Array.from({ length: Math.min(atOnce, orders - done) / ordersEach }, (_, group) => {
      const name = `subject ${done}/${group}`
      const history = drawHistory(draw, name, begin)
      return Array.from({ length: ordersEach }, (_, order) => {
        const own = `${name}/${order}`
        const renamed: typeof history = JSON.parse(JSON.stringify(history).replaceAll(name, own))
        const steps = drawOrder(draw, renamed)
        return { ...subjectOf(own, steps), facts: renamed.flatMap((it) => ('fact' in it ? [it.fact] : [])) }
      })
    }).flat()
    await run(batch)
    const ends = await Promise.all(batch.map((subject) => subject.end()))
    for (const [at, { facts, taken, steps }] of batch.entries()) {
      const end = ends[at]
      expect(end, JSON.stringify(steps, null, 1)).toEqual(expectedEnd(facts, taken))
      seen.people.add(end?.people ?? -1)
      seen.active.add(end?.active ?? null)
      seen.roles.add(end?.role ?? null)
      seen.holding += end?.holding.length ?? 0
    }
    done += batch.length
  }
  // Checks that the histories were varied enough: they ended with active and inactive people, all roles, and valid credentials.
  expect([...seen.active]).toEqual(expect.arrayContaining([true, false]))
  expect([...seen.roles]).toEqual(expect.arrayContaining(['reader', 'writer', 'admin']))
  expect(seen.holding).toBeGreaterThan(orders / 20)
})
