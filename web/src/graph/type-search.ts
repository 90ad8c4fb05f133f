// In charge of searching node types, and of the order of the results. Pure.
import { nodeGroups } from '@atelier/contract/graph/node-groups.ts'
import type { NodeType } from '@atelier/contract/graph/node-types.ts'
import { groupLabels } from '../canvas/kinds.ts'

/**
 * The node types that contain every word of the search text, the best matches first: in the title, then in the type name or group,
 * then in the summary. Types that were replaced by another type are left out, although graphs that use them still show them.
 */
export function foundTypes(types: readonly NodeType[], search: string): NodeType[] {
  const offered = inGroups(types.filter(({ replaced_by }) => replaced_by === null))
  const wish = search.trim().toLowerCase()
  if (wish === '') return offered
  const words = wish.split(/\s+/)
  return offered
    .map((type) => ({ type, rank: rankOf(type, wish, words) }))
    .filter(({ rank }) => rank < none)
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ type }) => type)
}

const none = 6

function rankOf({ type, title, summary, group }: NodeType, wish: string, words: readonly string[]): number {
  const name = title.toLowerCase()
  const all = (text: string) => words.every((word) => text.includes(word))
  if (name === wish) return 0
  if (name.startsWith(wish)) return 1
  if (words.every((word) => ` ${name}`.includes(` ${word}`))) return 2
  if (all(name)) return 3
  if (all(`${name} ${type.toLowerCase()} ${groupLabels[group].toLowerCase()}`)) return 4
  return all(`${name} ${type} ${groupLabels[group]} ${summary}`.toLowerCase()) ? 5 : none
}

const inGroups = (types: readonly NodeType[]): NodeType[] => grouped(types).flatMap(({ types }) => types)

/** The node types by group, in the order in which groups are always shown; groups without a type are left out. */
export const grouped = (types: readonly NodeType[]) =>
  nodeGroups.flatMap((group) => {
    const ones = types.filter((type) => type.group === group)
    return ones.length === 0 ? [] : [{ group, types: ones }]
  })
