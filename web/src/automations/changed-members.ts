// In charge of what is sent when an automation is edited: only what the admin has changed. Pure.
import type { AutomationPatch } from '@atelier/contract/automations.ts'

/**
 * Returns the members of `after` that differ from `before`: the others stay as they are, since another admin may have changed them
 * while the form was open. Targets and outputs are nodes of the graph, so they are sent with a new one even if they look the same.
 */
export function changedMembers(before: AutomationPatch, after: AutomationPatch): AutomationPatch {
  const isNewGraph = after.graph_id !== before.graph_id
  return Object.fromEntries(
    Object.entries(after).filter(
      ([name, value]) =>
        (isNewGraph && ofGraph.includes(name)) || JSON.stringify(value) !== JSON.stringify(Reflect.get(before, name)),
    ),
  )
}

const ofGraph = ['targets', 'outputs']
