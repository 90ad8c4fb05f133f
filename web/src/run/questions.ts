// In charge of finding the open questions in the state of a run's gates, in graph order. Pure.
import { isPlainObject } from '@atelier/contract/graph/definition.ts'
import type { NodeRunState } from '@atelier/contract/graphs.ts'

/**
 * `item`: if the gate asks once for each item, the index of the item that the question is about; null if the gate asks once. `asked`:
 * names what is asked, so that an answer is refused once the gate asks something else; null if the service does not tell it.
 */
export type Question = { node: string; item: number | null; asked: string | null; request: Request }
export type Request =
  | { kind: 'choose'; title: string; options: unknown[]; min: number; max: number }
  | { kind: 'approve'; title: string; value: unknown }
  | { kind: 'edit'; title: string; value: unknown }
  | { kind: 'other'; title: string; raw: unknown }

export function openQuestions(nodes: Readonly<Record<string, NodeRunState>>, order: readonly string[]): Question[] {
  return order.flatMap((node): Question[] => {
    const state = nodes[node]
    // If any item of a node has an open question, the node itself also has the status `awaiting_input`.
    if (state?.status !== 'awaiting_input') return []
    const asking = Object.entries(state.items).filter(([, { status }]) => status === 'awaiting_input')
    if (asking.length > 0) {
      return asking
        .map(([item, { checkpoint }]) => ({ node, item: Number(item), ...readQuestion(checkpoint) }))
        .toSorted((one, other) => one.item - other.item)
    }
    return state.checkpoint.request === undefined ? [] : [{ node, item: null, ...readQuestion(state.checkpoint) }]
  })
}

const sameQuestion = (one: Question | null, other: Question): boolean =>
  one !== null && one.node === other.node && one.item === other.item

type Shown = { current: Question | null; last: Question | null; isRolling: boolean; order: readonly string[] }

/**
 * Returns the question to show: the last one shown while it is open, or else the one the user has gone to. If neither is open, the
 * one that follows the last one shown, so that an answer does not lead back to questions that were put off; the first only if none
 * follows. If the last one shown is not open because its options are being re-rolled, it stays, so that the user does not land at
 * another question and back. `order`: the nodes in graph order, by which the questions are sorted.
 */
export function shownQuestion(
  questions: readonly Question[],
  { current, last, isRolling, order }: Shown,
): Question | null {
  const openOne = (wanted: Question | null) => questions.find((one) => sameQuestion(wanted, one))
  if (isRolling && last !== null && !openOne(last)) return last
  const next = () => (last === null ? undefined : questions.find((one) => isAfter(one, last, order)))
  return openOne(last) ?? openOne(current) ?? next() ?? questions[0] ?? null
}

const isAfter = (one: Question, other: Question, order: readonly string[]): boolean =>
  one.node === other.node ? (one.item ?? -1) > (other.item ?? -1) : order.indexOf(one.node) > order.indexOf(other.node)

const readQuestion = ({ asked, request }: NodeRunState['checkpoint']): Pick<Question, 'asked' | 'request'> => ({
  asked: typeof asked === 'string' ? asked : null,
  request: readRequest(request),
})

function readRequest(raw: unknown): Request {
  if (!isPlainObject(raw)) return { kind: 'other', title: 'A gate asks', raw }
  const title = typeof raw.title === 'string' ? raw.title : 'A gate asks'
  if (raw.kind === 'choose' && Array.isArray(raw.options)) {
    const [min, max] = [numberOr(raw.min, 1), numberOr(raw.max, 1)]
    return { kind: 'choose', title, options: raw.options, min, max }
  }
  if (raw.kind === 'approve' || raw.kind === 'edit') return { kind: raw.kind, title, value: raw.value }
  return { kind: 'other', title, raw }
}

const numberOr = (value: unknown, fallback: number): number => (typeof value === 'number' ? value : fallback)

/**
 * Returns the picked options after the user pressed `option`: if it was picked, it is unpicked; otherwise it is picked. If `max` is
 * 1, the new pick replaces the old one; otherwise, a pick beyond `max` is ignored.
 */
export function toggled(picked: readonly number[], option: number, max: number): number[] {
  if (picked.includes(option)) return picked.filter((one) => one !== option)
  if (max === 1) return [option]
  return picked.length >= max ? [...picked] : [...picked, option].toSorted((one, other) => one - other)
}

/** Says how many options to pick, as in `Pick one`, `Pick 2 to 4` and `Pick up to 3, or none`. */
export function pickWords(min: number, max: number): string {
  if (min === max) return min === 1 ? 'Pick one' : `Pick ${min}`
  return min === 0 ? `Pick up to ${max}, or none` : `Pick ${min} to ${max}`
}

/** Names some of a question's options by their indices, in ascending order: `options 1 to 3, 5`; `all options` if these are all. */
export function optionWords(indices: readonly number[], count: number): string {
  if (indices.length === count) return 'all options'
  const ranges: [number, number][] = []
  for (const index of indices) {
    const last = ranges.at(-1)
    if (last && last[1] === index - 1) last[1] = index
    else ranges.push([index, index])
  }
  const words = ranges.map(([from, to]) => (from === to ? `${from + 1}` : `${from + 1} to ${to + 1}`))
  return `${indices.length === 1 ? 'option' : 'options'} ${words.join(', ')}`
}
