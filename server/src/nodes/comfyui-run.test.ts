// Facts about `comfyui.run`, against a fake ComfyUI on this machine. If ComfyUI has the job of a call already, its result is
// used. If it is not certain whether ComfyUI got the job, the workflow is sent again only after a person started the run again.
import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import {
  broken,
  type ComfyUiHere,
  invalid,
  files as made,
  startComfyUi,
  succeeded,
  workflow,
} from '../../test/support/comfyui.ts'
import { settingsFor } from '../../test/support/models.ts'
import { callNode, contextOf, failure, filesInMemory } from '../../test/support/nodes.ts'
import { breakOff, hangUp, json, silence } from '../../test/support/outside.ts'
import { mp3, mp4, png } from '../../test/support/providers.ts'
import { comfyUiRun } from './comfyui-run.ts'
import { marksOf } from './images/read-marks.ts'
import { createPictureWorkers } from './images/workers.ts'
import type { ModelSettings } from './node-options.ts'
import { Cancelled, type NodeContext } from './node-type.ts'
import { guardedAgent, trustedAgent } from './outside/guard.ts'
import { createModels } from './outside/providers.ts'

const workers = createPictureWorkers({ most: 1 })
const agents = { trusted: trustedAgent(), guarded: guardedAgent([]) }
const files = filesInMemory()
beforeEach(() => files.all.clear())

const typeAt = ({ url }: Pick<ComfyUiHere, 'url'>, key: string | null = null, more: Partial<ModelSettings> = {}) => {
  const connections = new Map([['comfyui', { url, key }]])
  return comfyUiRun(createModels(settingsFor(null, { connections, ...more }), agents), workers)
}

/**
 * Calls one node repeatedly, as the attempts and the starts of a run do. Each call receives the checkpoint that was saved last.
 */
function attempts(here: ComfyUiHere, params: Record<string, unknown> = {}) {
  let checkpoint: Record<string, unknown> | null = null
  return {
    saved: () => checkpoint,
    call: (more: Partial<NodeContext> & { unit: string }) =>
      callNode(typeAt(here), {
        ...{ files, params: { workflow, ...params }, checkpoint },
        saveCheckpoint: async (value) => {
          checkpoint = Object.keys(value).length === 0 ? null : structuredClone(value)
        },
        ...more,
      }),
  }
}

const once = (here: ComfyUiHere, params: Record<string, unknown> = {}, more: Partial<NodeContext> = {}) =>
  attempts(here, params).call({ unit: randomUUID(), ...more })

test('texts, numbers and pictures go to the fields they are named for, and pictures come back marked', async () => {
  const here = await startComfyUi()
  const picture = await files.write(png, 'image/png', 'flask.png')
  const fields = { prompt: '6.text', steps: '3.steps', picture: '10.image', unused: '3.positive' }
  const unit = randomUUID()
  const inputs = { prompt: 'on slate', steps: 8, picture }
  const { outputs, credits, message, cost } = await once(here, { fields, seed: '3.seed' }, { unit, inputs })
  const [sent, ...more] = here.sent()
  expect(more).toEqual([])
  expect(sent).toMatchObject({ prompt_id: unit, client_id: 'atelier' })
  expect(sent?.prompt).toMatchObject({
    '3': { inputs: { steps: 8, positive: ['6', 0], seed: expect.any(Number) } },
    '6': { inputs: { text: 'on slate', clip: ['4', 1] } },
    '10': { inputs: { image: expect.stringMatching(/^atelier-[0-9a-f]{32}\.png$/) } },
  })
  expect(sent?.prompt['3']?.inputs.seed).not.toBe(1)
  expect(here.uploads()).toHaveLength(1)
  expect(outputs).toMatchObject({
    images: [{ media_type: 'image/png' }],
    image: { name: 'generated.png' },
    seconds: 0.3,
  })
  expect([credits, message, cost]).toEqual([1, 'ComfyUI worked on it for 0.3 s.', null])
  const stored = [...files.all.values()].at(-1) ?? Buffer.alloc(0)
  expect((await marksOf(stored)).sourceType).toBe('compositeWithTrainedAlgorithmicMedia')
  // The workflow that ComfyUI writes into each picture is removed before the picture is stored.
  expect(stored.includes('class_type')).toBe(false)
})

