// Facts about every provider of models, against a fake server that follows the schemas of the provider's package: each call sends
// only one paid request, whatever goes wrong, and continues with the same job after a crash.
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { startComfyUi, workflow } from '../../../test/support/comfyui.ts'
import { modelsAt, modelsOf, settingsFor } from '../../../test/support/models.ts'
import { contextOf, failure } from '../../../test/support/nodes.ts'
import { breakOff, hangUp, json, redirect, silence } from '../../../test/support/outside.ts'
import { mp3, mp4, type ProviderHere, png, startProvider } from '../../../test/support/providers.ts'
import { OperatorError } from '../../platform/operator-error.ts'
import { providerNames, withoutAddress } from '../../platform/provider-names.ts'
import { guardedAgent, trustedAgent } from './guard.ts'
import type { ImageRequest, ModelCall } from './models.ts'
import { createModels, providers, splitName } from './providers.ts'

const media = { bytes: png, mediaType: 'image/png' }
const asked: ImageRequest = { prompt: 'a flask', size: '1024x1536', quality: '', references: [], mask: null }
const talk = { system: 'Be brief.', prompt: 'About a flask', temperature: 0.5, maxTokens: 50, schema: null }
const scene = { prompt: 'a flask turns', aspectRatio: '9:16', seconds: 4, firstFrame: media, lastFrame: null }

/** A context like the one that the engine passes to a call; `saved` collects the checkpoints that the call saves. */
function callOf(more: Partial<ModelCall> = {}): ModelCall & { saved: Record<string, unknown>[] } {
  const saved: Record<string, unknown>[] = []
  const { unit, seed, signal, checkpoint, progress } = contextOf()
  const saveCheckpoint = async (value: Record<string, unknown>) => void saved.push(structuredClone(value))
  return { unit, seed, signal, checkpoint, progress, saveCheckpoint, credits: 10, saved, ...more }
}

const make = (here: ProviderHere, provider: string, call = callOf(), request = asked) => {
  const { ask, model } = modelsAt(here, provider).find('image', `${provider}:${models[provider] ?? 'm'}`)
  return ask(model, request, call)
}

const models: Record<string, string> = {
  google: 'gemini-3-pro-image-preview',
  fal: 'fal-ai/flux/dev',
  replicate: 'black-forest-labs/flux-schnell',
  bfl: 'flux-2-pro',
}
const painters = ['openai', 'compatible', 'google', 'fal', 'replicate', 'bfl']

describe.for(painters)('pictures of %s', (provider) => {
  test('are made by one paid request, which names the piece of work', async () => {
    const here = await startProvider(provider)
    const { made } = await make(here, provider)
    expect(made.equals(png)).toBe(true)
    const [paid, ...more] = here.paid()
    expect(more).toEqual([])
    expect(paid?.headers).toMatchObject({ 'idempotency-key': 'unit-1' })
    expect(JSON.stringify(paid?.headers)).toContain('sk-a-very-secret-key')
    expect(JSON.parse(paid?.body ?? '')).not.toMatchObject({ n: 2 })
    expect(paid?.body).toMatch(/1024x1536|"width":1024,"height":1536|"2:3"/)
  })

  test.for([
    ['500', json({ error: { message: 'no' } }, 500), { again: { afterSeconds: 15 }, outcome: 'none' }],
    ['a limit', json({}, 429, { 'retry-after': '7' }), { again: { afterSeconds: 7, busy: true }, outcome: 'none' }],
    ['502', json({}, 502), { again: null, outcome: 'unknown' }],
    ['a reset before the answer', hangUp, { again: null, outcome: 'unknown' }],
    ['a reset within the answer', breakOff, { again: null, outcome: 'unknown' }],
    [
      'a refusal',
      json({ error: { message: 'Blocked: moderation' }, detail: 'Blocked: moderation' }, 400),
      { again: null, outcome: 'none', message: expect.stringMatching(/It says: Blocked: moderation/) },
    ],
    [
      'a model that has ended',
      json({ message: 'The model was shut down.', detail: 'The model was shut down.' }, 404),
      { again: null, outcome: 'none', message: expect.stringMatching(/shut down/) },
    ],
    ['nothing of use', json({ hello: 'there' }), { again: null, outcome: 'paid', credits: 10 }],
  ] as const)('%s: nothing is sent again', async ([, trouble, booked]) => {
    const here = await startProvider(provider, [trouble])
    const failed = await failure(make(here, provider))
    expect(failed).toMatchObject(booked)
    expect(`${failed.message} ${failed.stack} ${JSON.stringify(failed.cause ?? null)}`).not.toMatch(/sk-a-very/)
    expect(here.paid()).toHaveLength(1)
  })

  test('a provider that hangs is left when the call is stopped', async () => {
    const here = await startProvider(provider, [silence])
    const stop = new AbortController()
    const call = failure(make(here, provider, callOf({ signal: stop.signal })))
    await expect.poll(() => here.paid().length).toBe(1)
    stop.abort()
    expect(await call).toMatchObject({ outcome: 'unknown' })
  })
})

