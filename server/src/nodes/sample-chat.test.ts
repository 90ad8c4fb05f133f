// Facts about the node type `sample.chat`, and about the features that all sample types share.
import { expect, test } from 'vitest'
import { callNode, failure, seedOf } from '../../test/support/nodes.ts'
import { sampleChat } from './sample-chat.ts'

const chat = (params: Record<string, unknown>, given: { seed?: string; signal?: AbortSignal } = {}) =>
  callNode(sampleChat, {
    params: { prompt: 'Write about {{ product }}', ...params },
    inputs: { product: 'a flask' },
    ...given,
  })

test('writes as many variants as asked for, no two that begin alike, as texts and as ads', async () => {
  const { outputs } = await chat({ count: 5 })
  const texts: unknown = outputs.texts
  expect(texts).toHaveLength(5)
  expect(new Set(Array.isArray(texts) ? texts : []).size).toBe(5)
  expect(outputs.ads).toHaveLength(5)
  expect(outputs.text).toBe(Array.isArray(texts) ? texts[0] : null)
})

test('says that it is a sample, and is about the words of the prompt', async () => {
  const { outputs } = await chat({})
  expect(outputs.text).toMatch(/^Sample: .*a flask/)
  expect(outputs.text).toContain('Sample text, no model wrote it.')
})

test('the same call gives the same; another seed something else', async () => {
  const [one, again] = [await chat({}), await chat({})]
  expect(again).toEqual(one)
  const others = await Promise.all(['a', 'b', 'c', 'd'].map((text) => chat({}, { seed: seedOf(text) })))
  expect(new Set(others.map(({ outputs }) => outputs.text)).size).toBeGreaterThan(1)
})

test('costs its price, which is known before', async () => {
  expect((await chat({})).credits).toBe(1)
  expect((await chat({ credits: 2.5 })).credits).toBe(2.5)
  expect(sampleChat.estimate({ credits: 2.5 }, null)).toEqual({ least: 2.5, most: 2.5 })
  expect(sampleChat.estimate({}, null)).toEqual({ least: 1, most: 1 })
})

test('fails where that is asked for, with nothing owed', async () => {
  expect(await failure(chat({ fail: 'always' }))).toMatchObject({ again: null, outcome: 'none' })
})

test('sometimes fails for the same seeds each time, for about a third of them', async () => {
  const tried = async () =>
    Promise.all(
      Array.from({ length: 60 }, (_, at) =>
        chat({ fail: 'sometimes' }, { seed: seedOf(`item ${at}`) }).then(
          () => true,
          () => false,
        ),
      ),
    )
  const [first, second] = [await tried(), await tried()]
  expect(second).toEqual(first)
  const failed = first.filter((fine) => !fine).length
  expect(failed).toBeGreaterThan(8)
  expect(failed).toBeLessThan(35)
})

test('waits as told, reports progress, and stops at once when aborted', async () => {
  const seen: number[] = []
  await callNode(sampleChat, { params: { delay_ms: 500 }, inputs: { prompt: 'x' }, progress: (to) => seen.push(to) })
  expect(seen).toEqual([0.5, 1])
  const stop = new AbortController()
  const call = chat({ delay_ms: 600_000 }, { signal: stop.signal })
  stop.abort()
  await expect(call).rejects.toThrow('aborted')
})