test('a re-roll gives the seed another number, and the same call the same', async () => {
  const here = await startComfyUi({ looks: 1 })
  const seeds = ['a'.repeat(64), 'b'.repeat(64), 'a'.repeat(64)]
  for (const seed of seeds) await once(here, { seed: '3.seed' }, { seed })
  const [first, other, again] = here.sent().map(({ prompt }) => prompt['3']?.inputs.seed)
  expect([first === other, first === again]).toEqual([false, true])
})

test('a video is kept as it came, and previews count where nothing was saved', async () => {
  const film = { filename: 'made_00001_.mp4', subfolder: 'video', type: 'output' }
  const filming = await startComfyUi({ entry: (job) => succeeded(job, { '9': { images: [film], animated: [true] } }) })
  const { outputs } = await once(filming)
  expect(outputs).toMatchObject({ images: [], video: { media_type: 'video/mp4', size: mp4.length } })
  expect(outputs.image).toBeUndefined()
  const previewing = await startComfyUi({ entry: (job) => succeeded(job, { '9': { images: made.slice(1) } }) })
  expect((await once(previewing)).outputs.images).toHaveLength(1)
})

test.for([
  [{ nodes: [{ id: 1, type: 'KSampler' }], links: [], version: 0.4 }, {}, {}, /editor saves it.*Export \(API\)/],
  [{}, {}, {}, /no workflow.*Export \(API\)/],
  [{ '3': { inputs: {} } }, {}, {}, /Node 3 of the workflow has no “class_type”/],
  [workflow, { prompt: '7.text' }, {}, /“7\.text” names no node of the workflow: it has 3, 6, 9, 10/],
  [workflow, { prompt: '6.txt' }, {}, /Node 6 \(CLIPTextEncode\) has no field “txt”: it has text, clip/],
  [workflow, {}, { prompt: 'x' }, /The input “prompt” goes nowhere/],
  [workflow, { prompt: '6.text' }, { prompt: ['x'] }, /“prompt” is neither text/],
] as const)('what makes no sense is refused before anything is sent: %#', async ([given, fields, inputs, words]) => {
  const here = await startComfyUi()
  const failed = await failure(once(here, { workflow: given, fields }, { inputs }))
  expect(failed).toMatchObject({ outcome: 'none', again: null, message: expect.stringMatching(words) })
  expect(here.seen).toEqual([])
})

test('files that it has no use for are not sent', async () => {
  const here = await startComfyUi()
  const table = await files.write(mp3, 'text/csv', 'rows.csv')
  const call = once(here, { fields: { picture: '10.image' } }, { inputs: { picture: table } })
  expect((await failure(call)).message).toMatch(/rows\.csv is text\/csv/)
  expect(here.seen).toEqual([])
})

test.for([
  [
    'faults of a workflow',
    json(invalid, 400),
    /node 4 \(CheckpointLoaderSimple\): Value not in list \(ckpt_name: 'x\.safetensors' not in \[\]\)/,
    null,
  ],
  ['no key', json({}, 401), /does not accept the key \(401\)/, null],
  ['500', json({}, 500), /in trouble \(500\)/, { afterSeconds: 15 }],
  ['too many', json({}, 429, { 'retry-after': '7' }), /no more calls/, { afterSeconds: 7, busy: true }],
  ['what is no ComfyUI', json({ hello: 'there' }), /as ComfyUI does not.*ATELIER_PROVIDER_URLS/, null],
] as const)('%s: nothing is owed, and nothing is sent again', async ([, answer, words, again]) => {
  const here = await startComfyUi({ troubles: [{ answer, takes: false }] })
  const failed = await failure(once(here))
  expect(failed).toMatchObject({ outcome: 'none', again, message: expect.stringMatching(words) })
  expect(here.sent()).toHaveLength(1)
})

test.for([
  ['a reset before the answer', hangUp],
  ['a reset within the answer', breakOff],
  ['a gateway that gave up', json({}, 504)],
] as const)('%s: a job that has arrived is gone on with, and one that is not there may have', async ([, answer]) => {
  const arrived = await startComfyUi({ troubles: [{ answer, takes: true }] })
  expect((await once(arrived)).outputs.images).toHaveLength(1)
  expect(arrived.sent()).toHaveLength(1)

  const lost = await startComfyUi({ troubles: [{ answer, takes: false }] })
  const { call } = attempts(lost)
  expect(await failure(call({ unit: randomUUID() }))).toMatchObject({ outcome: 'unknown', again: null })
  expect(lost.sent()).toHaveLength(1)
  // The second call stands for a person who starts the run again, and so accepts that the job may run twice.
  await call({ unit: randomUUID() })
  expect(lost.sent()).toHaveLength(2)
})

