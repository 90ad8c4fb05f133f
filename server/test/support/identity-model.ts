// In charge of the model of identity: random histories and their expected end state, computed from the whole history at once and
// in another way than the product does.
import type { DirectoryEvent } from '../../src/features/webhooks/events.ts'

export const organization = 'org_ours'
type Role = 'reader' | 'writer' | 'admin'
const words: Record<string, Role> = { 'org:admin': 'admin', 'org:member': 'writer', 'org:guest': 'reader' }

export type Fact = Exclude<DirectoryEvent, { kind: 'unknown' }>
export type Act = { kind: 'role'; role: Role } | { kind: 'activate' } | { kind: 'deactivate' }
export type Sight = { kind: 'access token' | 'static token' | 'session' }
/**
 * What happens at a time (ms since 1970): a `fact` at the provider, of which the service hears then or later, perhaps repeatedly;
 * an `act`, which is a decision of an admin; or a `sight`: the user gets a credential (an access token is used at once).
 */
export type Happening = { at: number; fact: Fact } | { at: number; act: Act } | { at: number; sight: Sight }

type Draw = (below: number) => number
const one = <T>(draw: Draw, list: readonly [T, ...T[]]): T => list[draw(list.length)] ?? list[0]

/** A random history of one user; its times start at `begin` and are a second apart. */
export function drawHistory(draw: Draw, subject: string, begin: number): Happening[] {
  const memberships = new Map<string, { joinedAt: number; of: string; word: string; hasLeft: boolean }>()
  let isDeleted = false
  const drawFact = (at: number): Fact => {
    const chance = draw(20)
    // A provider deletes a user only once.
    if (chance === 0 && !isDeleted) {
      isDeleted = true
      return { kind: 'user_deleted', providerId: subject, endedAt: at }
    }
    if (chance < 4) {
      return {
        kind: 'user',
        providerId: subject,
        changedAt: at,
        name: `Name ${at % 1_000_000}`,
        email: null,
        imageUrl: null,
      }
    }
    const lasting = [...memberships].filter(([, { hasLeft }]) => !hasLeft)
    const [known] = lasting.length > 0 && draw(3) > 0 ? [lasting[draw(lasting.length)]] : []
    const id = known?.[0] ?? `${subject}/${memberships.size}`
    const of = known?.[1].of ?? one(draw, [organization, organization, 'org_other', ''])
    const before = known?.[1]
    const leaves = before !== undefined && draw(2) === 0
    const word = leaves ? before.word : one(draw, ['org:admin', 'org:member', 'org:guest', 'org:product_owner', ''])
    const joinedAt = before?.joinedAt ?? at
    memberships.set(id, { joinedAt, of, word, hasLeft: leaves })
    const said = { membershipId: id, providerId: subject, organization: of, word, joinedAt }
    return { kind: 'membership', ...said, changedAt: at, endedAt: leaves ? at : null }
  }
  return Array.from({ length: 2 + draw(11) }, (_, index): Happening => {
    const at = begin + index * 1000
    const kind = draw(10)
    if (kind < 5) return { at, fact: drawFact(at) }
    if (kind < 8) return { at, sight: { kind: one(draw, ['access token', 'static token', 'session']) } }
    const act = one(draw, ['role', 'deactivate', 'activate'] as const)
    return { at, act: act === 'role' ? { kind: act, role: one(draw, ['reader', 'writer', 'admin']) } : { kind: act } }
  })
}

/** What the service receives at one point in time. */
export type Step = { at: number; hear: Fact } | Exclude<Happening, { fact: Fact }>

/**
 * A random order in which a history reaches the service: a fact arrives once or several times, at its time or later; acts and
 * sights arrive at their time.
 */
export function drawOrder(draw: Draw, history: readonly Happening[]): Step[] {
  const end = history.length
  const begin = history[0]?.at ?? 0
  const steps = history.flatMap((happening, place): { tie: number; step: Step }[] => {
    if (!('fact' in happening)) return [{ tie: 0, step: happening }]
    return Array.from({ length: one(draw, [1, 1, 1, 2, 3]) }, () => {
      const heard = draw(3) === 0 ? place : place + draw(end - place + 1)
      return { tie: draw(1000) - 500, step: { at: begin + heard * 1000, hear: happening.fact } }
    })
  })
  return steps.toSorted((a, b) => a.step.at - b.step.at || a.tie - b.tie).map(({ step }) => step)
}

/** An act or sight that took place. One that needs a user, or an active user, does not take place while no such user exists. */
export type Taken = { at: number; act: Act } | { at: number; sight: Sight; name: string }

export type End = { people: number; role: Role | null; active: boolean | null; holding: string[] }

/** The end state that must follow from the facts, acts and sights, in whatever order the service has received the facts. */
export function expectedEnd(facts: readonly Fact[], taken: readonly Taken[]): End {
  const acts = taken.filter((step) => 'act' in step)
  const sights = taken.filter((step) => 'sight' in step)
  const isSomebody = sights.length > 0 || facts.some(({ kind }) => kind !== 'user_deleted')
  if (!isSomebody) return { people: 0, role: null, active: null, holding: [] }

  const deletions = facts.flatMap((fact) => (fact.kind === 'user_deleted' ? [fact.endedAt] : []))
  const ours = facts.filter((fact) => fact.kind === 'membership').filter((fact) => fact.organization === organization)
  const leavings = ours.flatMap(({ endedAt }) => (endedAt === null ? [] : [endedAt]))
  const gone = new Set(ours.filter(({ endedAt }) => endedAt !== null).map(({ membershipId }) => membershipId))
  const [newest] = ours
    .filter(({ membershipId }) => !gone.has(membershipId))
    .toSorted((a, b) => b.changedAt - a.changedAt || (a.membershipId < b.membershipId ? 1 : -1))
  const isIn = deletions.length === 0 && (ours.length === 0 || newest !== undefined)

  const role = acts.map(({ act }) => act).findLast((act) => act.kind === 'role')?.role
  const decision = acts.findLast(({ act }) => act.kind !== 'role')
  const overrules = decision?.act.kind === 'activate' && decision.at >= Math.max(...deletions, ...leavings)
  const active = decision?.act.kind !== 'deactivate' && (isIn || overrules)

  const deactivations = acts.filter(({ act }) => act.kind === 'deactivate').map(({ at }) => at)
  const ended = Math.max(...deletions, ...leavings, ...deactivations)
  const holding = active ? sights.filter(({ at }) => at > ended).map(({ name }) => name) : []
  return { people: 1, role: role ?? words[newest?.word ?? ''] ?? 'reader', active, holding: holding.toSorted() }
}
