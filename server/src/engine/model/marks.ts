// In charge of what people set on units of a run: rolls, and answers to gates. Both outlive the results they lead to.
import type { Stamp } from '../../platform/tables.ts'
import { type UnitName, unitKey } from './units.ts'

/** `inputs`: port → value of its own, in place of what the graph gives there. */
export type Roll = UnitName & { position: number | null; roll: string; inputs: OwnInputs }
export type OwnInputs = Record<string, unknown> | null

/** A roll that a start sets; its inputs are as they were where they are left out. */
export type NewRoll = Omit<Roll, 'inputs'> & { inputs?: OwnInputs | undefined }

/**
 * The rolls of a run once these are set. A re-roll of a node takes those of its items with it: they were rolls of what it made
 * before. Inputs that items have of their own stay, under the roll of the node.
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

/** The roll of a unit: its own, or that of its node. */
export const rollOf = <T>(rolls: ReadonlyMap<string, T>, { node, item }: UnitName): T | undefined =>
  rolls.get(unitKey({ node, item })) ?? rolls.get(unitKey({ node, item: '' }))

/** What a unit is called with: its own inputs over those of its node, and these over what the graph gives. */
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