test('500 for a job that has arrived: it is gone on with', async () => {
  const here = await startComfyUi({ troubles: [{ answer: json({}, 500), takes: true }] })
  await once(here)
  expect([here.sent().length, here.done.length]).toEqual([1, 1])
})

test('a job goes on after a crash, wherever that happened', async () => {
  const here = await startComfyUi({ looks: 4 })
  const { call, saved } = attempts(here)
  const unit = randomUUID()
  const stop = new AbortController()
  await expect(call({ unit, signal: stop.signal, progress: () => stop.abort() })).rejects.toThrow()
  expect(here.cancelled).toEqual([])
  expect(saved()).toMatchObject({ id: unit, isAccepted: true })
  await call({ unit })
  // Without a checkpoint, as if the worker had crashed before it saved one: the id of the job is `unit`, so the job is found.
  await once(here, {}, { unit })
  // In a later start of the run `unit` is another id, but the checkpoint contains the id of the job.
  await call({ unit: randomUUID() })
  expect([here.sent().length, here.done]).toEqual([1, [unit]])
})

test('a job of another call is not taken for this one', async () => {
  const here = await startComfyUi()
  const { call } = attempts(here)
  await call({ unit: randomUUID() })
  await call({ unit: randomUUID(), seed: 'another' })
  expect(here.sent()).toHaveLength(2)
})

test('a history that forgets: it is not sent again before a person starts it', async () => {
  const here = await startComfyUi({ looks: 3 })
  const { call } = attempts(here)
  const unit = randomUUID()
  const failed = await failure(call({ unit, progress: () => here.forget() }))
  expect(failed).toMatchObject({ outcome: 'unknown', message: expect.stringMatching(/does not know the job any more/) })
  expect(await failure(call({ unit }))).toMatchObject({ outcome: 'unknown' })
  expect(here.sent()).toHaveLength(1)
  await call({ unit: randomUUID() })
  expect(here.sent()).toHaveLength(2)
})

test('a job that fails says which node and why, costs nothing, and a new start sends a new one', async () => {
  const here = await startComfyUi({ entry: broken })
  const { call } = attempts(here)
  const failed = await failure(call({ unit: randomUUID() }))
  expect(failed).toMatchObject({
    ...{ outcome: 'none', again: null },
    message: expect.stringMatching(/node 3 \(KSampler\) failed: CUDA out of memory\./),
  })
  await failure(call({ unit: randomUUID() }))
  expect(here.sent()).toHaveLength(2)
})

test('a look that does not work out is repeated', async () => {
  const here = await startComfyUi({ lookTroubles: [hangUp, json({}, 503), json({}, 429)] })
  expect((await once(here)).outputs.images).toHaveLength(1)
  expect(here.sent()).toHaveLength(1)
})

test('a job that cannot be looked at may be done, and is gone on with later', async () => {
  const here = await startComfyUi({ lookTroubles: Array.from({ length: 5 }, () => json({}, 503)) })
  const { call } = attempts(here)
  const failed = await failure(call({ unit: randomUUID() }))
  expect(failed).toMatchObject({ outcome: 'unknown', message: expect.stringMatching(/goes on with the same job/) })
  expect((await call({ unit: randomUUID() })).outputs.images).toHaveLength(1)
  expect(here.sent()).toHaveLength(1)
})

test('one that cannot be reached was sent nothing, and is asked again', async () => {
  const failed = await failure(once({ ...(await startComfyUi()), url: 'http://127.0.0.1:1' }))
  expect(failed).toMatchObject({ outcome: 'none', again: { afterSeconds: 10 } })
})

test.for([false, true])(
  'a cancelled run stops its job there, in a release from before that was one request: %s',
  async (isOld) => {
    const here = await startComfyUi({ isOld })
    here.hold(true)
    const stop = new AbortController()
    const unit = randomUUID()
    const call = once(here, {}, { unit, signal: stop.signal, progress: () => stop.abort(new Cancelled()) })
    await expect(call).rejects.toThrow()
    await expect.poll(() => here.cancelled).toEqual([unit])
  },
)

