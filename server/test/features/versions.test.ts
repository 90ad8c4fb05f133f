// Facts about product versions that run at the same time: what a process does with runs whose node types it does not have.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { RunQueue, WakeupJob } from '../../src/engine/store/queue.ts'
import type { Timing } from '../../src/engine/work/engine.ts'
import { createWorker, type Worker } from '../../src/engine/work/worker.ts'
import type { NodeType } from '../../src/nodes/node-type.ts'
import { definitionOf } from '../support/definitions.ts'
import { engineOn, take } from '../support/engine.ts'
import { eventually } from '../support/eventually.ts'
import { type Body, type Service, startService } from '../support/harness.ts'
import { makers } from '../support/make.ts'
import { makeRun, readRun, runThrough, statusesOf, turns, until, untilStatus } from '../support/runs.ts'
import { migratedTags, tags } from '../support/tags.ts'
import { createProvider, testNodes } from '../support/test-nodes.ts'

const timing: Timing = {
  heartbeatSeconds: 0.1,
  lostAfterSeconds: 2,
  pollSeconds: 0.1,
  cancelAfterSeconds: 2,
  resendSeconds: 0.1,
  strandedAfterSeconds: 60,
}

let provider: ReturnType<typeof createProvider>
let paid: NodeType[]
let service: Service
let open: Worker[]

beforeEach(() => {
  provider = createProvider()
  paid = testNodes(provider)
  open = []
})
afterEach(async () => {
  for (const worker of open) await worker.stop(0)
  await service.close()
})

/** Starts a service with these node types besides the usual ones; the service executes no runs. */
const serve = async (...types: NodeType[]): Promise<void> => {
  service = await startService({}, undefined, [...paid, ...types])
}

type Made = { worker: Worker; jobs: WakeupJob[]; stop(): Promise<void> }

/** Starts a worker with these node types besides the usual ones; `jobs`: every wake-up that the worker took. */
async function work(name: string, types: NodeType[], more: { timing?: Partial<Timing>; runs?: number } = {}) {
  const engine = await engineOn(service, [...paid, ...types], { timing: { ...timing, ...more.timing } })
  const jobs: WakeupJob[] = []
  const queue: RunQueue = {
    ...engine.queue,
    fetch: async (count) => {
      const taken = await engine.queue.fetch(count)
      jobs.push(...taken)
      return taken
    },
  }
  const worker = createWorker({ ...engine, queue }, { name, runs: more.runs ?? 4 })
  open.push(worker)
  await worker.start()
  const stop = async (): Promise<void> => {
    open = open.filter((one) => one !== worker)
    await worker.stop(0)
  }
  return { worker, jobs, stop } satisfies Made
}

/** A definition of three nodes: brief → tags → a paid call. */
const ad = (version = 1, brief = 'Flask') =>
  definitionOf(
    {
      brief: { type: 'input.text', params: { value: brief } },
      tags: { type: 'test.tags', version },
      copy: { type: 'test.paid' },
    },
    'brief.text > tags.text',
    'tags.line > copy.prompt',
  )

/** A definition of three nodes: a gate → tags → a paid call. */
const gated = (version = 1) =>
  definitionOf(
    {
      ok: { type: 'gate.edit', inputs: { value: 'Cup' } },
      tags: { type: 'test.tags', version },
      copy: { type: 'test.paid' },
    },
    'ok.value > tags.text',
    'tags.line > copy.prompt',
  )

const prompts = (): string[] => provider.calls.map(({ prompt }) => prompt)
const isStranded = (run: Body): boolean => run.status === 'queued' && run.error !== null
const answer = (at: Service, id: string, value = 'Cup') =>
  at.post(`/api/v1/runs/${id}/answers`, { node_id: 'ok', answer: { value } })

