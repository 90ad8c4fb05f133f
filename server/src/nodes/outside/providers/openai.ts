// In charge of OpenAI, and of services with OpenAI's API: pictures, edits, text, speech and transcripts. For pictures and text
// this code builds the requests itself, because the package builds them in a form that some such services do not understand.
import { isPlainObject } from '@atelier/contract/graph/definition.ts'
import type { ModelKind } from '@atelier/contract/graph/model-catalogue.ts'
import { NodeFailure } from '../../node-type.ts'
import { isTokenCount, tokensSaid } from '../bookable.ts'
import { type Connection, createExchange, type Exchange, Unfetchable } from '../exchange.ts'
import { sizeFault } from '../image-sizes.ts'
import { openAiList } from '../model-lists.ts'
import type { ChatReply, ChatRequest, ImageRequest, Made, ModelCall, Usage } from '../models.ts'
import type { Provider } from '../provider.ts'
import { parse } from '../refusal.ts'
import { packageModels } from '../sdk.ts'

/**
 * The kinds of a model, judged by its name, because OpenAI's list has only names. Empty: nodes cannot use the model. Null: the name
 * does not show the kind.
 */
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

/** Refuses a size that the model is known not to accept, before anything is sent. */
function checked(model: string, request: ImageRequest): ImageRequest {
  const fault = sizeFault(model, request.size)
  if (fault !== null) throw new NodeFailure(`${fault} Nothing was sent.`)
  return request
}

/** The object of the first picture in a reply; {} if there is none. */
function firstOf(answer: unknown): Record<string, unknown> {
  const data: unknown = isPlainObject(answer) ? answer.data : undefined
  const [first]: unknown[] = Array.isArray(data) ? data : []
  return isPlainObject(first) ? first : {}
}

const isFilled = (raw: unknown): raw is string => typeof raw === 'string' && raw !== ''

/**
 * Makes checkpoints compatible with version 0.2.0, which saves only the address of the picture, in `url`: a saved checkpoint gets
 * this member too, and a checkpoint with only this member becomes a reply. So a picture that one version paid for is not paid for
 * again by the other. If the reply contains the picture itself, `url` contains it too, as a data URL; whatever the type of the
 * picture, this data URL names PNG, because no version reads that part.
 */
function withAddress(call: ModelCall): ModelCall {
  const { checkpoint, seed, saveCheckpoint } = call
  const isBare = typeof checkpoint?.url === 'string' && checkpoint.reply === undefined
  const body = JSON.stringify({ data: [{ url: checkpoint?.url }] })
  const reply = { status: 200, body, mediaType: 'application/json' }
  return {
    ...call,
    checkpoint: isBare ? { call: seed, reply, isCharged: false } : checkpoint,
    saveCheckpoint: (kept) => {
      const { b64_json: base64, url } = firstOf(isPlainObject(kept.reply) ? parse(String(kept.reply.body)) : undefined)
      const address = isFilled(base64) ? `data:image/png;base64,${base64}` : url
      return saveCheckpoint({ ...kept, ...(typeof address === 'string' ? { url: address } : {}) })
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
  const given = isFilled(base64) ? Buffer.from(base64, 'base64') : null
  const isCharged = exchange.isCharged()
  const made = given ?? (await fetched(url, exchange, call, isCharged))
  return { made, note: null, usage: usageOf(answer), isCharged, charge: exchange.charge }
}

/** The token counts that a reply states. For pictures and for text, these members have different names. */
function usageOf({ usage }: Record<string, unknown>): Usage | null {
  if (!isPlainObject(usage)) return null
  const sent = usage.input_tokens ?? usage.prompt_tokens
  const made = usage.output_tokens ?? usage.completion_tokens
  const tokens = tokensSaid(sent, made)
  return tokens && { tokens, cost: null }
}

/**
 * Fetches a picture that is already paid for. Fetching costs nothing, so `exchange` repeats a failed fetch, and a later attempt
 * of the unit fetches the picture again.
 */
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
  // What stands before the place where the filter cut the reply off must not be taken for the whole reply.
  const isFiltered = isPlainObject(choice) && choice.finish_reason === 'content_filter'
  const declined = isFiltered ? 'its content filter cut the answer off.' : null
  const made: ChatReply = {
    text: typeof content === 'string' && !isFiltered ? content : null,
    refusal: typeof refusal === 'string' && refusal !== '' ? refusal : declined,
    tokens: isTokenCount(total) && total > 0 ? total : null,
    isCut: isPlainObject(choice) && choice.finish_reason === 'length',
  }
  return { made, note: null, usage: usageOf(answer), isCharged: exchange.isCharged(), charge: exchange.charge }
}

async function post({ fetch }: Exchange, { title, url, key }: Connection, path: string, body: object) {
  const authorization = key === null ? {} : { authorization: `Bearer ${key}` }
  const headers = { 'content-type': 'application/json', accept: 'application/json', ...authorization }
  const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  const answer = parse(await response.text())
  if (isPlainObject(answer)) return answer
  // The provider has probably done the work and will charge for it. With the outcome `unknown`, only a person can repeat the call.
  const who = `${title} (${new URL(url).host})`
  throw new NodeFailure(`${who} answered with something that is not JSON.`, { outcome: 'unknown' })
}

/**
 * The name of the member that limits the length of the reply. OpenAI's reasoning models refuse its old name `max_tokens`; other
 * services with OpenAI's API often know only the old name.
 */
export const limitName = (baseUrl: string): 'max_completion_tokens' | 'max_tokens' =>
  /(?:^|\.)openai\.(?:azure\.)?com$/.test(new URL(baseUrl).hostname) ? 'max_completion_tokens' : 'max_tokens'