describe.for(['fal', 'replicate', 'bfl'])('a job of %s', (provider) => {
  test('goes on after a crash with what was kept of it', async () => {
    const here = await startProvider(provider)
    const first = callOf()
    await make(here, provider, first)
    const kept = first.saved[0] ?? null
    expect(JSON.stringify(kept)).not.toContain('sk-a-very')
    const { made, isCharged } = await make(here, provider, callOf({ checkpoint: kept }))
    expect([made.equals(png), isCharged, here.paid().length]).toEqual([true, false, 1])
  })

  test('is not taken for another call, after its prompt was changed', async () => {
    const here = await startProvider(provider)
    const first = callOf()
    await make(here, provider, first)
    await make(here, provider, callOf({ checkpoint: first.saved[0] ?? null, seed: 'another' }))
    expect(here.paid()).toHaveLength(2)
  })

  test('is looked at again where a look does not work out', async () => {
    const here = await startProvider(provider, [], [hangUp, json({}, 503), json({}, 429)])
    expect((await make(here, provider)).made.equals(png)).toBe(true)
    expect(here.paid()).toHaveLength(1)
  })

  test('that cannot be looked at may have been paid, and is gone on with later', async () => {
    const here = await startProvider(
      provider,
      [],
      Array.from({ length: 6 }, () => json({}, 503)),
    )
    const first = callOf()
    expect(await failure(make(here, provider, first))).toMatchObject({ outcome: 'unknown', again: null })
    expect((await make(here, provider, callOf({ checkpoint: first.saved.at(-1) ?? null }))).made.equals(png)).toBe(true)
    expect(here.paid()).toHaveLength(1)
  })

  test('whose work is nowhere is charged once', async () => {
    const here = await startProvider(provider, [], [json({ detail: 'gone' }, 404)])
    const first = callOf()
    expect(await failure(make(here, provider, first))).toMatchObject({ outcome: 'paid', credits: 10 })
    const later = await make(here, provider, callOf({ checkpoint: first.saved.at(-1) ?? null }))
    expect([later.isCharged, here.paid().length]).toEqual([true, 1])
  })
})

test.for([
  ['bfl', { status: 'Request Moderated' }, /rules on content/],
  ['bfl', { status: 'Error' }, /the job failed/],
  [
    'replicate',
    { id: '1', status: 'failed', urls: { get: 'http://localhost' }, error: 'NSFW' },
    /the job failed: NSFW/,
  ],
] as const)(
  'a job that %s says has failed costs nothing, and a new start sends a new one: %j',
  async ([provider, said, words]) => {
    const here = await startProvider(provider, [], [json(said)])
    const call = callOf()
    expect(await failure(make(here, provider, call))).toMatchObject({
      ...{ outcome: 'none', again: null },
      message: expect.stringMatching(words),
    })
    await make(here, provider, callOf({ checkpoint: call.saved.at(-1) ?? null }))
    expect(here.paid()).toHaveLength(2)
  },
)