describe('a run that is started by a newer version', () => {
  test('is not performed by a worker without one of its types, and succeeds with one that has all', async () => {
    await serve(tags(1))
    const old = await work('old', [])
    const { id } = await makeRun(service, ad(), { execute: true })
    const waiting = await until(service, id, isStranded)
    expect(waiting.error).toMatch(/waits for a worker of another version: “tags” needs test\.tags version 1, /)
    expect(statusesOf(waiting)).toEqual({ brief: 'pending', tags: 'pending', copy: 'pending' })
    expect([prompts(), old.worker.running()]).toEqual([[], 0])

    await work('new', [tags(1)])
    const run = await untilStatus(service, id, 'succeeded', 'failed')
    expect(run).toMatchObject({ status: 'succeeded', error: null, generation: 1 })
    expect(statusesOf(run)).toEqual({ brief: 'succeeded', tags: 'succeeded', copy: 'succeeded' })
    expect(prompts()).toEqual(['#v1 Flask'])
    expect(await service.rows('select * from stranded_runs')).toEqual([])
  })

  test('is not performed by an older version of a type', async () => {
    await serve(tags(2))
    await work('old', [tags(1)])
    const { id } = await makeRun(service, ad(2), { execute: true })
    await until(service, id, isStranded)
    await work('new', [tags(2)])
    await untilStatus(service, id, 'succeeded')
    expect(prompts()).toEqual(['#v2 Flask'])
  })

  test('may lack what its targets do not need', async () => {
    await serve(tags(1))
    await work('old', [])
    const { id } = await makeRun(service, ad(), { execute: true, targets: ['brief'] })
    expect(statusesOf(await untilStatus(service, id, 'succeeded'))).toEqual({ brief: 'succeeded' })
  })

  test('goes to the one worker of several that has its types, whichever took the wake-up', async () => {
    await serve(tags(1))
    await work('new', [tags(1)])
    if (service.url !== null) for (const name of ['old 1', 'old 2', 'old 3']) await work(name, [])
    const runs = await Promise.all(
      Array.from({ length: 8 }, (_, number) => makeRun(service, ad(1, `Ad ${number}`), { execute: true })),
    )
    for (const { id } of runs)
      expect(await untilStatus(service, id, 'succeeded', 'failed')).toMatchObject({ error: null })
    expect(prompts().toSorted()).toEqual(runs.map((_, number) => `#v1 Ad ${number}`))
  })
})

describe('a run that is started by an older version', () => {
  test('is not performed by a newer version of a type', async () => {
    await serve(tags(1))
    await work('new', [tags(2)])
    const { id } = await makeRun(service, ad(1), { execute: true })
    await until(service, id, isStranded)
    await work('old', [tags(1)])
    await untilStatus(service, id, 'succeeded')
    expect(prompts()).toEqual(['#v1 Flask'])
  })

  test('is performed at its version where that is kept', async () => {
    await serve(tags(1))
    await work('new', [tags(2), tags(1)])
    const { id } = await makeRun(service, ad(1), { execute: true })
    await untilStatus(service, id, 'succeeded')
    expect(prompts()).toEqual(['#v1 Flask'])
  })
})

describe('a run that is queued as its installation is upgraded', () => {
  test('is performed by the newer version where that performs the earlier one', async () => {
    await serve(tags(1))
    const { id } = await makeRun(service, ad(1), { execute: true })
    await work('upgraded', migratedTags())
    const run = await untilStatus(service, id, 'succeeded', 'failed')
    expect(run.error).toBeNull()
    expect(prompts()).toEqual(['as version 1: #v2 Flask'])
  })
})

