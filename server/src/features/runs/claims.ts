// In charge of what an exported file's content credentials say: how the file was made, from which pictures, and by which models.
// Pure.
import { createHash } from 'node:crypto'
import { type Definition, type FileValue, isFileValue } from '@atelier/contract/graph/definition.ts'
import { readDefinition } from '@atelier/contract/graph/graph-rules.ts'
import type { AiKind } from '@atelier/contract/marks.ts'
import { type UnitState, unitKey } from '../../engine/model/units.ts'
import { fillIn } from '../../nodes/liquid.ts'

/** The call that made a file: its node, and what the node received and returned. */
type Made = {
  node: string
  type: string
  params: Record<string, unknown>
  inputs: Record<string, unknown>
  outputs: Record<string, unknown>
}
/**
 * The call that made each file, by the file's digest. A node that has the same file as an input only passes it on, like a gate, and
 * did not make it. Files that no call of the run made have no entry.
 */
export type Origins = ReadonlyMap<string, Made>

export function originsOf(
  rawDefinition: unknown,
  units: readonly UnitState[],
  inputsOf: ReadonlyMap<string, Record<string, unknown>>,
): Origins {
  const { nodes } = readDefinition(rawDefinition)
  const origins = new Map<string, Made>()
  for (const unit of units) {
    const spec = nodes[unit.node]
    if (!spec || unit.outputs === null) continue
    const inputs = inputsOf.get(unitKey(unit)) ?? {}
    const given = new Set(filesIn(inputs).map(({ digest }) => digest))
    for (const { digest } of filesIn(unit.outputs)) {
      if (given.has(digest) || origins.has(digest) || spec.type === 'input.file') continue
      origins.set(digest, { node: unit.node, type: spec.type, params: spec.params, inputs, outputs: unit.outputs })
    }
  }
  return origins
}

const filesIn = (values: Record<string, unknown>): FileValue[] =>
  Object.values(values).flatMap((value) => (Array.isArray(value) ? value : [value]).filter(isFileValue))

/** The node types that edit a picture. C2PA, the standard for content credentials, has a name for each of these edits. */
const edits: Readonly<Record<string, string>> = {
  'image.resize': 'c2pa.resized',
  'image.crop': 'c2pa.cropped',
  'image.convert': 'c2pa.converted',
}

export type Claim = {
  /**
   * How the picture came to be, before its edits: a model made it, a formula (`sample.image`), or `layout.render` (`layout`); null
   * if it existed before the run.
   */
  origin: 'model' | 'formula' | 'layout' | null
  /**
   * The picture before its edits, if a model made it or it existed before the run; null if `sample.image` or `layout.render` made
   * it.
   */
  base: FileValue | null
  /** The original pictures in what `layout.render` made, as `partsOf` returns them; empty for all other files. */
  parts: FileValue[]
  edits: { action: string }[]
  /**
   * The pictures in the file that models made. `prompt_sha256` is a hash of the prompt, null if the prompt cannot be built again.
   */
  asked: { picture: FileValue; node: string; prompt_sha256: string | null }[]
}

/**
 * Returns what is claimed about a file. Null if nothing is claimed, because the run did not make the file, or because the type of
 * the node that made it is not listed here; such a file is exported without a signature.
 */
export function claimOf(file: FileValue, origins: Origins): Claim | null {
  const steps: { action: string }[] = []
  let current = file
  for (let made = origins.get(current.digest); made; made = origins.get(current.digest)) {
    const action = edits[made.type]
    const before = made.inputs.image
    if (action === undefined || !isFileValue(before) || steps.length > origins.size) break
    steps.unshift({ action })
    current = before
  }
  const made = origins.get(current.digest)
  const asked = askedFor(file, origins, new Set())
  if (!made) return steps.length === 0 ? null : { origin: null, base: current, parts: [], edits: steps, asked }
  switch (made.type) {
    case 'image.generate':
    case 'image.edit':
    case 'comfyui.run':
      return { origin: 'model', base: current, parts: [], edits: steps, asked }
    case 'sample.image':
      return { origin: 'formula', base: null, parts: [], edits: steps, asked }
    case 'layout.render':
      return { origin: 'layout', base: null, parts: partsOf(made, origins), edits: steps, asked }
    default:
      return null
  }
}

/** Returns a sentence for people that says why there is no claim about a file. */
export function whyUnclaimed(file: FileValue, origins: Origins): string {
  const made = origins.get(file.digest)
  return made ? `There are no credentials for files that “${made.type}” made.` : 'The run passed it on as it came.'
}