const broken = { code: 13, message: 'Video generation failed due to an internal server issue.' }
const filtered = { raiMediaFilteredCount: 1, raiMediaFilteredReasons: ['Rephrase the prompt. You are not charged.'] }
const invalid = [{ loc: ['body', 'image_url'], msg: 'The picture is too small', type: 'image_too_small' }]

test.for([
  ['google', json({ name: 'operations/1', done: true, error: broken }), /the job failed: Video generation failed/],
  ['google', json({ done: true, response: { generateVideoResponse: filtered } }), /made no video: Rephrase the prompt/],
  ['google', json({ done: true, response: {} }), /made no video\.$/],
  ['fal', json({ detail: invalid }, 422), /the job failed: The picture is too small$/],
] as const)(
  'a video job that %s says has failed costs nothing, and a new start sends a new one: %#',
  async ([provider, said, words]) => {
    const here = await startProvider(provider, [], [said])
    const { ask, model } = modelsAt(here, provider).find('video', `${provider}:film`)
    const call = callOf()
    expect(await failure(ask(model, scene, call))).toMatchObject({
      ...{ outcome: 'none', again: null },
      message: expect.stringMatching(words),
    })
    await ask(model, scene, callOf({ checkpoint: call.saved.at(-1) ?? null }))
    expect(here.paid()).toHaveLength(2)
  },
)

test('a workflow of comfyui is charged once, whose files cannot be stored', async () => {
  const here = await startComfyUi()
  const { ask, model } = modelsOf({ comfyui: here.url }).find('workflow', 'comfyui:workflow')
  const first = callOf({ unit: randomUUID() })
  const { charge, isCharged } = await ask(model, { workflow, values: [], seconds: 60 }, first)
  await charge()
  const later = callOf({ unit: randomUUID(), checkpoint: first.saved.at(-1) ?? null })
  expect([isCharged, (await ask(model, { workflow, values: [], seconds: 60 }, later)).isCharged]).toEqual([false, true])
  expect(here.sent()).toHaveLength(1)
})

test('what a provider says of the price stands in the note', async () => {
  const here = await startProvider('bfl')
  expect((await make(here, 'bfl')).note).toBe('Black Forest Labs says that it cost 4 of its credits.')
  expect(JSON.parse(here.paid()[0]?.body ?? '')).toMatchObject({ width: 1024, height: 1536, aspect_ratio: '2:3' })
})

test('a model that takes proportions is asked for the nearest, and the note says so', async () => {
  const request = { ...asked, size: '1000x1300' }
  const { note } = await make(await startProvider('google'), 'google', callOf(), request)
  expect(note).toMatch(/asked for 3:4, which is nearest to 1000x1300/)
})

test('work that is at an address nobody may reach is paid for, and its node says so', async () => {
  const inside = await startProvider('fal')
  const images = [{ url: `http://localhost:${new URL(inside.url).port}/made.png` }]
  const here = await startProvider('fal', [json({ images })])
  expect(await failure(make(here, 'fal'))).toMatchObject({ outcome: 'paid', credits: 10 })
  expect(inside.looks()).toEqual([])
})

test('an address on a private network that a provider names is not reached', async () => {
  const inside = await startProvider('bfl')
  const here = await startProvider('openai', [
    json({ data: [{ url: `http://localhost:${new URL(inside.url).port}/x` }] }),
  ])
  expect((await failure(make(here, 'openai'))).message).toMatch(/not on the public internet/)
  // The same holds if the provider's reply names the provider's own address, which then redirects to the private address.
  const sly = await startProvider(
    'openai',
    [(response, seen) => json({ data: [{ url: `http://${seen.headers.host}/x` }] })(response, seen)],
    [redirect(`http://localhost:${new URL(inside.url).port}/x`)],
  )
  expect((await failure(make(sly, 'openai'))).message).toMatch(/not on the public internet/)
  expect(inside.looks()).toEqual([])
})

