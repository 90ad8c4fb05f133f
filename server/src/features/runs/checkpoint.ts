// In charge of a checkpoint of a run as the wire has it: what going back to it would bring. Pure.
import { busy } from '@atelier/contract/run-rules.ts'
import type { RunCheckpoint } from '@atelier/contract/runs.ts'
import type { Checkpoint } from '../../engine/checkpoints.ts'
import type { RunContent } from '../../engine/run-history.ts'
import { statusOf, type UnitState } from '../../engine/units.ts'

export function checkpointToWire({ at, kind }: Checkpoint, content: RunContent): RunCheckpoint {
  const { definition, ui_state, targets, status, error, units, answers } = content
  const nodes = [...Map.groupBy(units, ({ node }) => node)].map(([id, ones]) => [id, nodeThen(ones)] as const)
  return {
    at,
    kind,
    definition,
    ui_state,
    targets,
    // One that was at work then comes back as a draft: nobody executes it.
    status: busy(status) ? 'draft' : status,
    error,
    nodes: Object.fromEntries(nodes),
    answers: Object.fromEntries(
      answers.map(({ node, item, position, answer }) => [item === '' ? node : `${node}/${position}`, answer]),
    ),
  }
}

/** A node by its own state; one that ran once per element, by what its items came to. */
function nodeThen(units: readonly UnitState[]): RunCheckpoint['nodes'][string] {
  const own = units.find(({ item }) => item === '')
  if (own && own.itemCount === null)
    return { status: own.status, outputs: own.outputs ?? {}, error: own.error ?? '', items: null }
  const items = units.filter(({ item }) => item !== '').toSorted((a, b) => (a.position ?? 0) - (b.position ?? 0))
  const ports = new Set(items.flatMap(({ outputs }) => Object.keys(outputs ?? {})))
  const failed = items.filter(({ status }) => status === 'failed')
  return {
    status: statusOf(items.map(({ status }) => status)),
    outputs: Object.fromEntries([...ports].map((port) => [port, items.map(({ outputs }) => outputs?.[port] ?? null)])),
    error: failed.length === 0 ? '' : `${failed.length} of ${items.length} items failed: ${failed[0]?.error ?? ''}`,
    items: items.length,
  }
}
