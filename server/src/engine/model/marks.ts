// In charge of rolls and of answers to gates, which people set on units of a run. They stay when the results are replaced.
import type { Stamp } from '../../platform/tables.ts'
import { type UnitName, unitKey } from './units.ts'

/** `inputs`: port → a value that replaces what the graph passes to that port. */
export type Roll = UnitName & { position: number | null; roll: string; inputs: OwnInputs }
export type OwnInputs = Record<string, unknown> | null

/** A roll that a start sets; if `inputs` is left out, the inputs set earlier stay. */
export type NewRoll = Omit<Roll, 'inputs'> & { inputs?: OwnInputs | undefined }

/**
 * The rolls of a run after new ones are set. Rolling a whole node again removes the rolls of its items, since they
 * belonged to its earlier result. An item for which people set inputs keeps these inputs, with the node's new roll.
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
 * The inputs of a unit's call, for each port: the value set on the unit, else the one set on its node, else the one
 * from the graph.
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
