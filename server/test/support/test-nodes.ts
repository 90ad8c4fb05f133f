// In charge of node types that only tests use: paid calls to a provider with a log, slow calls and failing calls.
import Type from 'typebox'
import { defineNode, File, gives, needs } from '../../src/nodes/define.ts'
import { NodeFailure, type NodeType } from '../../src/nodes/node-type.ts'
import { changesPort } from '../../src/nodes/prompt.ts'

/** A call in the provider's log: the idempotency key (`unit`) and the request. */
export type ProviderCall = { unit: string; prompt: string; seed: string }

/** A provider whose calls end when the test decides. */
export type Provider = {
  readonly calls: ProviderCall[]
  /** How many calls wait for `release` now. */
  waiting(): number
  /** From now on calls wait until `release` is called. */
  hold(): void
  release(): void
  /** Lets calls whose prompt contains `text` fail: the next `times` of them, or all by default. */
  failOn(text: string, times?: number, failure?: () => Error): void
}

export function createProvider(): Provider & { answer(call: ProviderCall, signal: AbortSignal): Promise<string> } {
  const calls: ProviderCall[] = []
  const failing: { text: string; left: number; failure: () => Error }[] = []
  let gate: PromiseWithResolvers<void> | null = null
  let waiting = 0
  return {
    calls,
    waiting: () => waiting,
    hold: () => {
      gate = Promise.withResolvers()
    },
    release: () => {
      gate?.resolve()
      gate = null
    },
    failOn: (text, times = Number.POSITIVE_INFINITY, failure = () => new NodeFailure('The provider refused it.')) => {
      failing.push({ text, left: times, failure })
    },
    async answer(call, signal) {
      calls.push(call)
      if (gate) {
        waiting += 1
        const aborted = new Promise<void>((resolve) =>
          signal.addEventListener('abort', () => resolve(), { once: true }),
        )
        await Promise.race([gate.promise, aborted]).finally(() => {
          waiting -= 1
        })
        if (signal.aborted) throw new NodeFailure('The call was cut short.', { outcome: 'unknown' })
      }
      const fault = failing.find(({ text, left }) => left > 0 && call.prompt.includes(text))
      if (fault) {
        fault.left -= 1
        throw fault.failure()
      }
      return `${call.prompt} #${call.seed.slice(0, 6)}`
    },
  }
}

/** Node types whose calls cost 2 credits each; those named `test.priced…` cost money too. Only `test.safe` is safe to retry. */
export function testNodes(provider: ReturnType<typeof createProvider>): NodeType[] {
  const paid = (type: string, retrySafe: boolean) =>
    defineNode({
      type,
      title: 'Paid call',
      summary: 'Asks the provider of the tests.',
      help: 'For tests.',
      group: 'other',
      params: { suffix: Type.String({ default: '' }) },
      inputs: { prompt: needs({ title: 'Prompt', description: 'What is asked.', schema: Type.String() }) },
      outputs: { text: gives('Text', 'The answer.', Type.String()) },
      credits: { least: 2, most: 2, note: 'Two for each call.' },
      retrySafe,
      run: async ({ inputs, params, seed, unit, signal }) => ({
        outputs: { text: await provider.answer({ unit, prompt: `${inputs.prompt}${params.suffix}`, seed }, signal) },
        credits: 2,
      }),
    })
  return [paid('test.paid', false), paid('test.safe', true), priced(provider), pricedPicture(provider)]
}

/** Makes a picture from a prompt and requested changes, for 40,000 millionths of a dollar. */
const pricedPicture = (provider: ReturnType<typeof createProvider>) =>
  defineNode({
    type: 'test.priced_picture',
    title: 'Priced picture',
    summary: 'Asks the provider of the tests for a picture, for money.',
    help: 'For tests.',
    group: 'other',
    params: {},
    inputs: {
      prompt: needs({ title: 'Prompt', description: 'What is asked.', schema: Type.String() }),
      changes: changesPort,
    },
    outputs: { image: gives('Picture', 'What the provider drew.', File) },
    credits: { least: 2, most: 2, note: 'Two for each call.' },
    retrySafe: false,
    cost: () => ({ model: 'test:painter', currency: 'USD', least: 40_000, most: 40_000, isKnown: true }),
    run: async ({ inputs: { prompt, changes = '' }, seed, unit, files, signal }) => {
      const words = await provider.answer({ unit, prompt: `${prompt} ${changes}`, seed }, signal)
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><text y="32">${words}</text></svg>`
      const image = await files.write(Buffer.from(svg), 'image/svg+xml', 'picture.svg')
      return { outputs: { image }, credits: 2, cost: { amount: 40_000, by: 'usage' } }
    },
  })

/** Estimated cost: `least` to `most` (-1: no limit); actual cost: `amount` (-1: not reported); both in millionths of a dollar. */
const priced = (provider: ReturnType<typeof createProvider>) =>
  defineNode({
    type: 'test.priced',
    title: 'Priced call',
    summary: 'Asks the provider of the tests, for money.',
    help: 'For tests.',
    group: 'other',
    params: {
      model: Type.String({ default: 'test:painter' }),
      least: Type.Integer({ default: 40_000 }),
      most: Type.Integer({ default: 40_000 }),
      amount: Type.Integer({ default: 40_000 }),
      known: Type.Boolean({ default: true }),
    },
    inputs: { prompt: needs({ title: 'Prompt', description: 'What is asked.', schema: Type.String() }) },
    outputs: { text: gives('Text', 'The answer.', Type.String()) },
    credits: { least: 2, most: 2, note: 'Two for each call.' },
    retrySafe: false,
    cost: ({ model, least, most, known: isKnown }) => ({
      ...{ model, currency: 'USD', least, isKnown },
      most: most < 0 ? null : most,
    }),
    run: async ({ inputs, params: { amount }, seed, unit, signal }) => ({
      outputs: { text: await provider.answer({ unit, prompt: inputs.prompt, seed }, signal) },
      credits: 2,
      cost: amount < 0 ? null : { amount, by: 'usage' },
    }),
  })