/**
 * Returns the original pictures in what `layout.render` made, without duplicates. Each picture is traced back through the `image`
 * and `logo` inputs of the nodes that made it, to a picture that the run was given or that a model made (even if the model made
 * it from another picture). Pictures that `sample.image` calculated are left out.
 */
function partsOf(layout: Made, origins: Origins): FileValue[] {
  const found = new Map<string, FileValue>()
  const seen = new Set<string>()
  const look = (file: FileValue): void => {
    if (seen.has(file.digest)) return
    seen.add(file.digest)
    const made = origins.get(file.digest)
    const isOriginal = made === undefined || paints.has(made.type)
    const before = isOriginal ? [] : [made.inputs.image, made.inputs.logo].filter(isFileValue)
    if (before.length > 0) for (const one of before) look(one)
    else if (made?.type !== 'sample.image') found.set(file.digest, file)
  }
  for (const file of [layout.inputs.image, layout.inputs.logo].filter(isFileValue)) look(file)
  return [...found.values()]
}

function askedFor(file: FileValue, origins: Origins, seen: Set<string>): Claim['asked'] {
  const made = origins.get(file.digest)
  if (!made || seen.has(file.digest)) return []
  seen.add(file.digest)
  if (paints.has(made.type)) return [{ picture: file, node: made.node, prompt_sha256: promptDigest(made) }]
  return [made.inputs.image, made.inputs.logo].filter(isFileValue).flatMap((one) => askedFor(one, origins, seen))
}

/**
 * Returns a hash of the prompt that was sent; null if the prompt cannot be built again. Credentials do not contain the prompt
 * itself, since prompts are confidential.
 */
function promptDigest({ params, inputs }: Made): string | null {
  try {
    const template = typeof params.prompt === 'string' ? params.prompt : '{{ prompt }}'
    return createHash('sha256').update(fillIn(template, inputs).trim()).digest('hex')
  } catch {
    return null
  }
}

/** Returns the ids of the rules whose labels `layout.render` drew on the file; none if a later edit may have cut a label off. */
export function labelsOf(file: FileValue, origins: Origins): string[] {
  let current = file
  const seen = new Set<string>()
  for (let made = origins.get(current.digest); made; made = origins.get(current.digest)) {
    const { labels } = made.outputs
    if (made.type === 'layout.render')
      return Array.isArray(labels) ? labels.filter((label: unknown) => typeof label === 'string') : []
    const before = made.inputs.image
    if (made.type !== 'image.convert' || !isFileValue(before) || seen.has(current.digest)) return []
    seen.add(current.digest)
    current = before
  }
  return []
}

/** The node types whose pictures are made by a model. */
const paints: ReadonlySet<string> = new Set(['image.generate', 'image.edit', 'comfyui.run'])
/** Node types that may make files without a place for a mark, such as videos; `askedBy` treats all their files as generated. */
const unmarked: ReadonlySet<string> = new Set(['video.generate', 'speech.generate', 'comfyui.run'])
const asking: ReadonlySet<string> = new Set([...paints, ...unmarked, 'llm.chat', 'speech.transcribe'])

/**
 * Returns how much of a node's output models may have made. Only the graph is considered: the type of the node, and the types of
 * all nodes that it depends on, directly or indirectly.
 */
export function askedBy({ nodes, edges }: Definition, nodeId: string): AiKind {
  if (unmarked.has(nodes[nodeId]?.type ?? '')) return 'generated'
  const before = Map.groupBy(edges, ({ to }) => to.node)
  const seen = new Set<string>([nodeId])
  for (const id of seen) for (const { from } of before.get(id) ?? []) seen.add(from.node)
  return [...seen].some((id) => asking.has(nodes[id]?.type ?? '')) ? 'assisted' : 'none'
}

/**
 * Like `askedBy`, for one file of a node. If the node only passed the file on, like a gate, the node that made the file is considered
 * as well.
 */
export function askedForFile(definition: Definition, nodeId: string, file: FileValue, origins: Origins): AiKind {
  const maker = origins.get(file.digest)?.node ?? nodeId
  const made = askedBy(definition, maker)
  return made === 'generated' ? made : askedBy(definition, nodeId)
}

/** Returns the limit in bytes that the node `image.convert` had for a file it made; null if there was no limit. */
export function budgetOf(file: FileValue, origins: Origins): number | null {
  const made = origins.get(file.digest)
  const budget = made?.type === 'image.convert' ? made.params.budget_kb : 0
  return typeof budget === 'number' && budget > 0 ? budget * 1000 : null
}
