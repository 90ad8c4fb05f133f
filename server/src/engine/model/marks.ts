// In charge of rolls and of answers to gates, which people set on units of a run. Both stay when the results of the units are
// replaced.
import type { Stamp } from '../../platform/tables.ts'
import { type UnitName, unitKey } from './units.ts'

/**
 * `roll`: random text that becomes part of the unit's cache key; empty if the unit has the result from before its first
 * re-roll. `inputs`: port → a value that replaces what the graph passes to that port; null if people have set none.
 */
export type Roll = UnitName & { position: number | null; roll: string; inputs: OwnInputs }
export type OwnInputs = Record<string, unknown> | null

/** A roll that a start sets. If `inputs` is undefined, the inputs that were set earlier stay; if it is null, they are removed. */
export type NewRoll = Omit<Roll, 'inputs'> & { inputs?: OwnInputs | undefined }

/**
 * The rolls of a run after those in `set` have been added. If a whole node is rolled again, the rolls of its items are
 * removed, since they belonged to the node's earlier result. An item for which people set inputs keeps these inputs, and gets
 * the node's new roll.
 */
export function rollsAfter(rolls: readonly Roll[], set: readonly NewRoll[]): Roll[] {
  const after = new Map(rolls.map((roll) => [unitKey(roll), roll]))
  for (const { node, roll } of set.filter(({ item }) => item === '')) {
    for (const one of rolls.filter((before) => before.node === node && before.item !== '')) {
      if (one.inputs === null) after.delete(unitKey(one))
      else after.set(unitKey(one), { ...one, roll })
    }
  }
  for (const { inputs, ...one } of set) {
    const before = after.get(unitKey(one))?.inputs ?? null
    after.set(unitKey(one), { ...one, inputs: inputs === undefined ? before : inputs })
  }
  return [...after.values()]
}

/** The roll of a unit: the unit's own roll or, if it has none, that of its node. */
export const rollOf = <T>(rolls: ReadonlyMap<string, T>, { node, item }: UnitName): T | undefined =>
  rolls.get(unitKey({ node, item })) ?? rolls.get(unitKey({ node, item: '' }))

/**
 * The inputs of a unit's call. At each port: the value that people set on the unit, else the one they set on its node, else
 * the one from the graph.
 */
export const withOwnInputs = (
  inputs: Record<string, unknown>,
  rolls: ReadonlyMap<string, Pick<Roll, 'inputs'>>,
  unit: UnitName,
): Record<string, unknown> => {
  const ofNode = rolls.get(unitKey({ node: unit.node, item: '' }))?.inputs
  const own = unit.item === '' ? null : rolls.get(unitKey(unit))?.inputs
  return ofNode || own ? { ...inputs, ...ofNode, ...own } : inputs
}

export type Answered = UnitName & {
  position: number | null
  asked: string
  answer: unknown
  by_user: string | null
  by_token: string | null
  at: Stamp
}
