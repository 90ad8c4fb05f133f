// In charge of finding the nodes of a graph whose model is withdrawn, or will be withdrawn soon. Pure.
import type { Definition } from './definition.ts'
import { infoOf } from './edge-rules.ts'
import { type CatalogueModel, chosenModel, endOf, endWords, modelChoiceOf } from './model-catalogue.ts'
import type { NodeType } from './node-types.ts'

export type ModelEnd = { node: string; param: string; end: 'over' | 'soon'; model: CatalogueModel; words: string }

/** The day of a date in UTC, as `YYYY-MM-DD`. */
export const dayOf = (now: Date): string => now.toISOString().slice(0, 10)

/** Whether any node type offers a model that is withdrawn on the day `today`, or will be within the 60 days after it. */
export const hasEndNear = (types: ReadonlyMap<string, NodeType>, today: string): boolean =>
  [...types.values()].some(({ params }) =>
    Object.values(Object(params?.properties)).some((schema) =>
      modelChoiceOf(schema)?.models.some((model) => endOf(model, today) !== null),
    ),
  )

/** Finds every node whose model is withdrawn on the given day, or will be within the 60 days after that day. */
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
