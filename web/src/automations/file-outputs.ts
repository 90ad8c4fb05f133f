// In charge of finding the outputs of a graph that an automation can put on a card: those that produce files, or may do so. Pure.

import type { ExportOutput } from '@atelier/contract/exports.ts'
import type { Definition } from '@atelier/contract/graph/definition.ts'
import { infoOf, outputSchema } from '@atelier/contract/graph/edge-rules.ts'
import { topologicalOrder } from '@atelier/contract/graph/graph-order.ts'
import type { NodeTypes } from '@atelier/contract/graph/graph-rules.ts'
import { carriesFiles, wireKind } from '../canvas/kinds.ts'

/** `isSure`: the output certainly produces files. `isEnd`: no edge starts at the node of the output. */
export type FileOutput = { key: string; label: string; isSure: boolean; isEnd: boolean }

/**
 * An output as one text, because the options of a select field must have texts as values. A port or item that is left out means the
 * same as null. A variant that is left out means something else than null, so it is left out of the text as well.
 */
export const keyOf = ({ node_id, port = null, item = null, variation_num }: ExportOutput): string =>
  JSON.stringify({ node_id, port, item, ...(variation_num === undefined ? {} : { variation_num }) })

export const outputOf = (key: string): ExportOutput => JSON.parse(key)

/** The outputs of a graph that may produce files, from the end of the graph to its beginning: users mostly want the last files. */
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
        // Outputs of values or lists of any kind are offered too: a gate, for example, passes on the files that it receives.
        if (!isSure && !['any', 'list'].includes(wireKind(schema))) return []
        return [{ key: keyOf({ node_id: id, port }), label: `${id} · ${title}`, isSure, isEnd: !leading.has(id) }]
      })
    })
}

/** The outputs with files that users most likely want: all those of nodes without outgoing edges; if there are none, the first. */
export function likelyKeys(outputs: readonly FileOutput[]): string[] {
  const sure = outputs.filter(({ isSure }) => isSure)
  const ends = sure.filter(({ isEnd }) => isEnd)
  return (ends.length > 0 ? ends : sure.slice(0, 1)).map(({ key }) => key)
}

/**
 * The words for a saved output: its label if the graph still has the output, otherwise node and port, as in `ads · images`. If the
 * saved output is a single item, the number of the item follows, counted from 1. If it is meant for a variant of the card, or for
 * none, that follows too.
 */
export function outputWords(output: ExportOutput, offered: readonly FileOutput[]): string {
  const { node_id, port = null, item = null, variation_num } = output
  const known = offered.find(({ key }) => key === keyOf({ node_id, port }))?.label
  const words = known ?? (port === null ? node_id : `${node_id} · ${port}`)
  const number = item === null ? '' : `, number ${item + 1}`
  if (variation_num === undefined) return `${words}${number}`
  return `${words}${number}${variation_num === null ? ' for no variant' : ` for variant ${variation_num}`}`
}
