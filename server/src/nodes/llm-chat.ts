// In charge of `llm.chat`: text, or data that matches a schema, from a language model.
import type { ModelChoice } from '@atelier/contract/graph/model-catalogue.ts'
import Type from 'typebox'
import { AnyValue, defineNode, gives, takes } from './define.ts'
import { duePrice, uselessReply } from './keep-made.ts'
import { fillIn, templateSchema } from './liquid.ts'
import { modelOrDefault } from './model-params.ts'
import { NodeFailure } from './node-type.ts'
import type { ChatReply, ChatRequest } from './outside/models.ts'
import { tokensOf } from './outside/prices.ts'
import type { Models } from './outside/providers.ts'
import { plainText } from './outside/send.ts'
import { parseStorable } from './outside/storable.ts'
import type { Sandbox } from './sandbox/sandbox.ts'

const perCredit = 1000

const paramsOf = (choice: ModelChoice) => ({
  model: modelOrDefault(choice, ['gpt-5.4-mini', 'anthropic:claude-sonnet-5-5']),
  system: templateSchema('Role', 'Who the model is, and what holds for every answer.', '', [
    'You write short, plain headlines. No exclamation marks.',
  ]),
  prompt: templateSchema('Prompt', 'What is asked. {{ names }} are inputs of the node.', '{{ prompt }}', [
    'Write a headline for {{ product }} in {{ locale }}.',
  ]),
  temperature: Type.Number({
    title: 'Variety',
    description:
      '0 is the same each time, 1 is usual, 2 is wild. -1 leaves it to the model; some models take nothing else.',
    default: -1,
    minimum: -1,
    maximum: 2,
  }),
  max_tokens: Type.Integer({
    title: 'Longest answer',
    description: 'In tokens, about four letters each; 0 leaves it to the model.',
    default: 0,
    minimum: 0,
    maximum: 100_000,
  }),
  schema: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    title: 'Form of the answer',
    description: 'A JSON Schema; left empty, the answer is text.',
    default: {},
    'x-atelier': 'json',
  }),
})

export const llmChat = (models: Models, sandbox: Sandbox) =>
  defineNode({
    type: 'llm.chat',
    title: 'Chat',
    summary: 'Asks a language model for text, or for data of a form you set.',
    group: 'generate',
    help: `
Write the prompt as you would a **Text template**: \`{{ names }}\` are inputs of the node. In **Role**, say who the model is
to be and what it must never write.

For data rather than text, set **Form of the answer** to a JSON Schema, such as
\`{"type":"object","required":["headlines"],"properties":{"headlines":{"type":"array","items":{"type":"string"}}}}\`,
and take the output **Data**. An answer of another form fails rather than go on.

The same prompt is paid once: later runs take the answer from the cache, until somebody re-rolls it.`,
    params: paramsOf(models.choiceOf('chat')),
    inputs: {
      prompt: takes({ title: 'Prompt', description: 'Stands for {{ prompt }} in the prompt.', schema: Type.String() }),
    },
    openInputs: true,
    outputs: {
      text: gives('Text', 'The answer as it was written.', Type.String()),
      data: gives('Data', 'The answer as data, where a form is set.', AnyValue),
      tokens: gives('Tokens', 'How many tokens prompt and answer had.', Type.Integer()),
    },
    credits: { least: 1, most: null, note: `1 for each ${perCredit} tokens begun, of prompt and answer together.` },
    estimate: ({ max_tokens: most }, inputs) => {
      const known =
        inputs === null || most === 0 ? null : Math.ceil((JSON.stringify(inputs).length + 20_000) / 2 + most)
      return { least: 1, most: known === null ? null : Math.ceil(known / perCredit) }
    },
    cost: ({ model, system, prompt, schema, max_tokens: most }, inputs) => {
      const texts = inputs && [fillIn(system, inputs), fillIn(prompt, inputs), JSON.stringify(schema)]
      return models.cost('chat', model, texts && most > 0 ? tokensOf(texts, most) : {})
    },
    retrySafe: false,
    timeoutSeconds: 600,
    unavailable: () => models.unavailable('chat'),
    provider: ({ model }) => models.keyOf('chat', model),
    run: async ({ params, inputs, ...context }) => {
      const { signal } = context
      const wanted = Object.keys(params.schema).length > 0 ? params.schema : null
      // The schema is checked before the call, so that no call with an invalid schema is paid for.
      const noForm = wanted && (await sandbox.check(wanted, undefined, signal))
      if (noForm) throw new NodeFailure(`The form of the answer does not work out: ${noForm}.`)
      const request = requestOf(params, inputs, wanted)
      const { ask, model } = models.find('chat', params.model)
      const { made, note, usage, isCharged, charge } = await ask(model, request, { ...context, credits: 1 })
      const { text, tokens, isCut, refused } = read(made)
      const full = models.costOf('chat', params.model, {}, usage)
      const { credits, cost } = duePrice(isCharged, Math.max(1, Math.ceil(tokens / perCredit)), full)
      const price = { credits, cost, charge }
      if (refused !== null) throw await uselessReply(refused, price)
      if (wanted === null) {
        const message = isCut ? 'The answer was cut off at its longest.' : note
        return { outputs: { text, tokens }, credits, cost, ...(message && { message }) }
      }
      const data = parseStorable(withoutFence(text))
      const wrong = data === undefined ? 'it is not JSON' : await sandbox.check(wanted, data, signal)
      if (wrong === null) return { outputs: { text, data, tokens }, credits, cost }
      const why = isCut ? 'it was cut off: raise “Longest answer”' : wrong
      throw await uselessReply(`The answer does not have the form asked for: ${why}.`, price)
    },
  })

/** The reply without the fences of a Markdown code block: some models put data into a code block, even if the prompt forbids it. */
function withoutFence(text: string): string {
  const plain = text.trim()
  return plain.startsWith('```') && plain.endsWith('```') ? plain.slice(3, -3).replace(/^json\b/, '') : plain
}

type Params = { system: string; prompt: string; temperature: number; max_tokens: number }

function requestOf(
  params: Params,
  inputs: Record<string, unknown>,
  schema: Record<string, unknown> | null,
): ChatRequest {
  const prompt = fillIn(params.prompt, inputs).trim()
  if (prompt === '') throw new NodeFailure('The prompt is empty. Write one, or lead a text to “Prompt”.')
  return {
    system: fillIn(params.system, inputs).trim(),
    prompt,
    temperature: params.temperature < 0 ? null : params.temperature,
    maxTokens: params.max_tokens === 0 ? null : params.max_tokens,
    schema,
  }
}

type Answer = {
  text: string
  tokens: number
  isCut: boolean /** Why the reply cannot be used. */
  refused: string | null
}

function read({ text, refusal, tokens, isCut }: ChatReply): Answer {
  const noText = text === null ? 'The provider answered without a text.' : null
  return {
    // Characters that the database cannot store are removed or replaced, so that a paid reply is not lost.
    text: (text ?? '').replaceAll('\0', '').toWellFormed(),
    tokens: tokens ?? Math.ceil((text ?? '').length / 4),
    isCut,
    refused: refusal === null ? noText : `The model declined: ${plainText(refusal, 300)}`,
  }
}
