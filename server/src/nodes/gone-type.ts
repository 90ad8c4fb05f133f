// In charge of the placeholder for a removed node type, so that the inputs of its nodes can still be shown.
import type { Definition } from '@atelier/contract/graph/definition.ts'
import type { InputPort } from '@atelier/contract/graph/node-types.ts'
import { NodeFailure, type NodeType } from './node-type.ts'

/**
 * Returns the placeholder for one version of a type. Its input ports are those to which edges of the definition lead; a port that
 * has several edges in one node takes a list. A call of the placeholder always fails.
 */
export function goneType({ nodes, edges }: Definition, type: string, version: number): NodeType {
  const inputs: Record<string, InputPort> = {}
  const fed = new Set<string>()
  for (const { to } of edges) {
    const node = nodes[to.node]
    if (node?.type !== type || node.version !== version) continue
    const end = JSON.stringify(to)
    inputs[to.port] = portOf(to.port, fed.has(end) || inputs[to.port]?.many === true)
    fed.add(end)
  }
  const reason = `The node type “${type}” version ${version} is no longer there.`
  return {
    ...{ type, version, title: type, summary: reason, help: reason, group: 'other', implementation: '' },
    ...{ params: {}, inputs, outputs: {}, open_inputs: true },
    ...{ seeded: false, asksFirst: false },
    credits: { least: 0, most: 0, note: 'It does not run.' },
    ...{ cacheable: false, retry_safe: false, pure: false, concurrency: 1, timeoutSeconds: 1, gate: null },
    unavailable: () => reason,
    provider: () => null,
    estimate: () => ({ least: 0, most: 0 }),
    cost: () => null,
    run: () => Promise.reject(new NodeFailure(reason)),
  }
}

const portOf = (port: string, many: boolean): InputPort => ({
  title: port,
  description: 'A port of a type that is no longer there.',
  schema: {},
  required: false,
  many,
  accepts_holes: true,
})
