// Facts about one call of a node.
import { getEventListeners } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { contextOf } from '../../../test/support/nodes.ts'
import { inputText } from '../../nodes/input-text.ts'
import { callNode, type Runnable } from './call.ts'

const limits = { pause: async () => undefined, outputLimit: 1000, beginning: new AbortController().signal }

/** A node type that works as `run` does. */
const working = (run: Runnable['run'], timeoutSeconds = 60): Runnable => {
  if (inputText.gate !== null) throw new Error('Texts are no gates.')
  return { ...inputText, run, timeoutSeconds }
}
const done = { outputs: { text: 'done' } }

test('a call leaves no listener on the signal of its run, even if its node leaves one on its own signal', async () => {
  const { signal } = new AbortController()
  const type = working(async ({ signal: own }) => {
    own.addEventListener('abort', () => undefined)
    expect(getEventListeners(signal, 'abort')).toHaveLength(1)
    return done
  })
  for (const _ of [1, 2, 3])
    expect(await callNode(type, contextOf({ signal }), limits)).toMatchObject({ kind: 'result' })
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

test('a call ends with its run, also if the run had ended before, and its node hears why', async () => {
  for (const isBefore of [true, false]) {
    const run = new AbortController()
    const reason = new Error('The run was cancelled.')
    let heard: unknown
    const type = working(async ({ signal }) => {
      signal.addEventListener('abort', () => {
        heard = signal.reason
      })
      if (!isBefore) run.abort(reason)
      await wait(60_000, undefined, { signal })
      return done
    })
    if (isBefore) run.abort(reason)
    expect(await callNode(type, contextOf({ signal: run.signal }), limits)).toMatchObject({ kind: 'stopped', reason })
    if (!isBefore) expect(heard).toBe(reason)
  }
})

test('a call that takes too long fails, although its node goes on', async () => {
  const type = working(() => new Promise(() => undefined), 0.01)
  expect(await callNode(type, contextOf(), limits)).toMatchObject({
    kind: 'failed',
    error: 'It took longer than 0.01 s. Try again, or give it less to do.',
    outcome: 'unknown',
  })
})
