// Facts about the node type `llm.chat`, against a fake server with the provider's protocol: its answers, its errors, and what each
// costs.
import { expect, test } from 'vitest'
import { modelsAt } from '../../test/support/models.ts'
import { callNode, failure } from '../../test/support/nodes.ts'
import { breakOff, hangUp, json, type Outside, silence, startOutside, text } from '../../test/support/outside.ts'
import { llmChat } from './llm-chat.ts'
import { guardedAgent, trustedAgent } from './outside/guard.ts'
import { limitName } from './outside/providers/openai.ts'
import { createModels } from './outside/providers.ts'
import { createSandbox } from './sandbox/sandbox.ts'

const apiKey = 'sk-a-very-secret-key'
const sandbox = createSandbox(1)
const typeAt = (outside: { url: string }) => llmChat(modelsAt(outside), sandbox)
const typeWithout = llmChat(createModels(null, { trusted: trustedAgent(), guarded: guardedAgent([]) }), sandbox)
const answer = (content: string, more: Record<string, unknown> = {}) =>
  json({
    choices: [{ message: { role: 'assistant', content }, finish_reason: 'stop', ...more }],
    usage: { total_tokens: 1200 },
  })
const chat = (outside: Outside, params: Record<string, unknown> = {}, signal = new AbortController().signal) =>
  callNode(typeAt(outside), {
    params: { prompt: 'About {{ product }}', ...params },
    inputs: { product: 'a flask' },
    signal,
  })

test('asks with the filled-in prompt and the operator’s model, and names the piece of work', async () => {
  const outside = await startOutside(answer('Cold.'))
  const { outputs, credits } = await chat(outside, { system: 'Be brief.', temperature: 0.5, max_tokens: 50 })
  expect(outputs).toEqual({ text: 'Cold.', tokens: 1200 })
  expect(credits).toBe(2)
  const [seen] = outside.seen
  expect(seen).toMatchObject({ method: 'POST', path: '/v1/chat/completions' })
  expect(seen?.headers).toMatchObject({ authorization: `Bearer ${apiKey}`, 'idempotency-key': 'unit-1' })
  expect(JSON.parse(seen?.body ?? '')).toEqual({
    model: 'small',
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'About a flask' },
    ],
    temperature: 0.5,
    max_tokens: 50,
  })
})

const schema = {
  type: 'object',
  required: ['lines'],
  properties: { lines: { type: 'array', items: { type: 'string' } } },
}

test('gives data of the form that is set', async () => {
  const outside = await startOutside(answer('```json\n{"lines": ["a", "b"]}\n```'))
  expect((await chat(outside, { schema })).outputs.data).toEqual({ lines: ['a', 'b'] })
  expect(JSON.parse(outside.seen[0]?.body ?? '').response_format.json_schema.schema).toEqual(schema)
})

test.for([
  ['{"lines": "a"}', 'stop', /answer\/lines must be array/],
  ['Sure! Here it is', 'stop', /it is not JSON/],
  ['{"lines": ["a', 'length', /cut off/],
] as const)('an answer of another form fails, and was paid: %s', async ([content, finish_reason, words]) => {
  const failed = await failure(chat(await startOutside(answer(content, { finish_reason })), { schema }))
  expect(failed).toMatchObject({ message: expect.stringMatching(words), outcome: 'paid', again: null })
  expect(failed.credits).toBe((await chat(await startOutside(answer(content)))).credits)
})

test('a form that is none is refused before anything is asked', async () => {
  const outside = await startOutside(answer('x'))
  expect((await failure(chat(outside, { schema: { type: 'nothing' } }))).message).toMatch(/no JSON Schema/)
  expect(outside.seen).toEqual([])
})