describe('a run that no worker can perform', () => {
  test('is set aside, then left alone', async () => {
    await serve(tags(1))
    const [one, two] = [await work('one', []), await work('two', [])]
    const { id } = await makeRun(service, ad(), { execute: true })
    await until(service, id, isStranded)
    const wakeups = () =>
      service.rows<{ state: string }>('select id, state from pgboss.job where singleton_key like $1', [`${id}/%`])
    // If a worker needs longer than `resendSeconds` to set the run aside, the reconciler sends a second wake-up.
    await eventually(async () => expect((await wakeups()).every(({ state }) => state === 'completed')).toBe(true))
    const seen = async () => ({
      run: await service.rows('select lease, updated_at from runs where id = $1', [id]),
      wakeups: await wakeups(),
      taken: [...one.jobs, ...two.jobs].length,
    })
    const before = await seen()
    await turns(service, 10)
    expect(await seen()).toEqual(before)
  })

  test('fails after a while, with the reason, and starts once it was edited', async () => {
    await serve(tags(1))
    await work('old', [], { timing: { strandedAfterSeconds: 0.5 } })
    const { id } = await makeRun(service, ad(), { execute: true })
    const run = await untilStatus(service, id, 'failed', 'succeeded')
    expect(run.error).toMatch(/^No worker that has all .*: “tags” needs test\.tags version 1\. Change its definition/)
    expect(prompts()).toEqual([])
    const definition = definitionOf({ copy: { type: 'test.paid', inputs: { prompt: 'without tags' } } })
    await service.patch(`/api/v1/runs/${id}`, { definition })
    expect(await runThrough(service, id)).toMatchObject({ status: 'succeeded', error: null })
    expect(prompts()).toEqual(['without tags'])
  })

  test('does not fail as long as a worker lives that has its types, however busy', async () => {
    await serve(tags(1))
    const busy = await work('busy', [tags(1)], { runs: 0 })
    await work('old', [], { timing: { strandedAfterSeconds: 4 } })
    const { id } = await makeRun(service, ad(), { execute: true })
    await until(service, id, isStranded)
    await eventually(async () =>
      expect(await service.rows(`select 1 from stranded_runs where since < now() - interval '5 s'`)).toHaveLength(1),
    )
    await turns(service, 2)
    expect((await readRun(service, id)).status).toBe('queued')
    await busy.stop()
    expect((await untilStatus(service, id, 'failed')).error).toMatch(/^No worker/)
  })

  test('can be cancelled, and is started again like any other run', async () => {
    await serve(tags(1))
    const old = await work('old', [])
    const { id } = await makeRun(service, ad(), { execute: true })
    await until(service, id, isStranded)
    expect((await service.post(`/api/v1/runs/${id}/cancel`)).data).toMatchObject({ status: 'cancelled', error: null })
    await old.stop()
    await work('new', [tags(1)])
    await eventually(async () => expect(await service.rows('select * from stranded_runs')).toEqual([]))
    expect(await runThrough(service, id)).toMatchObject({ status: 'succeeded' })
  })

  test('of a worker that was lost counts no further death while it waits', async () => {
    await serve(tags(1))
    const { id } = await makeRun(service, ad(), { execute: true })
    const lost = await engineOn(service, [...paid, tags(1)])
    expect(await take(lost, id, 'lost')).toMatchObject({ status: 'running' })
    const old = await work('old', [], { timing: { lostAfterSeconds: 0.2 } })
    await until(service, id, isStranded)
    await turns(service, 5)
    expect(await service.rows('select deaths, status from runs where id = $1', [id])).toEqual([
      { deaths: 1, status: 'queued' },
    ])
    await old.stop()
    await work('new', [tags(1)])
    await untilStatus(service, id, 'succeeded')
    expect(prompts()).toEqual(['#v1 Flask'])
  })
})

