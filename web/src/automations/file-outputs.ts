// In charge of which outputs of a graph can be put on a card before it has run: those that give files, or may. Pure.
import type { Definition } from '@atelier/contract/graph/definition.ts'
import { infoOf, outputSchema } from '@atelier/contract/graph/edge-rules.ts'
import { topologicalOrder } from '@atelier/contract/graph/graph-order.ts'
import type { NodeTypes } from '@atelier/contract/graph/graph-rules.ts'
import type { ExportOutput } from '@atelier/contract/runs.ts'
import { carriesFiles, wireKind } from '../canvas/kinds.ts'

/** `isSure`: the output is certain to be files. `isEnd`: no edge leaves its node. */
export type FileOutput = { key: string; label: string; isSure: boolean; isEnd: boolean }

/** A select needs texts as values, so an output is one text: node, port and item. */
export const keyOf = ({ node_id, port = null, item = null }: ExportOutput): string =>
  JSON.stringify([node_id, port, item])

export function outputOf(key: string): ExportOutput {
  const [node_id, port, item]: [string, string | null, number | null] = JSON.parse(key)
  return { node_id, port, item }
}

/** The last nodes first, since users mostly want their files. */
export function fileOutputs(definition: Definition, types: NodeTypes): FileOutput[] {
  const leading = new Set(definition.edges.map(({ from }) => from.node))
  return topologicalOrder(definition)
    .toReversed()
    .flatMap((id) => {
      const node = definition.nodes[id]
      const info = node && infoOf(node, types)
      if (!info) return []
      return Object.entries(info.outputs).flatMap(([port, { title }]): FileOutput[] => {
        const schema = outputSchema(node, info, port)
        const isSure = carriesFiles(schema)
        // A gate passes its input on, so its output has the kind of the input.
        if (!isSure && !['any', 'list'].includes(wireKind(schema))) return []
        return [{ key: keyOf({ node_id: id, port }), label: `${id} · ${title}`, isSure, isEnd: !leading.has(id) }]
      })
    })
}

/** The outputs that a user most likely wants: files of nodes without outgoing edges, or else of the last nodes. */
export function likelyKeys(outputs: readonly FileOutput[]): string[] {
  const sure = outputs.filter(({ isSure }) => isSure)
  const ends = sure.filter(({ isEnd }) => isEnd)
  return (ends.length > 0 ? ends : sure.slice(0, 1)).map(({ key }) => key)
}

/** `ads · images` for an output as it is saved; its label if the graph still has it. */
export function outputWords(output: ExportOutput, offered: readonly FileOutput[]): string {
  const known = offered.find(({ key }) => key === keyOf({ ...output, item: null }))?.label
  const words = known ?? [output.node_id, ...(output.port ? [output.port] : [])].join(' · ')
  return output.item === null || output.item === undefined ? words : `${words}, number ${output.item + 1}`
}
