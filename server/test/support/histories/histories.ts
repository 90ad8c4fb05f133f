// In charge of random histories of a run: starts, answers, cancels, exports, restores, deletes, edits and the steps of
// workers, in any order and concurrently; and of the invariants of the run at every moment and at the end.
import { withDefaults } from '@atelier/contract/graph/schema-check.ts'
import fc from 'fast-check'
import { hashOf } from '../../../src/engine/model/units.ts'
import { definitionOf } from '../definitions.ts'
import { interleaved } from './turns.ts'
import { createWatcher } from './watcher.ts'
import { type Asked, createWorld, judge, memberOf, type Stage, type World } from './world.ts'

/**
 * The graph of the histories: a list; a paid call (`copy`) for each item, and a second call for each result of `copy`; a choice
 * among the results of `copy`, and a call that uses the choice. An approval and a file have no edges.
 */
export const modelDefinition = (digest: string, ...rows: string[]) =>
  definitionOf(
    {
      list: { type: 'list.collect', inputs: { values: rows } },
      copy: { type: 'test.paid', each: ['prompt'] },
      more: { type: 'test.safe', each: ['prompt'] },
      pick: { type: 'gate.choose' },
      last: { type: 'test.safe' },
      ok: { type: 'gate.approve', inputs: { value: 'beside it' } },
      file: { type: 'test.file', params: { digest } },
    },
    'list.list > copy.prompt',
    'copy.text > more.prompt',
    'copy.text > pick.options',
    'pick.first > last.prompt',
  )

const start = (body: object) => fc.constant({ kind: 'start' as const, body })
const action = fc.oneof(
  { weight: 6, arbitrary: fc.constant({ kind: 'work' as const }) },
  {
    weight: 5,
    arbitrary: fc.oneof(
      start({}),
      start({ regenerate: [{ node_id: 'copy', item: 0 }] }),
      start({ regenerate: [{ node_id: 'more', item: 1 }] }),
      start({ regenerate: [{ node_id: 'copy', item: 0, inputs: { prompt: 'an input of its own' } }] }),
      start({ regenerate: [{ node_id: 'copy' }, { node_id: 'ok' }] }),
      start({ targets: ['copy', 'file'] }),
      start({ execute: false }),
    ),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('answer' as const),
      node: fc.constantFrom('pick', 'ok'),
      pick: fc.nat(1),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('choose' as const), back: fc.nat(2) }) },
  { weight: 2, arbitrary: fc.constant({ kind: 'beat' as const }) },
  { weight: 2, arbitrary: fc.constant({ kind: 'overdue' as const }) },
  { weight: 2, arbitrary: fc.constant({ kind: 'takeOver' as const }) },
  { weight: 4, arbitrary: fc.constant({ kind: 'settle' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'die' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'stop' as const }) },
  { weight: 2, arbitrary: fc.constant({ kind: 'cancel' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'unheeded' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'export' as const }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('rewind' as const), back: fc.nat(4) }) },
  { weight: 1, arbitrary: fc.constantFrom({ kind: 'delete' as const }, { kind: 'undelete' as const }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('patch' as const),
      what: fc.constantFrom('definition', 'ui_state', 'targets'),
    }),
  },
)
type Action = typeof action extends fc.Arbitrary<infer A> ? A : never

const underWay: Action[][] = [[{ kind: 'start', body: { regenerate: [{ node_id: 'copy' }] } }], [{ kind: 'work' }]]
const parked: Action[][] = [...underWay, [{ kind: 'settle' }]]
const chosen: Action[][] = [...parked, [{ kind: 'answer', node: 'pick', pick: 1 }]]
const finished: Action[][] = [
  ...chosen,
  [{ kind: 'answer', node: 'ok', pick: 0 }],
  [{ kind: 'work' }],
  [{ kind: 'settle' }],
]
const exported: Action[][] = [...finished, [{ kind: 'export' }]]
const failed: Action[][] = [[{ kind: 'patch', what: 'definition' }], ...underWay, [{ kind: 'settle' }]]
const openings = [[], underWay, parked, chosen, finished, exported, failed]

/**
 * A history: a few steps, each of one or two concurrent actions. Most histories begin with an opening, which brings the run to a
 * certain state. The opening re-rolls `copy`: other histories have filled the cache, and a re-roll is not served from there.
 */
