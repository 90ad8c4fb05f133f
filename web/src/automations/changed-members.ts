// In charge of what is sent when an automation is edited: only what the admin has changed. Pure.
import type { AutomationPatch } from '@atelier/contract/automations.ts'

/**
 * Returns the members of `after` that differ from `before`: the others stay as they are, since another admin may have changed them
 * while the form was open. The outputs belong to a graph, so they are sent with a new one even if they look the same.
 */
export function changedMembers(before: AutomationPatch, after: AutomationPatch): AutomationPatch {
  const changed: AutomationPatch = Object.fromEntries(
    Object.entries(after).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(Reflect.get(before, name)),
    ),
  )
  return changed.graph_id === undefined || after.outputs === undefined
    ? changed
    : { ...changed, outputs: after.outputs }
}
