// In charge of which node types there are: the list of them, looked up by name, and as the wire describes them.
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
  /** By name, in the order of the list: what `GET /node-types` serves and the rules of graphs go by. */
  wire: ReadonlyMap<string, WireNodeType>
  find: FindType
  /** Every version of every type that runs here, as `versionName` names them. */
  has: ReadonlySet<string>
  /** Describes the types anew, in the same map: which of them can run here follows from keys that are given while it runs. */
  describe(): void
}

/**
 * Every type that comes with the product, as the palette lists them; a new one is a line here. So is a new version of
 * one, beside the version before it: graphs and runs that have that one go on to run.
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

/** `types`: of a type that is there in several versions, the newest is what is offered. */
export function createRegistry(types: readonly NodeType[], dropped: readonly DroppedType[] = []): Registry {
  const byVersion = new Map(types.map((type) => [versionName(type), type]))
  if (byVersion.size < types.length) throw new Error('Two node types have the same name and version.')
  const byName = Map.groupBy(types, ({ type }) => type)
  const gone = dropped.filter(({ type }) => !byName.has(type))
  const described = () => [...byName].map(([name, versions]) => [name, describeAll(versions)] as const)
  const wire = new Map([
    ...described(),
    // Without a successor there is nothing to say of one: it is unknown, like a type that never was.
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

/** A dropped type is described by what is known of it, so that a graph with one can still be looked at. */
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

/** A plain copy of a schema, without what TypeBox keeps in it for itself. */
const plain = <T>(value: T): T => structuredClone(value)