test('what is not done in time is stopped there', async () => {
  const here = await startComfyUi()
  here.hold(true)
  const connections = new Map([['comfyui', { url: here.url, key: null }]])
  const { ask, model } = createModels(settingsFor(null, { connections }), agents).find('workflow', 'comfyui:workflow')
  const unit = randomUUID()
  const call = { ...contextOf({ unit }), credits: 1 }
  const failed = await failure(ask(model, { workflow, values: [], seconds: 0 }, call))
  expect(failed).toMatchObject({ outcome: 'none', message: expect.stringMatching(/was not done after 0 s/) })
  expect(here.cancelled).toEqual([unit])
})

test('a service that hangs is left when the call is stopped', async () => {
  const here = await startComfyUi({ troubles: [{ answer: silence, takes: false }] })
  const stop = new AbortController()
  const call = failure(once(here, {}, { signal: stop.signal }))
  await expect.poll(() => here.sent().length).toBe(1)
  stop.abort()
  expect(await call).toMatchObject({ outcome: 'unknown' })
})

test('without pictures it says what to do', async () => {
  const here = await startComfyUi({ entry: (job) => succeeded(job, {}) })
  expect((await failure(once(here))).message).toMatch(/neither pictures nor videos.*Save Image.*Seed/)
})

test.for([
  ['a-token', 'Bearer a-token'],
  ['user:word', `Basic ${Buffer.from('user:word').toString('base64')}`],
] as const)('the key %s is sent with each request as %s', async ([key, header]) => {
  const here = await startComfyUi()
  await callNode(typeAt(here, key), { files, params: { workflow }, unit: randomUUID() })
  expect(new Set(here.seen.map(({ headers }) => headers.authorization))).toEqual(new Set([header]))
})

test('it costs credits by time, and money by the price per second of the operator’s own list', async () => {
  const here = await startComfyUi()
  const source = { url: 'https://example.org/our-machine', read: '2026-11-23' }
  const price = { currency: 'USD', per: 'second' as const, amount: 500, source }
  const catalogue = [{ id: 'comfyui:workflow', kinds: ['workflow'] as const, price }]
  const priced = typeAt(here, null, { catalogue, isOwnList: true })
  const params = { workflow, longest: 90 }
  expect(priced.cost(params, {})).toMatchObject({ least: 0, most: 45_000, isKnown: true })
  expect(priced.estimate(params, {})).toEqual({ least: 1, most: 2 })
  const { cost } = await callNode(priced, { files, params, unit: randomUUID() })
  expect(cost).toEqual({ amount: 150, by: 'price' })
  expect(typeAt(here).cost(params, {})).toBeNull()
})

test('a time that ComfyUI cannot have worked is not believed: it costs the least', async () => {
  const outputs = { '9': { images: made } }
  const claiming = (ms: number) => startComfyUi({ entry: (job) => succeeded(job, outputs, ms) })
  const params = { longest: 90 }
  const booked = async (call: ReturnType<typeof once>) => {
    const { credits, message, outputs: given } = await call
    return [credits, message, given.seconds]
  }
  const nothing = [1, undefined, undefined]
  const [possible, endless] = [await claiming(89_000), await claiming(3_600_000_000)]
  const unit = randomUUID()
  // This attempt sent the job a moment ago, so ComfyUI cannot have worked on it for 89 seconds.
  expect(await booked(once(possible, params, { unit }))).toEqual(nothing)
  // A later attempt does not know when the job was sent, but knows how long it may take.
  expect(await booked(once(possible, params, { unit }))).toEqual([2, 'ComfyUI worked on it for 89 s.', 89])
  expect(await booked(once(endless, params, { unit }))).toEqual(nothing)
  expect(await booked(once(endless, params, { unit }))).toEqual(nothing)
  expect([possible.sent().length, endless.sent().length]).toEqual([1, 1])
})

test('it is there where an operator says where ComfyUI is', () => {
  const without = comfyUiRun(createModels(settingsFor(null), agents), workers)
  expect(without.unavailable()).toMatch(/ATELIER_PROVIDER_URLS=comfyui=/)
  const type = typeAt({ url: 'http://gpu:8188' })
  expect([type.unavailable(), type.provider({ workflow })]).toEqual([null, 'gpu:8188/:workflow'])
})
