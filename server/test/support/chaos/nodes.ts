// In charge of the node types of the chaos test: paid ones (repeatable, not repeatable, and with a job to wait for), a free one,
// and one that writes files. All but the last call the provider over HTTP.
import { setTimeout as wait } from 'node:timers/promises'
import Type from 'typebox'
import { defineNode, File, gives, needs } from '../../../src/nodes/define.ts'
import { flowIf } from '../../../src/nodes/flow-if.ts'
import { gateApprove } from '../../../src/nodes/gate-approve.ts'
import { gateChoose } from '../../../src/nodes/gate-choose.ts'
import { gateEdit } from '../../../src/nodes/gate-edit.ts'
import { listCollect } from '../../../src/nodes/list-collect.ts'
import { type NodeContext, NodeFailure, type NodeType } from '../../../src/nodes/node-type.ts'
import { textTemplate } from '../../../src/nodes/text-template.ts'
import { type Asked, price } from './provider.ts'

/** The product's own node types that the graphs of the chaos test use. */
export const productNodes: readonly NodeType[] = [flowIf, gateApprove, gateChoose, gateEdit, listCollect, textTemplate]

/** `by`: the name of the worker; its requests to the provider and its database connections carry this name. */
export function chaosNodes(provider: string, by: string): NodeType[] {
  const prompt = needs({ title: 'Prompt', description: 'What is asked.', schema: Type.String() })
  const text = gives('Text', 'The answer.', Type.String())
  const words = (type: string) =>
    ({ type, title: type, summary: 'Asks the provider of chaos.', help: 'For tests.', group: 'other' }) as const
  const credits = { least: price, most: price, note: 'The same for each call.' }

  const asking =
    (kind: Pick<Asked, 'once' | 'free'>) =>
    async ({ unit, seed, signal, inputs }: Pick<NodeContext, 'unit' | 'seed' | 'signal' | 'inputs'>) => {
      const told = await ask(provider, { unit, seed, prompt: String(inputs.prompt), by, ...kind }, signal)
      return { outputs: { text: String(told.text) }, credits: kind.free ? 0 : price }
    }
  const paid = (type: string, retrySafe: boolean) =>
    defineNode({
      ...{ ...words(type), params: {}, inputs: { prompt }, outputs: { text }, credits, retrySafe },
      run: asking({ once: retrySafe, free: false }),
    })
  return [
    paid('chaos.paid', false),
    paid('chaos.safe', true),
    defineNode({
      ...{ ...words('chaos.free'), params: {}, inputs: { prompt }, outputs: { text } },
      run: asking({ once: true, free: true }),
    }),
    defineNode({
      ...{ ...words('chaos.job'), params: {}, inputs: { prompt }, outputs: { text }, credits, retrySafe: false },
      run: async ({ unit, seed, signal, inputs, checkpoint, saveCheckpoint }) => {
        const asked = { unit, seed, prompt: inputs.prompt, by, once: false, free: false }
        const job = checkpoint?.job ?? (await ask(provider, asked, signal)).job
        if (checkpoint === null) await saveCheckpoint({ job })
        for (;;) {
          const told = await ask(`${provider}/jobs/${job}`, null, signal)
          if (typeof told.text === 'string') return { outputs: { text: told.text }, credits: price }
          await wait(60, undefined, { signal })
        }
      },
    }),
    defineNode({
      ...{ ...words('chaos.file'), params: {}, inputs: { prompt } },
      outputs: { file: gives('File', 'The prompt as a file.', File) },
      run: async ({ inputs, files }) => ({
        outputs: { file: await files.write(Buffer.from(inputs.prompt), 'text/plain', 'prompt.txt') },
      }),
    }),
  ]
}

/** Sends the request `asked` to the provider at `url`; if `asked` is null, fetches the state of the earlier job at `url`. */
async function ask(url: string, asked: Asked | null, signal: AbortSignal): Promise<Record<string, unknown>> {
  const request = asked === null ? { signal } : { method: 'POST', body: JSON.stringify(asked), signal }
  const answer = await fetch(url, request).catch((cause: unknown) => {
    throw new NodeFailure('The provider hung up.', { outcome: 'unknown', again: { afterSeconds: 0 }, cause })
  })
  const told: unknown = await answer.json()
  if (answer.status === 429) throw new NodeFailure('The provider is busy.', { again: { afterSeconds: 0 } })
  if (!answer.ok) throw new NodeFailure('The provider refused it.')
  return typeof told === 'object' && told !== null ? { ...told } : {}
}
