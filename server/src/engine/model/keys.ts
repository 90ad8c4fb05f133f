// In charge of the name under which a call's outputs are kept: everything that can change them, and nothing else.
import type { NodeType } from '../../nodes/node-type.ts'
import type { Roll } from './marks.ts'
import type { Work } from './run-model.ts'
import { hashOf, unitKey, withoutFileNames } from './units.ts'

export type KeyParts = {
  type: Pick<NodeType, 'type' | 'version' | 'implementation' | 'provider'>
  params: Record<string, unknown>
  inputs: Record<string, unknown>
  /** Number of the item among equal ones, so that equal rows give different pictures; 0 for a node. */
  occurrence: number
  /** The nonce of its last re-roll; empty before the first. */
  roll: string
}

/** 64 hexadecimal digits. Labels, layout, positions and names of files are no part of it. */
export const cacheKey = ({ type, params, inputs, occurrence, roll }: KeyParts): string =>
  hashOf({
    v: 1,
    type: type.type,
    version: type.version,
    implementation: type.implementation,
    provider: type.provider(params),
    params: withoutFileNames(params),
    inputs: withoutFileNames(inputs),
    occurrence,
    roll,
  })

/** The key of a unit that is about to be performed, under the rolls of its run. */
export function keyOf({ node, unit, params, inputs, occurrence }: Work, rolls: ReadonlyMap<string, Roll>): string {
  const roll = rolls.get(unitKey(unit)) ?? rolls.get(unitKey({ node: node.id, item: '' }))
  return cacheKey({ type: node.type, params, inputs, occurrence, roll: roll?.roll ?? '' })
}
