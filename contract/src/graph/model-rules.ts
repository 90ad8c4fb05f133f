// In charge of which nodes of a graph use a model that is withdrawn, or will be soon. Pure.
import type { Definition } from './definition.ts'
import { infoOf } from './edge-rules.ts'
import { type CatalogueModel, chosenModel, endOf, endWords, modelChoiceOf } from './model-catalogue.ts'
import type { NodeType } from './node-types.ts'

export type ModelEnd = { node: string; param: string; end: 'over' | 'soon'; model: CatalogueModel; words: string }

/** The present day in UTC, in the format of the catalogue. */
export const dayOf = (now: Date): string => now.toISOString().slice(0, 10)

/** Whether any model that node types offer is withdrawn by a day, or within 60 days after it. */
export const hasEndNear = (types: ReadonlyMap<string, NodeType>, today: string): boolean =>
  [...types.values()].some(({ params }) =>
    Object.values(Object(params?.properties)).some((schema) =>
      modelChoiceOf(schema)?.models.some((model) => endOf(model, today) !== null),
    ),
  )

/** Every node whose model is withdrawn by a day, or within 60 days after it. */
export function modelEnds({ nodes }: Definition, types: ReadonlyMap<string, NodeType>, today: string): ModelEnd[] {
  return Object.entries(nodes).flatMap(([id, node]) => {
    const { properties } = infoOf(node, types)?.params ?? {}
    return Object.entries(Object(properties)).flatMap(([param, schema]): ModelEnd[] => {
      const choice = modelChoiceOf(schema)
      const model = choice && chosenModel(choice, node.params[param])
      const end = model && endOf(model, today)
      if (!model || !end) return []
      return [{ node: id, param, end, model, words: endWords(model, today) ?? '' }]
    })
  })
}