test.for(['openai', 'fal', 'google', 'replicate', 'bfl'])(
  'an edit by %s sends the picture to start from, once',
  async (provider) => {
    const here = await startProvider(provider)
    const { ask, model } = modelsAt(here, provider).find('edit', `${provider}:${models[provider] ?? 'm'}`)
    const { made } = await ask(model, { ...asked, references: [media] }, callOf())
    expect([made.equals(png), here.paid().length]).toEqual([true, 1])
    expect(here.paid()[0]?.body).toMatch(
      provider === 'openai' ? /name="image"/ : new RegExp(png.toString('base64').slice(0, 40)),
    )
  },
)

test.for(['openai', 'compatible', 'google', 'anthropic'])('text of %s', async (provider) => {
  const here = await startProvider(provider)
  const { ask, model } = modelsAt(here, provider).find('chat', `${provider}:m`)
  expect((await ask(model, talk, callOf())).made).toEqual({ text: 'Cold.', refusal: null, tokens: 12, isCut: false })
  expect(here.paid()).toHaveLength(1)
  expect(here.paid()[0]?.body).toContain('Be brief.')
})

const usages = {
  openai: (sent: number, made: number) => ({
    choices: [{ message: { content: 'Cold.' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: sent, completion_tokens: made, total_tokens: sent + made },
  }),
  compatible: (sent: number, made: number) => ({
    ...{ id: '1', created: 1, model: 'm' },
    choices: [{ index: 0, message: { role: 'assistant', content: 'Cold.' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: sent, completion_tokens: made },
  }),
  google: (sent: number, made: number) => ({
    candidates: [{ content: { parts: [{ text: 'Cold.' }] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: sent, candidatesTokenCount: made },
  }),
  anthropic: (sent: number, made: number) => ({
    ...{ type: 'message', id: '1', model: 'm', role: 'assistant', stop_reason: 'end_turn' },
    content: [{ type: 'text', text: 'Cold.' }],
    usage: { input_tokens: sent, output_tokens: made },
  }),
}

describe.for(Object.entries(usages))('token counts of %s', ([provider, saying]) => {
  const told = async (sent: number, made: number) => {
    const here = await startProvider(provider, [json(saying(sent, made))])
    const { ask, model } = modelsAt(here, provider).find('chat', `${provider}:m`)
    const { made: chat, usage } = await ask(model, talk, callOf())
    return [usage?.tokens ?? null, chat.tokens]
  }

  test('are taken as they are said', async () => {
    expect(await told(10, 2)).toEqual([{ sent: 10, made: 2 }, 12])
  })

  test.for([
    [-5000, -100],
    [1e300, 1e300],
    [0.5, 0.25],
  ] as const)('that no call can have (%d, %d) count as not said', async ([sent, made]) => {
    expect(await told(sent, made)).toEqual([null, null])
  })
})

test.for([-4, -1e300, 1e300])('a price of %d credits, as no picture has, counts as not said', async (cost) => {
  const here = await startProvider('bfl', [
    (response, seen) =>
      json({ id: '1', polling_url: `http://${seen.headers.host}/v1/get_result?id=1`, cost })(response, seen),
  ])
  const { note, usage } = await make(here, 'bfl')
  expect([note, usage?.cost]).toEqual([null, null])
})

test.for([
  ['openai', 'gpt-5.4-mini'],
  ['compatible', 'm'],
  ['google', 'gemini-3.8-flash'],
  ['anthropic', 'claude-sonnet-5-5'],
] as const)('%s is asked for data of the form that is set', async ([provider, name]) => {
  const here = await startProvider(provider)
  const { ask, model } = modelsAt(here, provider).find('chat', `${provider}:${name}`)
  const schema = {
    type: 'object',
    required: ['lines'],
    properties: { lines: { type: 'array', items: { type: 'string' } } },
  }
  await ask(model, { ...talk, schema }, callOf())
  expect(here.paid().map(({ body }) => /"lines"/.test(body))).toEqual([true])
})

test.for(['google', 'fal'])('video of %s goes on after a crash with the same job', async (provider) => {
  const here = await startProvider(provider)
  const { ask, model } = modelsAt(here, provider).find('video', `${provider}:film`)
  const first = callOf()
  const { made } = await ask(model, scene, first)
  expect([Buffer.from(made.bytes).equals(mp4), made.mediaType]).toEqual([true, 'video/mp4'])
  await ask(model, scene, callOf({ checkpoint: first.saved[0] ?? null }))
  expect(here.paid()).toHaveLength(1)
})

test('speech and transcripts of openai', async () => {
  const here = await startProvider('openai')
  const all = modelsAt(here)
  const speech = all.find('speech', 'gpt-4o-mini-tts')
  const { made } = await speech.ask(speech.model, { text: 'Cold.', voice: 'alloy', instructions: '' }, callOf())
  expect([Buffer.from(made.bytes).equals(mp3), made.mediaType]).toEqual([true, 'audio/mpeg'])
  const transcription = all.find('transcription', 'whisper-1')
  const heard = await transcription.ask(
    transcription.model,
    { audio: { bytes: mp3, mediaType: 'audio/mpeg' } },
    callOf(),
  )
  expect(heard.made).toEqual({ text: 'Cold.', segments: [{ text: 'Cold.', start: 0, end: 1 }], language: 'en' })
  expect(here.paid()).toHaveLength(2)
})

test.for([
  ['google:gemini-3', 'google', 'gemini-3'],
  ['replicate:owner/name:version', 'replicate', 'owner/name:version'],
  ['gpt-5.4', 'openai', 'gpt-5.4'],
  ['llama3:8b', 'openai', 'llama3:8b'],
] as const)('%s is asked of %s', ([named, provider, model]) => {
  expect(splitName(named)).toEqual({ provider, model })
})

const agents = { trusted: trustedAgent(), guarded: guardedAgent([]) }

test('a provider that is not set up is not asked, with what to set', () => {
  const all = createModels(settingsFor('http://127.0.0.1:1/v1'), agents)
  expect(() => all.find('image', 'bfl:flux')).toThrow(/ATELIER_PROVIDER_KEYS=bfl=/)
  expect(() => all.find('video', 'openai:x')).toThrow(/no models for this \(video\)/)
  expect([all.unavailable('image'), all.unavailable('video')]).toEqual([null, expect.stringMatching(/PROVIDER_KEYS/)])
})

test('provider and model stand in the cache’s key and in the names of limits', () => {
  const all = createModels(settingsFor(null, { connections: new Map([['google', { url: null, key: 'k' }]]) }), agents)
  expect(all.keyOf('image', 'google:gemini-3')).toBe('generativelanguage.googleapis.com/v1beta:gemini-3')
  expect(all.keyOf('image', '')).toBeNull()
})

test.for([
  ['nobody', { url: null, key: 'k' }, /no provider of models called “nobody”; there are openai, google/],
  ['compatible', { url: null, key: 'k' }, /ATELIER_PROVIDER_URLS must say where/],
] as const)('a start is refused where the settings make no sense of %s', ([name, connection, words]) => {
  const start = () => createModels(settingsFor(null, { connections: new Map([[name, connection]]) }), agents)
  expect(start).toThrow(OperatorError)
  expect(start).toThrow(words)
})

test('the settings know the providers by their names, and which of them an operator has to say the address of', () => {
  expect(providerNames).toEqual(providers.map(({ name }) => name))
  expect(withoutAddress).toEqual(providers.flatMap(({ name, url }) => (url === null ? [name] : [])))
})

test('every provider has a name of its own that a model can be called by', () => {
  const names = providers.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  expect(names.filter((name) => !/^[a-z]+$/.test(name))).toEqual([])
})
