// In charge of what people set on units of a run: rolls, and answers to gates. Both outlive the results they lead to.
import type { Stamp } from '../../platform/tables.ts'
import type { UnitName } from './units.ts'

export type Roll = UnitName & { position: number | null; roll: string }

export type Answered = UnitName & {
  position: number | null
  asked: string
  answer: unknown
  by_user: string | null
  by_token: string | null
  at: Stamp
}
