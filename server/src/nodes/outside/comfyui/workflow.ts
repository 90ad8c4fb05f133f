// In charge of ComfyUI workflows: reads a workflow that a user pasted, and writes the values of our node's inputs into its fields.
// Pure.

import type { FileValue } from '@atelier/contract/graph/definition.ts'
import { isFileValue, isPlainObject } from '@atelier/contract/graph/definition.ts'
import { NodeFailure } from '../../node-type.ts'
import type { WorkflowRequest } from '../models.ts'
import { plainText } from '../send.ts'

type Workflow = WorkflowRequest['workflow']
/** A value for the field `field` of the workflow's node `node`. `input`: the input of our node from which the value comes. */
export type Bound = { input: string; node: string; field: string; value: string | number | boolean | FileValue }

const howToExport = 'Export it by “File → Export (API)” (older: “Save (API Format)”), and paste that.'

/** Reads a workflow in the format of ComfyUI's API. The format in which ComfyUI's editor saves a workflow is refused. */
export function readWorkflow(raw: unknown): Workflow {
  if (!isPlainObject(raw) || Object.keys(raw).length === 0)
    throw new NodeFailure(`There is no workflow. Build it in ComfyUI. ${howToExport}`)
  if (Array.isArray(raw.nodes)) {
    throw new NodeFailure(
      `This is a workflow as ComfyUI’s editor saves it (“nodes” and “links”), which its API does not take. ${howToExport}`,
    )
  }
  const nodes = Object.entries(raw).map(([id, node]) => {
    const { class_type: type, inputs } = isPlainObject(node) ? node : {}
    if (typeof type !== 'string' || !isPlainObject(inputs))
      throw new NodeFailure(`Node ${shown(id)} of the workflow has no “class_type” or no “inputs”. ${howToExport}`)
    return [id, { ...Object(node), class_type: type, inputs }] as const
  })
  return Object.fromEntries(nodes)
}

/**
 * Finds the value for each field that an input of our node fills. `fields`: name of the input → `node.field` in the workflow. If an
 * input has no value, the result does not contain its field, which then keeps its value in the workflow.
 */
export function bind(
  workflow: Workflow,
  fields: Readonly<Record<string, string>>,
  inputs: Readonly<Record<string, unknown>>,
): Bound[] {
  const stray = Object.keys(inputs).find((input) => !Object.hasOwn(fields, input))
  if (stray !== undefined)
    throw new NodeFailure(`The input “${shown(stray)}” goes nowhere: name its field in “Fields”, as node.field.`)
  return Object.entries(fields).flatMap(([input, place]) => {
    const target = placeIn(workflow, place)
    const value = inputs[input]
    if (value === undefined) return []
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' || isFileValue(value))
      return [{ input, ...target, value }]
    throw new NodeFailure(
      `The input “${shown(input)}” is neither text, a number, yes or no, nor a file. A list runs the node once for each.`,
    )
  })
}

/**
 * Splits `place`, which is `node.field`. Throws if the workflow has no such node or field, because ComfyUI would silently ignore a
 * value for it.
 */
export function placeIn(workflow: Workflow, place: string): { node: string; field: string } {
  const at = place.indexOf('.')
  const [id, field] = [place.slice(0, at), place.slice(at + 1)]
  const node = at > 0 && Object.hasOwn(workflow, id) ? workflow[id] : undefined
  if (!node)
    throw new NodeFailure(`“${shown(place)}” names no node of the workflow: it has ${listed(Object.keys(workflow))}.`)
  if (!Object.hasOwn(node.inputs, field)) {
    const has = listed(Object.keys(node.inputs))
    throw new NodeFailure(
      `Node ${shown(id)} (${shown(node.class_type)}) has no field “${shown(field)}”: it has ${has}.`,
    )
  }
  return { node: id, field }
}

/** A copy of the workflow with the values in their fields. */
export function filled(
  workflow: Workflow,
  values: readonly { node: string; field: string; value: unknown }[],
): Workflow {
  const next = structuredClone(workflow)
  for (const { node, field, value } of values) {
    const inputs = next[node]?.inputs
    if (inputs) inputs[field] = value
  }
  return next
}

const shown = (text: string): string => plainText(text, 100)
const listed = (names: readonly string[]): string =>
  names.length === 0 ? 'none' : `${names.slice(0, 20).map(shown).join(', ')}${names.length > 20 ? ', …' : ''}`
