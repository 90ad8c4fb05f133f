// In charge of OpenAI, and of services that speak its API in its place: pictures, edits, text, speech and transcripts.
// Pictures and text are asked for in the form that such services know too, which the package does not keep to.
import { isPlainObject } from '@atelier/contract/graph/definition.ts'
import type { ModelKind } from '@atelier/contract/graph/model-catalogue.ts'
import { NodeFailure } from '../../node-type.ts'
import { type Connection, createExchange, type Exchange, Unfetchable } from '../exchange.ts'
import { sizeFault } from '../image-sizes.ts'
import { openAiList } from '../model-lists.ts'
import type { ChatReply, ChatRequest, ImageRequest, Made, ModelCall, Usage } from '../models.ts'
import type { Provider } from '../provider.ts'
import { parse } from '../refusal.ts'
import { packageModels } from '../sdk.ts'

/** Its list has names alone, by which they are told apart; null for one of no known family. */
function kindsByName(id: string): ModelKind[] | null {
  if (
    /embedding|moderation|realtime|audio|search|deep-research|codex|computer-use|instruct|^(?:sora|babbage|davinci)/.test(
      id,
    )
  )
    return []
  if (/^(?:gpt-image|chatgpt-image)/.test(id)) return ['image', 'edit']
  if (id.startsWith('dall-e')) return ['image']
  if (/^tts-|-tts\b/.test(id)) return ['speech']
  if (/^whisper|transcribe/.test(id)) return ['transcription']
  return /^(?:gpt-|chatgpt-|o\d)/.test(id) ? ['chat'] : null
}

export const openAi: Provider = {
  name: 'openai',
  title: 'The provider',
  usualTitle: 'OpenAI',
  url: 'https://api.openai.com/v1',
  check: (url, key) => ({ url: `${url}/models`, headers: { authorization: `Bearer ${key}` } }),
  list: openAiList(kindsByName),
  models: (connection) => {
    const { edit, speech, transcription } = packageModels(
      connection,
      async (link) => {
        const { createOpenAI } = await import('@ai-sdk/openai')
        const own = createOpenAI(link)
        return { image: own.image, speech: own.speech, transcription: own.transcription }
      },
      {
        kinds: ['edit', 'speech', 'transcription'],
        imageOptions: ({ quality }) => (quality === '' ? {} : { openai: { quality } }),
      },
    )
    return {
      image: (model, request, call) => picture(connection, model, request, call),
      chat: (model, request, call) => chat(connection, model, request, call),
      ...(edit && { edit: async (model, request, call) => edit(model, checked(model, request), call) }),
      ...(speech && { speech }),
      ...(transcription && { transcription }),
    }
  },
}

/** A size that the model is known not to take is refused before anything is sent. */
function checked(model: string, request: ImageRequest): ImageRequest {
  const fault = sizeFault(model, request.size)
  if (fault !== null) throw new NodeFailure(`${fault} Nothing was sent.`)
  return request
}

/** The first of the pictures that an answer has. */
function firstOf(answer: unknown): Record<string, unknown> {
  const data: unknown = isPlainObject(answer) ? answer.data : undefined
  const [first]: unknown[] = Array.isArray(data) ? data : []
  return isPlainObject(first) ? first : {}
}

/** 0.2.0 keeps the address of the picture alone, and looks for that: neither version pays again for what the other began. */
function withAddress(call: ModelCall): ModelCall {
  const { checkpoint, seed, saveCheckpoint } = call
  const isBare = typeof checkpoint?.url === 'string' && checkpoint.reply === undefined
  const body = JSON.stringify({ data: [{ url: checkpoint?.url }] })
  const reply = { status: 200, body, mediaType: 'application/json' }
  return {
    ...call,
    checkpoint: isBare ? { call: seed, reply, isCharged: false } : checkpoint,
    saveCheckpoint: (kept) => {
      const { url } = firstOf(isPlainObject(kept.reply) ? parse(String(kept.reply.body)) : undefined)
      return saveCheckpoint({ ...kept, ...(typeof url === 'string' ? { url } : {}) })
    },
  }
}

async function picture(
  connection: Connection,
  model: string,
  asked: ImageRequest,
  call: ModelCall,
): Promise<Made<Buffer>> {
  const { prompt, size, quality } = checked(model, asked)
  const exchange = createExchange(connection, withAddress(call))
  const body = { model, prompt, n: 1, size, ...(quality === '' ? {} : { quality }) }
  const answer = await post(exchange, connection, '/images/generations', body)
  const { b64_json: base64, url } = firstOf(answer)
  const given = typeof base64 === 'string' && base64 !== '' ? Buffer.from(base64, 'base64') : null
  const isCharged = exchange.isCharged()
  const made = given ?? (await fetched(url, exchange, call, isCharged))
  return { made, note: null, usage: usageOf(answer), isCharged }
}

