// In charge of calculating what the card of a node shows and how large it is, before anything is drawn. Pure.
import { type Definition, type GraphNode, isPlainObject } from '@atelier/contract/graph/definition.ts'
import { infoOf, inputSchema, outputSchema } from '@atelier/contract/graph/edge-rules.ts'
import type { NodeTypes } from '@atelier/contract/graph/graph-rules.ts'
import type { NodeGroup } from '@atelier/contract/graph/node-groups.ts'
import type { NodeVersion } from '@atelier/contract/graph/node-types.ts'
import { carriesFiles, type Kind, kindWords, wireKind } from './kinds.ts'

export type Port = {
  name: string
  title: string
  kind: Kind
  words: string
  required: boolean
  each: boolean
  many: boolean
  fed: boolean
  hasValue: boolean
}
export type CardView = {
  id: string
  type: string
  title: string
  group: NodeGroup
  info: NodeVersion | undefined
  /** Why the node cannot run here: its type or version is unknown, or not available on this server. Null if the node can run. */
  trouble: string | null
  inputs: Port[]
  outputs: Port[]
  each: boolean
  /** Whether a user can add an input with a new name by connecting an edge. */
  open: boolean
  makesFiles: boolean
}

/** The name of the port for an input that does not exist yet; an edge to this port adds the input. */
export const newPort = '+'

export const measure = { width: 240, head: 52, row: 24, pad: 8, status: 30, preview: 96 } as const
/** Where cards are shown. `edit`: in the editor; `try`: in the editor, with the results of a run; `run`: on the page of a run. */
export type CardMode = 'edit' | 'try' | 'run'

const rowsOf = (view: CardView, mode: CardMode): number =>
  Math.max(view.inputs.length + (mode !== 'run' && view.open ? 1 : 0), view.outputs.length)

export function cardHeight(view: CardView, mode: CardMode): number {
  const ports = measure.head + rowsOf(view, mode) * measure.row + measure.pad
  if (mode === 'edit') return ports
  return ports + measure.status + (view.makesFiles ? measure.preview : 0)
}

/**
 * Returns a function for the size of a node's card in pixels. The size includes the space for results, so that cards do not overlap
 * when a run shows results.
 */
export const sizeIn = (views: ReadonlyMap<string, CardView>) => (id: string) => {
  const view = views.get(id)
  return { width: measure.width, height: view ? cardHeight(view, 'try') : measure.head }
}

/** The distance in pixels from the top of a card to the middle of the row of its port with this index. */
export const portY = (index: number): number => measure.head + index * measure.row + measure.row / 2

export function cardViews(definition: Definition, types: NodeTypes): Map<string, CardView> {
  const fed = Map.groupBy(definition.edges, ({ to }) => to.node)
  const led = Map.groupBy(definition.edges, ({ from }) => from.node)
  return new Map(
    Object.entries(definition.nodes).map(([id, node]) => [
      id,
      cardView(id, node, types, {
        into: (fed.get(id) ?? []).map(({ to }) => to.port),
        from: (led.get(id) ?? []).map(({ from }) => from.port),
      }),
    ]),
  )
}

type Wired = { into: readonly string[]; from: readonly string[] }

function cardView(id: string, node: GraphNode, types: NodeTypes, { into, from }: Wired): CardView {
  const info = infoOf(node, types)
  const declaredIn = Object.keys(info?.inputs ?? {})
  const own = Object.keys(node.inputs)
  const inputs = [...new Set([...declaredIn, ...variablesOf(node, info), ...own, ...into, ...node.each])]
  const outputs = [...new Set([...Object.keys(info?.outputs ?? {}), ...from])]
  return {
    id,
    type: node.type,
    title: info?.title ?? (node.type || 'Node without a type'),
    group: info?.group ?? 'other',
    info,
    trouble: troubleOf(node, info, types),
    inputs: inputs.map((name) => inputPort(name, node, info, into.includes(name))),
    outputs: outputs.map((name) => {
      const schema = info && outputSchema(node, info, name)
      const title = info?.outputs[name]?.title ?? name
      const told = { kind: wireKind(schema), words: kindWords(schema) }
      return {
        name,
        title,
        ...told,
        required: false,
        each: false,
        many: true,
        fed: from.includes(name),
        hasValue: false,
      }
    }),
    each: node.each.length > 0,
    open: info?.open_inputs ?? false,
    makesFiles: Object.values(info?.outputs ?? {}).some(({ schema }) => carriesFiles(schema)),
  }
}

function inputPort(name: string, node: GraphNode, info: NodeVersion | undefined, fed: boolean): Port {
  const schema = info && inputSchema(node, info, name)
  const declared = info?.inputs[name]
  return {
    name,
    title: declared?.title ?? name,
    kind: wireKind(schema),
    words: kindWords(schema),
    required: declared?.required ?? false,
    each: node.each.includes(name),
    many: declared?.many ?? false,
    fed,
    hasValue: Object.hasOwn(node.inputs, name),
  }
}

function troubleOf(node: GraphNode, info: NodeVersion | undefined, types: NodeTypes): string | null {
  if (info) return info.available ? null : (info.unavailable_reason ?? 'It cannot run here.')
  const known = types.get(node.type)
  if (known?.replaced_by) return `Replaced by ${known.replaced_by.type}`
  return known ? `Version ${node.version} is not known here` : 'Unknown node type'
}

/** The names that the templates of a node use; each of them is an input of the node. */
function variablesOf(node: GraphNode, info: NodeVersion | undefined): string[] {
  return [...new Set(templateTextsOf(node, info).flatMap(namesIn))]
}

/** The texts of a node's templates; none if the node type does not allow inputs with new names. */
export function templateTextsOf(node: GraphNode, info: NodeVersion | undefined): string[] {
  if (!info?.open_inputs) return []
  return templatesOf(info).flatMap(({ name, fallback }) => {
    const text = node.params[name] ?? fallback
    return typeof text === 'string' ? [text] : []
  })
}

type Template = { name: string; fallback: unknown }
/** Cached for each node type, because the list is needed for each node, and a graph may have thousands of nodes. */
const templates = new WeakMap<NodeVersion, readonly Template[]>()

/** The params of a node type whose values are templates. */
function templatesOf(info: NodeVersion): readonly Template[] {
  const known = templates.get(info)
  if (known) return known
  const { properties } = info.params
  const found = Object.entries(isPlainObject(properties) ? properties : {}).flatMap(([name, schema]) =>
    isPlainObject(schema) && schema['x-atelier'] === 'template' ? [{ name, fallback: schema.default }] : [],
  )
  templates.set(info, found)
  return found
}

/** The names that a template uses, as in `{{ hook }}` and `{% for row in rows %}`, except the template's own variables. */
function namesIn(template: string): string[] {
  const own = new Set(
    [...template.matchAll(/\{%-?\s*(?:for|assign|capture)\s+([A-Za-z_]\w*)/g)].map(([, name]) => name),
  )
  const asked = template.matchAll(/(?:\{\{-?\s*|\{%-?\s*for\s+\w+\s+in\s+)([A-Za-z_]\w*)/g)
  return [...asked].flatMap(([, name]) =>
    name === undefined || own.has(name) || ['forloop', 'true', 'false', 'nil'].includes(name) ? [] : [name],
  )
}
