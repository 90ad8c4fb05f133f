// In charge of deriving a creative's review state from the named reviewers and the decisions, and of checking marks. Pure.

export const reviewNeeds = ['one', 'all'] as const
type ReviewNeeds = (typeof reviewNeeds)[number]

export const decisionKinds = ['accepted', 'changes_wanted'] as const
export type DecisionKind = (typeof decisionKinds)[number]

export const reviewStates = ['open', 'awaited', 'changes_wanted', 'accepted'] as const
export type ReviewState = (typeof reviewStates)[number]

/** A decision that is still valid. `reviewer`: the person who made it; null for a guest or an integration. */
type Held = { reviewer: string | null; decision: DecisionKind }
type Asked = { needs: ReviewNeeds; reviewers: readonly string[] }

/**
 * Returns the state of a review and the reviewers whose decision is missing. A request for changes by anybody blocks the
 * creative. If reviewers are named, one or all of them have to accept, depending on `needs`. If none is named, one acceptance by
 * anybody is enough, and the review waits for nobody in particular.
 */
export function reviewOf(
  { needs, reviewers }: Asked,
  held: readonly Held[],
): { state: ReviewState; awaited: string[] } {
  const decided = new Set(held.map(({ reviewer }) => reviewer))
  const accepting = held.filter(({ decision }) => decision === 'accepted')
  const named = new Set(reviewers)
  const ofNamed = accepting.filter(({ reviewer }) => reviewer !== null && named.has(reviewer))
  const missing = [...named].filter((id) => !decided.has(id))
  const awaited = needs === 'one' && ofNamed.length > 0 ? [] : missing
  if (held.some(({ decision }) => decision === 'changes_wanted')) return { state: 'changes_wanted', awaited }
  if (named.size === 0) return { state: accepting.length > 0 ? 'accepted' : 'open', awaited: [] }
  const enough = needs === 'all' ? missing.length === 0 : ofNamed.length > 0
  return { state: enough ? 'accepted' : 'awaited', awaited }
}

export const takeStates = ['under_way', 'proposed', 'used', 'dismissed', 'failed'] as const
export type TakeState = (typeof takeStates)[number]

export const markKinds = ['pin', 'box', 'strokes'] as const
type MarkKind = (typeof markKinds)[number]
export type Mark = { kind: MarkKind; lines: number[][][] }

/** The maximum number of points in all lines of one mark together. */
const mostPoints = 2000

/** Returns what is wrong with a mark that its schema accepts; null if nothing is wrong. */
export function markProblem({ kind, lines }: Mark): string | null {
  const points = lines.flat()
  if (kind === 'pin' && points.length !== 1) return 'a pin is one line of one point'
  if (kind === 'box' && (lines.length !== 1 || points.length !== 2))
    return 'a box is one line of two points, its corners'
  if (points.length > mostPoints) return `a mark has ${mostPoints} points at most`
  return null
}

/** Describes where a mark is on the picture, as text for a model that edits the picture. */
export function markWords({ lines }: Mark): string {
  const range = (axis: 0 | 1): string => {
    const places = lines.flat().map((point) => Math.round((point[axis] ?? 0) * 100))
    const [from, to] = [Math.min(...places), Math.max(...places)]
    return from === to ? `${from} %` : `${from}–${to} %`
  }
  return `at ${range(0)} from the left and ${range(1)} from the top`
}
