// In charge of comparing two outputs that are too long for the state of their runs: both are read whole when the user asks for it, and
// compared in small steps, so that the page stays responsive.
import { isReference, type ValueReference } from '@atelier/contract/wire/values.ts'
import { useState } from 'react'
import { tellError } from '../ui/toasts.tsx'
import type { Run } from './queries.ts'
import { diffInSteps, type ValueDiff } from './value-diff.ts'
import { readWhole } from './whole-value.tsx'

/** The differences of one output. `longs`: the two references, if only the beginnings of both are known, and they can be read. */
export type PortDiff = { port: string; diff: ValueDiff; longs: readonly [ValueReference, ValueReference] | null }

/** For how many ms the comparison goes on before the page may do something else. */
const stepMs = 10

const keyOf = ([one, other]: NonNullable<PortDiff['longs']>): string => `${one.$value.digest} ${other.$value.digest}`

/** Both references if the two values differ inside, which only their whole values can show: lists or objects, and no texts. */
export function longsIn({ differing: [first] }: ValueDiff): PortDiff['longs'] {
  if (first?.path.length !== 0) return null
  const [one, other] = first.sides
  if (!isReference(one) || !isReference(other) || one.$value.type !== other.$value.type) return null
  return one.$value.type === 'string' ? null : [one, other]
}

export function useWholeDiffs(runs: readonly [Run, Run], node: string) {
  const [read, setRead] = useState<ReadonlyMap<string, ValueDiff>>(new Map())
  /** The output that is being compared; null if none is. */
  const [busy, setBusy] = useState<string | null>(null)
  const compare = async ({ port, longs }: PortDiff) => {
    if (!longs || busy !== null) return
    setBusy(port)
    try {
      const [one, other] = await Promise.all(
        longs.map(({ $value }, at) => readWhole({ run: runs[at]?.id ?? '', node, port }, $value.digest)),
      )
      const diff = await inSteps(one, other)
      setRead((before) => new Map(before).set(keyOf(longs), diff))
    } catch (error) {
      tellError(error, 'The values were not compared')
    }
    setBusy(null)
  }
  /** The output with the differences inside of it, if it was read whole. */
  const withWhole = (part: PortDiff): PortDiff => {
    const diff = part.longs && read.get(keyOf(part.longs))
    return diff ? { ...part, diff, longs: null } : part
  }
  return { withWhole, compare, busy }
}

async function inSteps(one: unknown, other: unknown): Promise<ValueDiff> {
  const { found, steps } = diffInSteps(one, other)
  let began = performance.now()
  for (const _ of steps) {
    if (performance.now() - began < stepMs) continue
    await new Promise((resolve) => setTimeout(resolve))
    began = performance.now()
  }
  return found
}
