// In charge of which answers a run shows, and by which keys: those to questions as they are now. Pure.
import type { Answered } from '../model/marks.ts'
import { type UnitState, unitKey } from '../model/units.ts'

type Given = Pick<Answered, 'node' | 'item' | 'position' | 'answer' | 'at'>
type Asked = Pick<UnitState, 'node' | 'item' | 'position' | 'status'>

/**
 * By node id, or node id/index. An answer to what is asked again over something else is void, and so is one about an
 * element that is gone: they are kept, should that come back, but are no answers to what stands there now. Before the
 * items of a node are known, an answer is where it was given.
 */
export function shownAnswers(answers: readonly Given[], units: readonly Asked[]): Record<string, unknown> {
  const byKey = new Map(units.map((unit) => [unitKey(unit), unit]))
  const withItems = new Set(units.filter(({ item }) => item !== '').map(({ node }) => node))
  const keyOf = (given: Given): string | null => {
    const { node, item, position } = given
    const unit = byKey.get(unitKey(given))
    if (unit?.status === 'awaiting_input') return null
    if (item === '') return node
    if (unit) return `${node}/${unit.position}`
    return withItems.has(node) ? null : `${node}/${position}`
  }
  const latestLast = answers.toSorted((a, b) => (a.at < b.at ? -1 : 1))
  return Object.fromEntries(
    latestLast.flatMap((given): [string, unknown][] => {
      const key = keyOf(given)
      return key === null ? [] : [[key, given.answer]]
    }),
  )
}
