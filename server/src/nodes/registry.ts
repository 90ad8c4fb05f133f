// In charge of the list of node types: lookup by name, and their descriptions for the API.
import type { NodeVersion, NodeType as WireNodeType } from '@atelier/contract/graph/node-types.ts'
import { comfyUiRun } from './comfyui-run.ts'
import { creativeLookup } from './creative-lookup.ts'
import { withCreditPrice } from './credit-price.ts'
import { csvParse } from './csv-parse.ts'
import { flowIf } from './flow-if.ts'
import { gateApprove } from './gate-approve.ts'
import { gateChoose } from './gate-choose.ts'
import { gateEdit } from './gate-edit.ts'
import { httpRequest } from './http-request.ts'
import { imageConvert } from './image-convert.ts'
import { imageCrop } from './image-crop.ts'
import { imageEdit } from './image-edit.ts'
import { imageGenerate } from './image-generate.ts'
import { imageResize } from './image-resize.ts'
import { createPictureWorkers } from './images/workers.ts'
import { inputChoice } from './input-choice.ts'
import { inputFile } from './input-file.ts'
import { inputNumber } from './input-number.ts'
import { inputText } from './input-text.ts'
import { jsonExpression } from './json-expression.ts'
import { layoutRender } from './layout-render.ts'
import { listCollect } from './list-collect.ts'
import { listPick } from './list-pick.ts'
import { llmChat } from './llm-chat.ts'
import type { NodeOptions } from './node-options.ts'
import { type DroppedType, type FindType, type NodeType, versionName } from './node-type.ts'
import { guardedAgent, trustedAgent } from './outside/guard.ts'
import { createModels } from './outside/providers.ts'
import { sampleChat } from './sample-chat.ts'
import { sampleImage } from './sample-image.ts'
import { createSandbox } from './sandbox/sandbox.ts'
import { speechGenerate } from './speech-generate.ts'
import { speechTranscribe } from './speech-transcribe.ts'
import { tableFilter } from './table-filter.ts'
import { taskFields } from './task-fields.ts'
import { textSplit } from './text-split.ts'
import { textTemplate } from './text-template.ts'
import { textValidate } from './text-validate.ts'
import { variantsProduct } from './variants-product.ts'
import { videoGenerate } from './video-generate.ts'

export type Registry = {
  /** Name of a type → its description, in the order of the list. `GET /node-types` returns these, and the graph rules read them. */
  wire: ReadonlyMap<string, WireNodeType>
  find: FindType
  /** Every version of every type that this process can run, as `versionName` names it. */
  has: ReadonlySet<string>
  /**
   * Replaces the descriptions in `wire`. Called after an admin has set or removed a provider's key, because that changes which
   * types are available.
   */
  describe(): void
}

/**
 * Every type that comes with the product, in the order of the palette. To add a type, add it here. To add a new version of a type,
 * keep the earlier version in the list: existing graphs and runs still need it.
 */
export function defaultNodeTypes(options: NodeOptions): NodeType[] {
  const workers = createPictureWorkers()
  const sandbox = createSandbox()
  const agent = guardedAgent(options.allowedHosts)
  const models = createModels(options.models, { trusted: trustedAgent(), guarded: agent })
  const types = [
    ...[inputText, inputNumber, inputChoice, inputFile, taskFields(options), creativeLookup(options)],
    ...[textTemplate, textSplit, textValidate],
    ...[csvParse, tableFilter, variantsProduct, listCollect, listPick, jsonExpression(sandbox)],
    ...[llmChat(models, sandbox), imageGenerate(models, workers), imageEdit(models, workers), videoGenerate(models)],
    ...[speechGenerate(models), speechTranscribe(models), comfyUiRun(models, workers)],
    ...[sampleChat, sampleImage(workers)],
    ...[layoutRender(workers, options.labelRules), imageResize(workers), imageCrop(workers), imageConvert(workers)],
    ...[flowIf, gateChoose, gateApprove, gateEdit],
    httpRequest(agent),
  ]
  return types.map((type) => withCreditPrice(type, options.creditPrice ?? null))
}

/** `types`: all versions of all types; users are offered only the newest version of each. `dropped`: types that were removed. */
export function createRegistry(types: readonly NodeType[], dropped: readonly DroppedType[] = []): Registry {
  const byVersion = new Map(types.map((type) => [versionName(type), type]))
  if (byVersion.size < types.length) throw new Error('Two node types have the same name and version.')
  const byName = Map.groupBy(types, ({ type }) => type)
  const gone = dropped.filter(({ type }) => !byName.has(type))
  const described = () => [...byName].map(([name, versions]) => [name, describeAll(versions)] as const)
  const wire = new Map([
    ...described(),
    // A removed type without a successor gets no description: it is treated like a type that never existed.
    ...gone
      .filter(({ replaced_by }) => replaced_by !== null)
      .map((type) => [type.type, describeDropped(type)] as const),
  ])
  return {
    wire,
    describe: () => {
      for (const [name, type] of described()) wire.set(name, type)
    },
    find: (type, version) => byVersion.get(versionName({ type, version })),
    has: new Set(byVersion.keys()),
  }
}

function describeAll(versions: readonly NodeType[]): WireNodeType {
  const [newest, ...earlier] = versions.toSorted((a, b) => b.version - a.version).map(describe)
  if (!newest) throw new Error('A node type has no version.')
  return { ...newest, earlier }
}

function describe(node: NodeType): NodeVersion {
  const { type, version, title, summary, help, group, open_inputs, credits, cacheable, retry_safe, pure } = node
  const reason = node.unavailable()
  return {
    ...{ type, version, title, summary, help, group },
    params: plain(node.params),
    inputs: plain(node.inputs),
    outputs: plain(node.outputs),
    ...{ open_inputs, credits, cacheable, retry_safe, pure },
    gate: node.gate !== null,
    available: reason === null,
    unavailable_reason: reason,
    replaced_by: null,
  }
}

/** A description of a removed type, so that a graph that uses the type can still be shown. */
function describeDropped({ type, version, replaced_by }: DroppedType): WireNodeType {
  const reason = `It is no longer there.${replaced_by ? ` ${replaced_by.type} takes its place.` : ''}`
  return {
    ...{ type, version, title: type, summary: reason, help: reason, group: 'other' },
    ...{ params: {}, inputs: {}, outputs: {}, open_inputs: true },
    credits: { least: 0, most: null, note: 'It does not run.' },
    ...{ cacheable: false, retry_safe: false, pure: false, gate: false },
    ...{ available: false, unavailable_reason: reason, replaced_by, earlier: [] },
  }
}

/** A plain copy of schemas or ports, without the internal data of TypeBox. */
const plain = <T>(value: T): T => structuredClone(value)