describe('a run that was parked by another version', () => {
  /** A run that was parked by a worker which has stopped since, so that no live worker has the node type `test.tags`. */
  async function parked(): Promise<string> {
    await serve(tags(1))
    const first = await work('first', [tags(1)])
    const { id } = await makeRun(service, gated(), { execute: true })
    await untilStatus(service, id, 'awaiting_input')
    await first.stop()
    return id
  }

  test.for([
    ['drops a type', []],
    ['raises its version', [tags(2)]],
  ] as const)('stays parked over one that %s, says why, and starts once it was edited', async ([, types]) => {
    const id = await parked()
    const upgraded = await service.another([...paid, ...types])
    await work('upgraded', [...types])
    const refused = await answer(upgraded, id)
    expect([refused.status, refused.body.code]).toEqual([409, 'node_types_missing'])
    expect(refused.body.detail).toMatch(/“tags” needs test\.tags version 1, /)
    const run = (await upgraded.get(`/api/v1/runs/${id}`)).body
    expect(run.errors.join()).toMatch(/nodes\.tags\.(?:type|version): .*test\.tags/)
    expect(run.data).toMatchObject({ status: 'awaiting_input', credits_total: 0, answers: {} })
    expect(run.data.pending_input).toMatchObject({ node_id: 'ok' })
    expect(prompts()).toEqual([])

    const definition = definitionOf(
      { ok: { type: 'gate.edit', inputs: { value: 'Cup' } }, copy: { type: 'test.paid' } },
      'ok.value > copy.prompt',
    )
    expect((await upgraded.patch(`/api/v1/runs/${id}`, { definition })).data.status).toBe('draft')
    expect((await runThrough(upgraded, id)).status).toBe('awaiting_input')
    expect((await answer(upgraded, id)).status).toBe(200)
    await untilStatus(upgraded, id, 'succeeded')
    expect(prompts()).toEqual(['Cup'])
    await upgraded.close()
  })

  test('takes the same answer once the version that has its types is back', async () => {
    const id = await parked()
    const downgraded = await service.another(paid)
    expect((await answer(downgraded, id)).status).toBe(409)
    await work('back', [tags(1)])
    expect((await answer(service, id)).status).toBe(200)
    await untilStatus(service, id, 'succeeded')
    expect(prompts()).toEqual(['#v1 Cup'])
    await downgraded.close()
  })

  test('takes an answer from a process without its types where a worker has them', async () => {
    const id = await parked()
    const other = await service.another(paid)
    await work('other', [])
    await work('back', [tags(1)])
    expect((await answer(other, id)).status).toBe(200)
    await untilStatus(service, id, 'succeeded')
    expect(prompts()).toEqual(['#v1 Cup'])
    await other.close()
  })

  test('goes on at its version where that is kept', async () => {
    const id = await parked()
    const upgraded = await service.another([...paid, tags(2), tags(1)])
    await work('upgraded', [tags(2), tags(1)])
    expect((await answer(upgraded, id)).status).toBe(200)
    await untilStatus(upgraded, id, 'succeeded')
    expect(prompts()).toEqual(['#v1 Cup'])
    await upgraded.close()
  })

  test('goes on as it was written where the newer version performs it, with its own ports', async () => {
    const id = await parked()
    const types = migratedTags()
    const upgraded = await service.another([...paid, ...types])
    await work('upgraded', types)
    const before = (await upgraded.get(`/api/v1/runs/${id}`)).body
    expect(before.errors ?? []).toEqual([])
    expect((await answer(upgraded, id)).status).toBe(200)
    const run = await untilStatus(upgraded, id, 'succeeded', 'failed')
    expect(run.nodes.tags.outputs).toEqual({ line: 'as version 1: #v2 Cup' })
    expect(run.definition).toEqual(before.data.definition)
    expect(prompts()).toEqual(['as version 1: #v2 Cup'])
    await upgraded.close()
  })

  test('does not start from its answered gate after an upgrade while nobody has its types', async () => {
    const id = await parked()
    expect((await answer(service, id)).status).toBe(200)
    await work('old', [])
    const waiting = await until(service, id, isStranded)
    expect(waiting.answers).toMatchObject({ ok: { value: 'Cup' } })
    await work('back', [tags(1)])
    await untilStatus(service, id, 'succeeded')
    expect(prompts()).toEqual(['#v1 Cup'])
  })
})

describe('several versions of a type in one process', () => {
  test('are one type in the list, and each node runs at its own', async () => {
    await serve(tags(1), tags(2))
    await work('worker', [tags(1), tags(2)])
    const listed = (await service.get('/api/v1/node-types')).data.items.filter(({ type }: Body) => type === 'test.tags')
    expect(listed).toMatchObject([{ version: 2, earlier: [{ version: 1, title: 'Tags, version 1' }] }])
    const definition = definitionOf(
      { one: { type: 'test.tags', version: 1 }, two: { type: 'test.tags', version: 2 } },
      'one.line > two.text',
    )
    const { id } = await makeRun(service, definition)
    expect((await service.get(`/api/v1/runs/${id}`)).body.errors).toBeNull()
    expect((await runThrough(service, id)).nodes.two.outputs.line).toBe('#v2 #v1 ')
  })
})

test('the record of a file says what made it after a type before it was dropped', async () => {
  await serve(tags(1))
  const before = await work('before', [tags(1)])
  const definition = definitionOf(
    { tags: { type: 'test.tags' }, image: { type: 'sample.image', params: { width: 64, height: 64, format: 'svg' } } },
    'tags.line > image.prompt',
  )
  await before.stop()
  await service.app.worker.start()
  const { id } = await makeRun(service, definition)
  await runThrough(service, id)
  const task = await makers(service).task()
  const upgraded = await service.another(paid)
  const exported = await upgraded.post(`/api/v1/runs/${id}/export`, {
    task_id: task.id,
    outputs: [{ node_id: 'image' }],
  })
  const { data } = await upgraded.get(`/api/v1/creatives/${exported.data.exported_creatives[0]}/provenance`)
  expect(data.inputs).toEqual({ prompt: '#v1 ' })
  await upgraded.close()
})
