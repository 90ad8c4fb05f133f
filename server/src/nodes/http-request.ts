// In charge of `http.request`: sends a request to any public address, for services that have no node type of their own.
import Type from 'typebox'
import type { Dispatcher } from 'undici'
import { AnyValue, defineNode, File, gives } from './define.ts'
import { fillIn, templateSchema } from './liquid.ts'
import { NodeFailure, type NodeFiles } from './node-type.ts'
import { parse } from './outside/refusal.ts'
import { plainText, retryAfter, type Sent, send } from './outside/send.ts'
import { parseStorable } from './outside/storable.ts'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const limits = { text: 2_000_000, file: 40_000_000 } as const
/** Headers that a user may not set: the HTTP client sets them itself, or they could smuggle a second request into the first. */
const reserved = /^(?:host|content-length|connection|transfer-encoding|upgrade|expect|te|trailer|proxy-.*)$/i

export const httpRequest = (agent: Dispatcher) =>
  defineNode({
    type: 'http.request',
    title: 'Web request',
    summary: 'Sends a request to another service, and takes its answer.',
    group: 'other',
    help: `
For services that have no node of their own: fetch a feed, post a message, ask a tool you run. Address, headers and body
are templates: \`https://example.com/products/{{ id | url_encode }}\`.

**Do not write keys into headers here**: everyone who can read the graph can read them.

Only addresses on the public internet are reached; an operator can allow others. The answer is never taken from the cache.
A GET that fails is tried again; anything else is not, because it may have arrived.`,
    params: {
      method: Type.Unsafe<(typeof methods)[number]>({
        type: 'string',
        enum: [...methods],
        title: 'Method',
        description: 'GET reads; the others may change something.',
        default: 'GET',
      }),
      url: templateSchema('Address', 'Begins with https:// or http://.', '', ['https://example.com/feed.json']),
      headers: Type.Record(
        Type.String({ pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$" }),
        Type.String({ maxLength: 4000 }),
        {
          title: 'Headers',
          description: 'Name → value.',
          default: {},
          maxProperties: 30,
          examples: [{ accept: 'application/json' }],
        },
      ),
      body: templateSchema('Body', 'Sent as it is; not with GET.', '', ['{"name": {{ name | json }}}']),
      timeout_seconds: Type.Integer({
        title: 'Longest wait',
        description: 'In seconds.',
        default: 30,
        minimum: 1,
        maximum: 300,
      }),
      fail_on_error: Type.Boolean({
        title: 'Fail on errors',
        description: 'Whether an answer of 400 or more stops what follows.',
        default: true,
      }),
    },
    inputs: {},
    openInputs: true,
    outputs: {
      status: gives('Status', 'The number of the answer, such as 200.', Type.Integer()),
      text: gives('Text', 'The answer as text, where it is text.', Type.String()),
      data: gives('Data', 'The answer as data, where it is JSON.', AnyValue),
      file: gives('File', 'The answer as a file, where it is neither.', File),
    },
    cacheable: false,
    retrySafe: false,
    timeoutSeconds: 330,
    run: async ({ params, inputs, signal, files }) => {
      const url = addressOf(fillIn(params.url, inputs).trim())
      const { method } = params
      const body = method === 'GET' ? undefined : fillIn(params.body, inputs)
      const sent = await send({
        ...{ url: url.href, method, headers: headersOf(params.headers, inputs, body), agent, who: url.host },
        ...(body === undefined || body === '' ? {} : { body }),
        ...{ limit: limits.file, hasEffect: method !== 'GET', redirects: 5 },
        signal: AbortSignal.any([signal, AbortSignal.timeout(params.timeout_seconds * 1000)]),
      })
      if (sent.status >= 400 && params.fail_on_error) throw refusalOf(sent, url.host, method)
      return { outputs: await outputsOf(sent, files), message: `${url.host} answered ${sent.status}` }
    },
  })

function addressOf(text: string): URL {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new NodeFailure(`“${text.slice(0, 200)}” is not an address that begins with https://.`)
  if (url.username !== '' || url.password !== '') throw new NodeFailure('An address may not carry a user and password.')
  return url
}

function headersOf(
  raw: Record<string, string>,
  inputs: Record<string, unknown>,
  body: string | undefined,
): Record<string, string> {
  const filled = Object.entries(raw).map(([name, value]): [string, string] => [
    name.toLowerCase(),
    fillIn(value, inputs),
  ])
  for (const [name, value] of filled) {
    if (reserved.test(name)) throw new NodeFailure(`The header ${name} is not for a graph to set.`)
    if (/[^\t\x20-\x7e\x80-\xff]/.test(value))
      throw new NodeFailure(`The header ${name} has a value that no header can have.`)
  }
  const kind = body !== undefined && parse(body) !== undefined ? 'application/json' : 'text/plain; charset=utf-8'
  return { 'user-agent': 'Atelier', ...(body ? { 'content-type': kind } : {}), ...Object.fromEntries(filled) }
}

function refusalOf({ status, headers, body }: Sent, host: string, method: string): NodeFailure {
  const said = /^(?:text\/|application\/(?:problem\+)?json)/.test(headers['content-type'] ?? '')
    ? `: ${plainText(body.toString('utf8', 0, 1000), 300)}`
    : '.'
  const isPassing = method === 'GET' && (status === 429 || status >= 500)
  return new NodeFailure(
    `${host} answered ${status}${said}`,
    isPassing ? { again: { afterSeconds: retryAfter(headers, 15) } } : {},
  )
}

async function outputsOf({ status, headers, body }: Sent, files: NodeFiles): Promise<Record<string, unknown>> {
  const [kind = ''] = (headers['content-type'] ?? '').split(';', 1)
  const isJson = /[/+]json$/.test(kind)
  if (body.length === 0) return { status, text: '' }
  if (!isJson && !/^text\/|\/xml$|\+xml$|javascript$|x-www-form-urlencoded$/.test(kind)) {
    return {
      status,
      file: await files.write(body, /^[\w.+-]+\/[\w.+-]+$/.test(kind) ? kind : 'application/octet-stream'),
    }
  }
  if (body.length > limits.text)
    throw new NodeFailure(`The answer has ${body.length} bytes of text; ${limits.text} is the most.`)
  // The database cannot store the character U+0000, so U+FFFD takes its place.
  const text = body.toString('utf8').replaceAll('\0', '\ufffd')
  const data = isJson ? parseStorable(text) : undefined
  return data === undefined ? { status, text } : { status, text, data }
}