/** Tokens of pictures and of texts are named differently. */
function usageOf({ usage }: Record<string, unknown>): Usage | null {
  if (!isPlainObject(usage)) return null
  const sent = usage.input_tokens ?? usage.prompt_tokens
  const made = usage.output_tokens ?? usage.completion_tokens
  const isSaid = isCount(sent) && isCount(made)
  return isSaid ? { tokens: { sent, made }, cost: null } : null
}

const isCount = (raw: unknown): raw is number => typeof raw === 'number' && Number.isSafeInteger(raw) && raw >= 0

/** It is paid for, and fetching it costs nothing: what fails is tried again, now and at a later start. */
async function fetched(url: unknown, exchange: Exchange, call: ModelCall, isCharged: boolean): Promise<Buffer> {
  const paid = async (message: string, cause?: unknown): Promise<NodeFailure> => {
    if (isCharged) return new NodeFailure(`${message} The picture was paid for before.`, { cause })
    await exchange.charge()
    return new NodeFailure(`${message} The picture was paid for.`, { credits: call.credits, cause })
  }
  if (typeof url !== 'string' || !URL.canParse(url)) throw await paid('The provider answered without a picture.')
  const data = /^data:image\/[a-z+]+;base64,(.*)$/s.exec(url)
  if (data) return Buffer.from(data[1] ?? '', 'base64')
  const response = await exchange.fetch(url).catch(async (error: unknown) => {
    const isOver = !call.signal.aborted && (error instanceof NodeFailure || error instanceof Unfetchable)
    throw isOver ? await paid(error.message, error) : error
  })
  if (response.status === 200) return Buffer.from(await response.arrayBuffer())
  throw await paid(`The place the picture is at (${new URL(url).host}) answered ${response.status}.`)
}

async function chat(
  connection: Connection,
  model: string,
  asked: ChatRequest,
  call: ModelCall,
): Promise<Made<ChatReply>> {
  const { system, prompt, temperature, maxTokens, schema } = asked
  const exchange = createExchange(connection, call, { keeps: false })
  const body = {
    model,
    messages: [...(system === '' ? [] : [{ role: 'system', content: system }]), { role: 'user', content: prompt }],
    ...(temperature === null ? {} : { temperature }),
    ...(maxTokens === null ? {} : { [limitName(connection.url)]: maxTokens }),
    ...(schema === null ? {} : { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema } } }),
  }
  const answer = await post(exchange, connection, '/chat/completions', body)
  const [choice]: unknown[] = Array.isArray(answer.choices) ? answer.choices : []
  const message: unknown = isPlainObject(choice) ? choice.message : undefined
  const { content, refusal } = isPlainObject(message) ? message : {}
  const total: unknown = isPlainObject(answer.usage) ? answer.usage.total_tokens : undefined
  const made: ChatReply = {
    text: typeof content === 'string' ? content : null,
    refusal: typeof refusal === 'string' && refusal !== '' ? refusal : null,
    tokens: typeof total === 'number' && total > 0 ? Math.round(total) : null,
    isCut: isPlainObject(choice) && choice.finish_reason === 'length',
  }
  return { made, note: null, usage: usageOf(answer), isCharged: exchange.isCharged() }
}

async function post({ fetch }: Exchange, { title, url, key }: Connection, path: string, body: object) {
  const authorization = key === null ? {} : { authorization: `Bearer ${key}` }
  const headers = { 'content-type': 'application/json', accept: 'application/json', ...authorization }
  const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  const answer = parse(await response.text())
  if (isPlainObject(answer)) return answer
  // It worked, and it will be billed: asking again is not ours to decide.
  const who = `${title} (${new URL(url).host})`
  throw new NodeFailure(`${who} answered with something that is not JSON.`, { outcome: 'unknown' })
}

/**
 * What the longest answer is called in a request. OpenAI's reasoning models refuse the old name; services that speak
 * its API often know no other.
 */
export const limitName = (baseUrl: string): 'max_completion_tokens' | 'max_tokens' =>
  /(?:^|\.)openai\.(?:azure\.)?com$/.test(new URL(baseUrl).hostname) ? 'max_completion_tokens' : 'max_tokens'
