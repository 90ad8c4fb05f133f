// In charge of what the `sample.*` types share: they imitate a provider, with a delay, failures and a price that the user sets.
import { setTimeout } from 'node:timers/promises'
import Type, { type Static } from 'typebox'
import { NodeFailure } from './node-type.ts'
import { seeded } from './seeded.ts'

/** The params that say how a sample type imitates a provider. */
export const sampleParams = {
  delay_ms: Type.Integer({
    title: 'Takes (ms)',
    description: 'How long to pretend to work.',
    default: 0,
    minimum: 0,
    maximum: 600_000,
    examples: [1500],
  }),
  fail: Type.Unsafe<'never' | 'sometimes' | 'always'>({
    type: 'string',
    enum: ['never', 'sometimes', 'always'],
    title: 'Fails',
    description:
      'To see what a failure does. “Sometimes” is about every third item, the same ones each time until re-rolled.',
    default: 'never',
  }),
  credits: Type.Number({
    title: 'Price',
    description: 'Credits that one call costs, so that totals and prices can be tried.',
    default: 1,
    minimum: 0,
    maximum: 1000,
  }),
}
type SampleParams = Static<Type.TObject<typeof sampleParams>>

export const sampleCredits = { least: 0, most: 1000, note: 'Its own setting “Price”, 1 unless changed. No money.' }

export const sampleEstimate = ({ credits }: SampleParams) => ({ least: credits, most: credits })

type Pretence = { params: SampleParams; seed: string; signal: AbortSignal; progress(fraction: number): void }

/** Waits as long as `delay_ms` says and reports progress; then fails if `fail` says so. Stops at once when aborted. */
export async function pretend({ params, seed, signal, progress }: Pretence): Promise<void> {
  const steps = Math.max(1, Math.min(20, Math.floor(params.delay_ms / 250)))
  for (let step = 0; step < steps && params.delay_ms > 0; step++) {
    await setTimeout(params.delay_ms / steps, undefined, { signal })
    progress((step + 1) / steps)
  }
  signal.throwIfAborted()
  const fails = params.fail === 'always' || (params.fail === 'sometimes' && seeded(seed, 99).next() < 1 / 3)
  if (fails) throw new NodeFailure('The sample failed, as its setting “Fails” asks for. Nothing was charged.')
}
