// In charge of deciding what a patch does to a graph: what its new content is, and whether a checkpoint is saved. Pure.
import type { GraphPatch } from '@atelier/contract/graphs.ts'
import { summarise } from './summary.ts'

/** The members of a graph that its history records. */
export type GraphContent = {
  name: string
  description: string
  definition: Record<string, unknown>
  ui_state: Record<string, unknown>
}

/** Why a checkpoint is saved: the kind of change, and a summary for people. `layoutOnly`: nothing but the layout has changed. */
export type Reason = { kind: string; summary: string; layoutOnly?: boolean }

/** What a patch does to a graph. `content` is the whole new content, including the members that the patch does not change. */
export type Change = {
  content: GraphContent
  template: boolean
  isDefinitionNew: boolean
  /** Why a checkpoint is saved; null if the patch changes only members that the history does not record. */
  reason: Reason | null
}

export function decideChange(graph: GraphContent & { template: boolean }, patch: GraphPatch): Change | null {
  const content: GraphContent = {
    name: patch.name ?? graph.name,
    description: patch.description ?? graph.description,
    definition: patch.definition ?? graph.definition,
    ui_state: patch.ui_state ?? graph.ui_state,
  }
  const template = patch.template ?? graph.template
  const isDefinitionNew = !isSame(content.definition, graph.definition)
  const reason = reasonFor(graph, content, isDefinitionNew)
  return reason === null && template === graph.template ? null : { content, template, isDefinitionNew, reason }
}

/**
 * Compares JSON texts, so that a new order of nodes is a change: nodes that could run in either order run in the declared order.
 */
const isSame = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b)

function reasonFor(before: GraphContent, after: GraphContent, isDefinitionNew: boolean): Reason | null {
  const words = [
    ...(isDefinitionNew ? [summarise(before.definition, after.definition)] : []),
    ...(before.name === after.name ? [] : [`renamed to “${after.name}”`]),
    ...(before.description === after.description ? [] : ['description changed']),
  ]
  if (isDefinitionNew) return { kind: 'edited', summary: words.join('; ') }
  if (words.length > 0) return { kind: 'renamed', summary: words.join('; ') }
  if (isSame(before.ui_state, after.ui_state)) return null
  return { kind: 'layout', summary: 'layout changed', layoutOnly: true }
}
