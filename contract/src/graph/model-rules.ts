// In charge of what the list of models says about a graph: which of its nodes ask a model that has ended, or ends soon. Pure.
import type { Definition } from './definition.ts'
import { infoOf } from './edge-rules.ts'
import { type CatalogueModel, chosenModel, endOf, endWords, modelChoiceOf } from './model-catalogue.ts'
import type { NodeType } from './node-types.ts'

export type ModelEnd = { node: string; param: string; end: 'over' | 'soon'; model: CatalogueModel; words: string }

/** The day it is, as ends of models are given. */
export const dayOf = (now: Date): string => now.toISOString().slice(0, 10)

/** Whether any model that nodes can ask has ended on a day, or ends within 60 days of it. */
export const hasEndNear = (types: ReadonlyMap<string, NodeType>, today: string): boolean =>
  [...types.values()].some(({ params }) =>
    Object.values(Object(params?.properties)).some((schema) =>
      modelChoiceOf(schema)?.models.some((model) => endOf(model, today) !== null),
    ),
  )

/** Every node whose model has ended on a day, or ends within 60 days of it. */
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
