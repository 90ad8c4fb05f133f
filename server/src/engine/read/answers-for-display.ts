// In charge of choosing which answers a response shows for a run, and under which keys. Pure.
import type { Definition } from '@atelier/contract/graph/definition.ts'
import type { Answered } from '../model/marks.ts'
import { type UnitState, unitKey } from '../model/units.ts'

type AnswerRow = Pick<Answered, 'node' | 'item' | 'position' | 'answer' | 'at'>
type QuestionUnit = Pick<UnitState, 'node' | 'item' | 'position' | 'status'>

/**
 * Answers by node id, or by `node id/index` for items. An answer is not shown if its gate waits for an answer again, because
 * the question has changed, or if the element that the answer is about, or the gate, no longer exists. The answer stays stored, in
 * case that question, element or gate comes back. While the items of a node are not known, an answer is shown at the index that it was given
 * for.
 */
export function answersForDisplay(
  answers: readonly AnswerRow[],
  units: readonly QuestionUnit[],
  { nodes }: Pick<Definition, 'nodes'>,
): Record<string, unknown> {
  const byKey = new Map(units.map((unit) => [unitKey(unit), unit]))
  const withItems = new Set(units.filter(({ item }) => item !== '').map(({ node }) => node))
  const keyOf = (row: AnswerRow): string | null => {
    const { node, item, position } = row
    if (!Object.hasOwn(nodes, node)) return null
    const unit = byKey.get(unitKey(row))
    if (unit?.status === 'awaiting_input') return null
    if (item === '') return node
    if (unit) return `${node}/${unit.position}`
    return withItems.has(node) ? null : `${node}/${position}`
  }
  const latestLast = answers.toSorted((a, b) => (a.at < b.at ? -1 : 1))
  return Object.fromEntries(
    latestLast.flatMap((row): [string, unknown][] => {
      const key = keyOf(row)
      return key === null ? [] : [[key, row.answer]]
    }),
  )
}
