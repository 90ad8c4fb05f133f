// Facts about the review records of tasks and creatives, with deletes, restores and purges in any order: a delete also hides the
// review records, a restore brings back exactly those records, and a purge removes all of them.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Reply, type Service, share, startService } from '../support/harness.ts'
import { makers } from '../support/make.ts'
import { purgeAtOnce } from '../support/purging.ts'

let service: Service
let make: ReturnType<typeof makers>
const digests: string[] = []
beforeAll(async () => {
  service = await startService()
  make = makers(service)
  for (let at = 0; at < 6; at++) digests.push(await make.file(`picture ${at}`, 'image/png'))
})
afterAll(() => service.close())

/** A random act on one of two tasks with two creatives each; `which` picks the task or the creative. */
const act = fc.record({
  kind: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom('deleteTask', 'restoreTask', 'deleteCreative', 'restoreCreative') },
    { weight: 2, arbitrary: fc.constantFrom('comment', 'replace', 'decide', 'link', 'linkToOne', 'guest', 'guest') },
    { weight: 1, arbitrary: fc.constant('purge') },
  ),
  which: fc.nat(3),
})
type Act = typeof act extends fc.Arbitrary<infer A> ? A : never

type Creative = {
  id: string
  /** `taken`: deleted together with its task. */
  state: 'live' | 'deleted' | 'taken' | 'purged'
  versions: string[]
  /** The file of the current version. */
  current: string
  comments: string[]
  decisions: number
}
/** `guest`: the token of the one guest who entered; `only`: the one creative that the link shows, null for the whole task. */
type Link = { id: string; guest: string; only: Creative | null }
type Task = { id: string; state: 'live' | 'deleted' | 'purged'; links: Link[]; creatives: Creative[] }

/** A new task with a link: to its first creative if `only`, otherwise to the whole task. */
async function newTask(only: boolean): Promise<Task> {
  const { id } = await make.task()
  const creatives: Creative[] = []
  for (const file of digests.slice(0, 2)) {
    const made = await make.creative(id, { file })
    creatives.push({ id: made.id, state: 'live', versions: [file], current: file, comments: [], decisions: 0 })
  }
  const task: Task = { id, state: 'live', links: [], creatives }
  const { follow } = await newLink(task, only ? (creatives[0] ?? null) : null)
  follow()
  return task
}

type Outcome = { reply: Reply; allowed: boolean; follow(): void }

/** Does an act on a task; returns null if the act is about a creative. */
async function actOnTask(task: Task, kind: Act['kind']): Promise<Outcome | null> {
  const path = `/api/v1/tasks/${task.id}`
  const isLive = task.state === 'live'
  if (kind === 'deleteTask')
    return {
      ...{ reply: await service.del(path), allowed: task.state !== 'purged' },
      follow: () => {
        if (!isLive) return
        task.state = 'deleted'
        for (const one of task.creatives) if (one.state === 'live') one.state = 'taken'
      },
    }
  if (kind === 'restoreTask')
    return {
      ...{ reply: await service.post(`${path}/restore`), allowed: task.state !== 'purged' },
      follow: () => {
        task.state = 'live'
        for (const one of task.creatives) if (one.state === 'taken') one.state = 'live'
      },
    }
  return kind === 'link' ? newLink(task, null) : null
}

async function newLink(task: Task, only: Creative | null): Promise<Outcome> {
  const chosen = only === null ? {} : { creative_ids: [only.id] }
  const sent = { name: 'The client', may_decide: true, ...chosen }
  const reply = await service.post(`/api/v1/tasks/${task.id}/guest-links`, sent)
  const allowed = task.state === 'live' && (only === null || only.state === 'live')
  if (reply.status >= 300) return { reply, allowed, follow: () => undefined }
  const entered = await service.post('/api/v1/guest/enter', { link: reply.data.url.split('#')[1], name: 'Grace' })
  const link = { id: reply.data.id, guest: entered.data.token, only }
  return { reply, allowed, follow: () => void task.links.push(link) }
}

/** The creatives that the guest of a link should see; null if the link is not valid. */
const seenBy = (task: Task, { only }: Link): string[] | null =>
  task.state === 'live'
    ? task.creatives.filter((one) => one.state === 'live' && (only ?? one) === one).map(({ id }) => id)
    : null

/** The guest of the newest link comments on a creative and accepts it; null if the task has no link. */
async function asGuest(task: Task, creative: Creative): Promise<Outcome | null> {
  const link = task.links.at(-1)
  if (!link) return null
  const path = `/api/v1/guest/creatives/${creative.id}`
  const said = await service.post(`${path}/comments`, { text: 'Darker' }, { token: link.guest })
  const decision = { file: creative.current, decision: 'accepted' }
  const reply = await service.post(`${path}/decisions`, decision, { token: link.guest })
  const follow = () => {
    creative.comments.push(said.data.id)
    creative.decisions += 1
  }
  return { reply, allowed: seenBy(task, link)?.includes(creative.id) === true, follow }
}