test('an answer with what no database keeps as text is kept without it', async () => {
  expect((await chat(await startOutside(answer('Co\0ld\ud800')))).outputs.text).toBe('Cold\ufffd')
  const refused = await failure(chat(await startOutside(json({ error: { message: 'no\0\u001b[31m' } }, 400))))
  expect(refused.message).toMatch(/It says: no \[31m$/)
})

test('data with escapes of such characters is kept without them', async () => {
  const content = String.raw`{"lines": ["a\u0000", "\ud800b"]}`
  expect((await chat(await startOutside(answer(content)), { schema })).outputs.data).toEqual({
    lines: ['a\ufffd', '\ufffdb'],
  })
})

test.for(['Once upon a', ''])('an answer that a filter cut off is none, and was paid: “%s”', async (content) => {
  const outside = await startOutside(answer(content, { finish_reason: 'content_filter' }))
  expect(await failure(chat(outside))).toMatchObject({
    ...{ outcome: 'paid', credits: 2, again: null },
    message: 'The model declined: its content filter cut the answer off. It was paid for.',
  })
})

test('says where an answer was cut off', async () => {
  expect((await chat(await startOutside(answer('Co', { finish_reason: 'length' })))).message).toMatch(/cut off/)
})

test('a limit of calls says when to come back; nothing is owed', async () => {
  const outside = await startOutside(json({ error: { message: 'slow down' } }, 429, { 'retry-after': '7' }))
  expect(await failure(chat(outside))).toMatchObject({
    again: { afterSeconds: 7 },
    outcome: 'none',
    message: expect.stringMatching(/slow down/),
  })
})

test('an empty account is not asked again', async () => {
  const outside = await startOutside(
    json({ error: { message: 'You exceeded your quota', code: 'insufficient_quota' } }, 429),
  )
  expect(await failure(chat(outside))).toMatchObject({
    again: null,
    message: expect.stringMatching(/nothing left to spend/),
  })
})

test.for([
  [500, { afterSeconds: 15 }, 'none'],
  [503, { afterSeconds: 15 }, 'none'],
  [504, null, 'unknown'],
  [400, null, 'none'],
  [404, null, 'none'],
] as const)('a status of %i: again %j, outcome %s', async ([status, again, outcome]) => {
  expect(await failure(chat(await startOutside(json({ error: { message: 'no' } }, status))))).toMatchObject({
    again,
    outcome,
  })
})

test.for([
  ['a cut connection', hangUp],
  ['a broken answer', breakOff],
  ['an answer that is not JSON', text('<html>hello</html>')],
] as const)('after %s it may have been paid, and nobody asks again by themselves', async ([, trouble]) => {
  expect(await failure(chat(await startOutside(trouble)))).toMatchObject({ again: null, outcome: 'unknown' })
})

test.for([
  ['an answer without a text', { choices: [] }],
  ['a declined prompt', { choices: [{ message: { refusal: 'I cannot' } }] }],
] as const)('%s costs what the provider says it used, and nobody asks again by themselves', async ([, said]) => {
  const used = { ...said, usage: { total_tokens: 2001 } }
  expect(await failure(chat(await startOutside(json(used))))).toMatchObject({
    again: null,
    outcome: 'paid',
    credits: 3,
  })
})

test('the key is in no error, even where the provider quotes it', async () => {
  for (const status of [400, 401, 403, 500]) {
    const said = { error: { message: `Incorrect API key provided: ${apiKey}; also sk-abc*****xyz` } }
    const failed = await failure(chat(await startOutside(json(said, status))))
    expect(`${failed.message} ${failed.stack} ${JSON.stringify(failed.cause ?? null)}`).not.toMatch(/sk-/)
  }
})

test('a call ends when the run is cancelled', async () => {
  const outside = await startOutside(silence)
  const stop = new AbortController()
  const call = chat(outside, {}, stop.signal)
  await expect.poll(() => outside.seen.length).toBe(1)
  stop.abort()
  expect(await failure(call)).toMatchObject({ outcome: 'unknown' })
})

test('is not available without a provider, and says what to set', () => {
  const type = typeWithout
  expect(type.unavailable()).toMatch(/OPENAI_API_KEY/)
  expect(type.provider({})).toBeNull()
})

test('provider and model stand in the cache’s key, credentials do not', () => {
  const type = typeAt({ url: 'https://me:secret@models.example' })
  expect(type.provider({})).toBe('models.example/v1:small')
  expect(type.provider({ model: 'large' })).toBe('models.example/v1:large')
})

test('what it costs is known only as far as it can be', () => {
  const type = typeWithout
  expect(type.estimate({}, {})).toEqual({ least: 1, most: null })
  expect(type.estimate({ max_tokens: 1000 }, { prompt: 'x' }).most).toBeGreaterThan(1)
})

test.for([
  ['https://api.openai.com/v1', 'max_completion_tokens'],
  ['https://team.openai.azure.com/openai/v1', 'max_completion_tokens'],
  ['http://127.0.0.1:11434/v1', 'max_tokens'],
  ['https://openai.com.models.example/v1', 'max_tokens'],
] as const)('at %s the longest answer is called %s', ([address, name]) => {
  expect(limitName(address)).toBe(name)
})

test('a model that has ended is named as a setting', async () => {
  const outside = await startOutside(json({ error: { message: 'The model was shut down.' } }, 404))
  expect((await failure(chat(outside))).message).toMatch(/The model was shut down\..*ATELIER_CHAT_MODEL/)
})