const history = fc
  .tuple(
    fc.nat(openings.length - 1),
    fc.array(fc.array(action, { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 4 }),
  )
  .map(([opening, steps]): Action[][] => [...(openings[opening] ?? []), ...steps])

async function act(stage: Stage, world: World, one: Action): Promise<unknown> {
  const { ask, id } = world
  switch (one.kind) {
    case 'work':
    case 'beat':
    case 'overdue':
    case 'takeOver':
    case 'settle':
    case 'unheeded':
    case 'die':
    case 'stop':
      return world[one.kind]()
    case 'start':
      return ask('POST', `/runs/${id}/start`, one.body)
    case 'choose':
      return world.choose('copy', 0, one.back)
    case 'answer': {
      const answer = one.node === 'ok' ? { approved: true } : { selected: [one.pick] }
      return ask('POST', `/runs/${id}/answers`, { node_id: one.node, answer })
    }
    case 'cancel':
      return ask('POST', `/runs/${id}/cancel`)
    case 'export':
      return ask('POST', `/runs/${id}/export`, { task_id: stage.taskId, outputs: [{ node_id: 'file' }] })
    case 'rewind': {
      const { data } = await ask('GET', `/runs/${id}/history`)
      const items = memberOf(data, 'items')
      const at: unknown = Array.isArray(items) ? memberOf(items[one.back], 'at') : undefined
      return typeof at === 'string' ? ask('POST', `/runs/${id}/history/restore`, { at }) : undefined
    }
    case 'delete':
      return ask('DELETE', `/runs/${id}`)
    case 'undelete':
      return ask('POST', `/runs/${id}/undelete`)
    case 'patch':
      return ask('PATCH', `/runs/${id}`, patchOf(stage, one.what))
  }
}

/** Performs an action and counts its outcome in `seen`, so that a test can check that the histories reach many states. */
async function counted(stage: Stage, world: World, one: Action): Promise<void> {
  const { seen } = stage
  const before = world.answers.length
  await act(stage, world, one)
  const [answer] = world.answers.slice(before)
  const what = answer ? `${one.kind} ${answer.status}` : one.kind
  seen[what] = (seen[what] ?? 0) + 1
}

const patchOf = ({ otherDefinition }: Stage, what: string): object =>
  what === 'definition'
    ? { definition: otherDefinition }
    : what === 'targets'
      ? { targets: ['last'] }
      : { ui_state: { moved: true } }

/** Statuses that responses may have. 422 is right if a node to re-roll is not among the targets, or an item does not exist. */
const fitting = new Set([200, 409, 422])

/** The parts of an exported run that must never change. */
const frozen = (run: unknown): string =>
  JSON.stringify(
    ['definition', 'ui_state', 'nodes', 'answers', 'exported_at', 'status'].map((name) => memberOf(run, name)),
  )

/** Performs a history; throws an error that lists every violated invariant. */
async function check(stage: Stage, steps: readonly (readonly Action[])[], seed: number): Promise<void> {
  const world = await createWorld(stage)
  const watcher = createWatcher(stage.database, world.id, stage.seen)
  // The watcher reads the run twice per step, which takes as long as all the rest; so only a third of the histories are watched.
  const isWatched = seed % 3 === 0
  const problems: string[] = []
  let kept: string | null = null
  const look = async (): Promise<Asked> => {
    const seen = await stage.ask('GET', `/runs/${world.id}`)
    const [status, pending] = [memberOf(seen.data, 'status'), memberOf(seen.data, 'pending_input')]
    if ((status === 'awaiting_input') !== (pending !== null))
      problems.push(`${status}, pending_input ${JSON.stringify(pending)}`)
    if (kept !== null && frozen(seen.data) !== kept) problems.push(`exported as ${kept}, became ${frozen(seen.data)}`)
    const stands = `is ${status}`
    stage.seen[stands] = (stage.seen[stands] ?? 0) + 1
    if (memberOf(seen.data, 'exported_at') !== null) kept ??= frozen(seen.data)
    return seen
  }
  await interleaved(seed, async () => {
    for (const step of steps) {
      await Promise.all(step.map((one) => counted(stage, world, one)))
      if (isWatched) problems.push(...(await watcher.look()))
      if (step.some(({ kind }) => asks.has(kind))) await look()
    }
  })
  for (const { status, text } of world.answers) if (!fitting.has(status)) problems.push(`answered ${status}: ${text}`)
  problems.push(...(await calm(stage, world)))
  problems.push(...(await paidForChoices(stage, world)))
  if (isWatched) problems.push(...(await watcher.look()))
  const run = (await look()).data
  problems.push(...(await voidAnswers(stage, world.id, run)))
  problems.push(...(await overlooked(stage, world, run)))
  if (isWatched) problems.push(...(await watcher.look()))
  if (problems.length > 0) throw new Error(problems.join('\n'))
}

/** Ends the work on the run; then an undisturbed worker must be able to finish the run. Returns the violations. */
async function calm(stage: Stage, world: World): Promise<string[]> {
  await world.beat()
  world.stop()
  await world.settle()
  await world.overdue()
  const problems = await judge(stage, world.id)
  const status = memberOf(await seenThrough(stage, world), 'status')
  if (status === 'queued' || status === 'running') problems.push(`left alone with a worker, it is ${status}`)
  return [...problems, ...(await judge(stage, world.id))]
}

/** Lets a worker finish the run; returns the run. A claim may fail while the sweep of another history locks the run: ten tries. */
async function seenThrough({ ask }: Stage, { id, work, settle }: World): Promise<unknown> {
  const look = async (): Promise<unknown> => (await ask('GET', `/runs/${id}`)).data
  let run = await look()
  for (let left = 10; left > 0 && ['queued', 'running'].includes(String(memberOf(run, 'status'))); left--) {
    await work()
    await settle()
    run = await look()
  }
  return run
}

/** Checks that no item was paid for in a generation in which the item had been set to an earlier take. */
async function paidForChoices({ database }: Stage, { choices }: World): Promise<string[]> {
  const problems: string[] = []
  for (const { runId, generation, node, item } of choices) {
    const paid = await database.main
      .selectFrom('credit_entries')
      .select('item')
      .where('run_id', '=', runId)
      .where('generation', '=', generation)
      .where('node_id', '=', node)
      .where('item', '=', item)
      .execute()
    if (paid.length > 0) problems.push(`went back to a take of ${node}, and asked for it all the same`)
  }
  return problems
}

/** Checks that the answer of `pick` was given to the options that `pick` has now, and that `last` used the chosen option. */
async function voidAnswers({ engines, database }: Stage, id: string, run: unknown): Promise<string[]> {
  const outputs = (node: string, port: string): unknown =>
    memberOf(memberOf(memberOf(memberOf(run, 'nodes'), node), 'outputs'), port)
  const [options, first, last] = [outputs('copy', 'text'), outputs('pick', 'first'), outputs('last', 'text')]
  const problems: string[] = []
  if (typeof last === 'string' && typeof first === 'string' && !last.startsWith(first)) {
    problems.push(`made ${last} of ${first}`)
  }
  const type = engines[0]?.find('gate.choose', 1)
  if (typeof first !== 'string' || !Array.isArray(options) || !type?.gate) return problems
  const inputs = { options: options.filter((option) => option !== null) }
  const asked = hashOf(type.gate.ask({ params: withDefaults(type.params, {}), inputs }))
  const given = await database.main
    .selectFrom('run_answers')
    .select('asked')
    .where('run_id', '=', id)
    .where('node_id', '=', 'pick')
    .executeTakeFirst()
  if (given?.asked !== asked)
    problems.push(`picked ${first} of ${options.join(', ')}: the answer was to another question`)
  return problems
}

/**
 * Starts the run again so that all its nodes are checked for changes. Returns a violation for each result that differs
 * afterwards: one of the earlier starts should have updated that result.
 */
async function overlooked(stage: Stage, world: World, run: unknown): Promise<string[]> {
  const { ask, database } = stage
  const resting = ['succeeded', 'failed', 'cancelled', 'awaiting_input'].includes(String(memberOf(run, 'status')))
  if (!resting || memberOf(run, 'exported_at') !== null || memberOf(run, 'deleted_at') !== null) return []
  await database.main.updateTable('runs').set({ types_fingerprint: null }).where('id', '=', world.id).execute()
  const asked = await ask('POST', `/runs/${world.id}/start`, { targets: memberOf(run, 'targets') })
  if (asked.status !== 200) return [`could not be started again: ${asked.text}`]
  const again = await seenThrough(stage, world)
  const [before, after] = [resultsOf(run), resultsOf(again)]
  return [...before].flatMap(([unit, was]) => {
    const is = after.get(unit) ?? was // if `after` lacks the unit: it is no longer among the targets
    return was.outputs === null || was.outputs === is.outputs
      ? []
      : [`${unit} had ${was.outputs}, and is ${is.status} ${is.outputs}`]
  })
}

type Result = { status: unknown; outputs: string | null }

/** The states of all units, which are items and nodes without items; `outputs` is null unless the unit has a result. */
function resultsOf(run: unknown): Map<string, Result> {
  const found = new Map<string, Result>()
  const note = (unit: string, state: unknown): void => {
    const status = memberOf(state, 'status')
    const hasResult = status === 'succeeded' || status === 'cached'
    found.set(unit, { status, outputs: hasResult ? JSON.stringify(memberOf(state, 'outputs')) : null })
  }
  for (const [id, state] of Object.entries(memberOf(run, 'nodes') ?? {})) {
    const items = Object.entries(memberOf(state, 'items') ?? {})
    if (items.length === 0) note(id, state)
    for (const [item, one] of items) note(`${id}/${item}`, one)
  }
  return found
}

/** Kinds of actions after which a history reads the run over the API and checks the run. */
const asks = new Set<Action['kind']>(['export', 'answer', 'rewind', 'settle', 'patch', 'cancel', 'delete', 'undelete'])

const lanes = 4

/** Checks `numRuns` random histories, four at a time. Rejects with the smallest history that fails, and its violations. */
export async function checkHistories(
  stage: Stage,
  { numRuns, seed }: { numRuns: number; seed: number },
): Promise<void> {
  const property = fc.asyncProperty(history, fc.nat(), (steps, order) => check(stage, steps, order))
  const lane = (_: unknown, index: number) =>
    fc.assert(property, { numRuns: Math.ceil(numRuns / lanes), seed: seed + index })
  await Promise.all(Array.from({ length: lanes }, lane))
}
