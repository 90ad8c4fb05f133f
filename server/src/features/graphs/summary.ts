// In charge of summarising, in a few words, what changed between two versions of a definition. Pure.
import { type Definition, isPlainObject } from '@atelier/contract/graph/definition.ts'
import { edgeName } from '@atelier/contract/graph/edge-rules.ts'
import { readDefinition } from '@atelier/contract/graph/graph-rules.ts'

/** Returns, for example, `2 nodes added, 1 node changed, 1 edge removed`. */
export function summarise(rawBefore: unknown, rawAfter: unknown): string {
  const before = readDefinition(rawBefore)
  const after = readDefinition(rawAfter)
  const nodes = differ(nodeTexts(rawBefore, before), nodeTexts(rawAfter, after))
  const edges = differ(edgeTexts(before), edgeTexts(after))
  const parts = [
    part(nodes.added, 'node', 'added'),
    part(nodes.removed, 'node', 'removed'),
    part(nodes.changed, 'node', 'changed'),
    part(edges.added, 'edge', 'added'),
    part(edges.removed, 'edge', 'removed'),
  ]
  return parts.filter((text) => text !== '').join(', ') || 'definition changed'
}

const part = (count: number, noun: string, what: string): string =>
  count === 0 ? '' : `${count} ${noun}${count === 1 ? '' : 's'} ${what}`

/** Maps each node's id to its whole JSON text, including nodes and members that cannot be parsed. */
function nodeTexts(raw: unknown, { nodes }: Definition): Map<string, string> {
  const written = isPlainObject(raw) && isPlainObject(raw.nodes) ? raw.nodes : nodes
  return new Map(Object.entries(written).map(([id, node]) => [id, JSON.stringify(node)]))
}

const edgeTexts = ({ edges }: Definition): Map<string, string> => new Map(edges.map((edge) => [edgeName(edge), '']))

function differ(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>) {
  const added = [...after.keys()].filter((key) => !before.has(key)).length
  const removed = [...before.keys()].filter((key) => !after.has(key)).length
  const changed = [...after].filter(([key, text]) => before.has(key) && before.get(key) !== text).length
  return { added, removed, changed }
}