async function actOnCreative(task: Task, creative: Creative, kind: Act['kind']): Promise<Outcome> {
  const path = `/api/v1/creatives/${creative.id}`
  const allowed = creative.state === 'live'
  const stand = (state: Creative['state']): void => {
    creative.state = state
  }
  const decided = (): void => {
    creative.decisions += 1
  }
  switch (kind) {
    case 'deleteCreative':
      // A delete of a deleted creative is allowed and changes nothing.
      return {
        ...{ reply: await service.del(path), allowed: allowed || creative.state === 'deleted' },
        follow: () => stand(allowed ? 'deleted' : creative.state),
      }
    case 'restoreCreative': {
      // A restore of a live creative is allowed and changes nothing.
      const mayComeBack = allowed || (creative.state === 'deleted' && task.state === 'live')
      const reply = await service.post(`${path}/restore`)
      return { reply, allowed: mayComeBack, follow: () => stand('live') }
    }
    case 'linkToOne':
      return newLink(task, creative)
    case 'replace': {
      const next = digests.find((one) => !creative.versions.includes(one)) ?? digests[0] ?? ''
      const reply = await service.patch(path, { file: next })
      const follow = () => {
        creative.current = next
        if (!creative.versions.includes(next)) creative.versions.push(next)
      }
      return { reply, allowed, follow }
    }
    case 'decide': {
      const reply = await service.post(`${path}/decisions`, { file: creative.current, decision: 'accepted' })
      return { reply, allowed, follow: decided }
    }
    default: {
      const reply = await service.post(`${path}/review-comments`, { text: 'Make this warmer' })
      return { reply, allowed, follow: () => void creative.comments.push(reply.data.id) }
    }
  }
}

function purge(tasks: readonly Task[]): void {
  for (const task of tasks) {
    if (task.state === 'deleted') task.state = 'purged'
    for (const one of task.creatives)
      if (one.state === 'deleted' || one.state === 'taken' || task.state === 'purged') one.state = 'purged'
  }
}

/** All stored review records of a task, whether they are shown or not. */
async function found(task: Task) {
  const of = (table: string, column: string, key: string, what: string) =>
    service.rows(`select ${what}::text as it from ${table} where ${column} = $1 order by 1`, [key])
  const texts = async (...given: Parameters<typeof of>) => (await of(...given)).map(({ it }) => it)
  return {
    links: await texts('guest_links', 'task_id', task.id, 'id'),
    guests: await texts('guests g join guest_links l on l.id = g.link_id', 'l.task_id', task.id, 'g.link_id'),
    seen: await seen(task.links.at(-1)),
    creatives: await Promise.all(
      task.creatives.map(async ({ id }) => ({
        versions: await texts('creative_versions', 'creative_id', id, 'file'),
        comments: await texts('review_comments', 'creative_id', id, 'id'),
        decisions: (await texts('review_decisions', 'creative_id', id, 'id')).length,
        shown: (await service.get(`/api/v1/creatives/${id}/review-comments`)).status === 200,
      })),
    ),
  }
}

/** The creatives that the guest of a link gets; null if there is no link or the link is refused. */
async function seen(link: Link | undefined): Promise<string[] | null> {
  if (!link) return null
  const { status, data } = await service.get('/api/v1/guest/creatives', { token: link.guest })
  return status === 200 ? data.items.map(({ creative_id }: { creative_id: string }) => creative_id).toSorted() : null
}

const expected = (task: Task) => ({
  ...linksOf(task),
  creatives: task.creatives.map(({ state, versions, comments, decisions }) => ({
    ...(state === 'purged'
      ? { versions: [], comments: [], decisions: 0 }
      : { versions: versions.toSorted(), comments: comments.toSorted(), decisions }),
    shown: state !== 'purged', // a person who opens a deleted creative still sees its comments
  })),
})

function linksOf(task: Task) {
  const ids = task.state === 'purged' ? [] : task.links.map(({ id }) => id).toSorted()
  const newest = task.links.at(-1)
  return { links: ids, guests: ids, seen: (newest && seenBy(task, newest)?.toSorted()) ?? null }
}

async function perform(tasks: readonly Task[], { kind, which }: Act): Promise<void> {
  if (kind === 'purge') {
    await purgeAtOnce(service)
    return purge(tasks)
  }
  const task = tasks[which % 2]
  const creative = task?.creatives[which >> 1]
  if (!task || !creative) throw new Error(`There is no ${which}.`)
  const outcome =
    kind === 'guest'
      ? await asGuest(task, creative)
      : ((await actOnTask(task, kind)) ?? (await actOnCreative(task, creative, kind)))
  if (!outcome) return
  expect([kind, outcome.reply.status < 300], outcome.reply.text).toEqual([kind, outcome.allowed])
  if (outcome.allowed) outcome.follow()
}

test('no order of deletes, restores and purges loses, keeps or shows what it should not', async () => {
  const check = async (acts: readonly Act[]): Promise<void> => {
    const tasks = [await newTask(false), await newTask(true)]
    for (const act of acts) {
      await perform(tasks, act)
      for (const task of tasks) expect(await found(task)).toEqual(expected(task))
    }
  }
  await fc.assert(fc.asyncProperty(fc.array(act, { minLength: 4, maxLength: 12 }), check), {
    numRuns: share(30),
    endOnFailure: true,
  })
})
