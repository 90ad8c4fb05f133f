// In charge of fuzzing a running service: random hostile requests to every route, drawn by a seed, and the rules that every
// response must follow.
import type { Vocabularies } from '@atelier/contract/vocabulary.ts'
import { documentOf } from '../document.ts'
import { randomNumbers } from '../random.ts'
import { type Operation, operationsOf } from './operations.ts'
import { createPool, type Pool } from './pool.ts'
import { type Credentials, drawRequest, type Request } from './requests.ts'
import { type Reply, type Send, sender } from './send.ts'

export type Fuzzing = {
  base: string
  vocabulary: Vocabularies
  credentials: Credentials
  /** Secrets that no response and no line of the log may contain. */
  secrets: readonly string[]
  /** Ids that no request uses: those of the users and tokens with which the fuzzer sends its requests. */
  spared: ReadonlySet<string>
  requests: number
  clients: number
  seed: number
}

export type FuzzReport = {
  sent: number
  statuses: Record<string, number>
  /** Operation id → how many of its requests succeeded. */
  succeeded: Map<string, number>
  violations: string[]
  /** Secrets that responses contained on purpose (new tokens, codes of sign-in links), and that must not appear in the log. */
  issued: string[]
  slowest: { ms: number; what: string }
  /** Growth of the heap in MB from before the first request to after the service's end, measured after garbage collections. */
  grownMb: number
}

/** No request except streams and uploads may take longer, except by chance on a busy machine (`judgeTime`). */
const longestMs = 2_000

export async function fuzz(fuzzing: Fuzzing): Promise<FuzzReport> {
  const { base, vocabulary, requests, clients, seed, spared } = fuzzing
  const operations = operationsOf(vocabulary)
  const report: FuzzReport = {
    ...{ sent: 0, statuses: {}, succeeded: new Map(operations.map(({ id }) => [id, 0])) },
    ...{ violations: [], issued: [], slowest: { ms: 0, what: '' }, grownMb: 0 },
  }
  const pool = createPool(spared)
  const { send, close } = sender(base)
  const client = async (number: number): Promise<void> => {
    const next = randomNumbers(seed * 1_000 + number)
    while (report.sent < requests) {
      const operation = chooseOperation(operations, report.sent, next)
      report.sent += 1
      const request = drawRequest(operation, { next, pool, credentials: fuzzing.credentials })
      await ask(fuzzing, { operation, request, send, pool, report })
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, number) => client(number)))
  close()
  return report
}

/** Operations that create records; without records most requests would refer to nothing. */
const makers = ['createTask', 'createCreative', 'createComment', 'createGraph', 'createRun', 'uploadFile', 'startRun']

/** A random operation; one that creates records is more likely, most of all at the beginning. */
function chooseOperation(operations: readonly Operation[], sent: number, next: () => number): Operation {
  const id = next() < (sent < 100 ? 0.7 : 0.2) ? makers[Math.floor(next() * makers.length)] : undefined
  const found = operations.find((one) => one.id === id) ?? operations[Math.floor(next() * operations.length)]
  if (!found) throw new Error('The document has no operations.')
  return found
}

type Asking = { operation: Operation; request: Request; send: Send; pool: Pool; report: FuzzReport }

async function ask(fuzzing: Fuzzing, asking: Asking): Promise<void> {
  const { operation, request, send, pool, report } = asking
  const what = `${request.method} ${request.path.slice(0, 300)} ${JSON.stringify(request.headers).slice(0, 600)} ${request.body.slice(0, 800)}`
  const violate = (why: string): void => {
    report.violations.push(`${why}\n    ${what}`)
  }
  try {
    const reply = await send(request, operation.kind === 'stream')
    const status = String(reply.status)
    report.statuses[status] = (report.statuses[status] ?? 0) + 1
    if (reply.status < 300) report.succeeded.set(operation.id, (report.succeeded.get(operation.id) ?? 0) + 1)
    for (const why of faultsOf(fuzzing, asking, reply)) violate(`${status}: ${why}: ${reply.text.slice(0, 500)}`)
    const body = parsed(reply)
    if (reply.status < 300) pool.remember(request.path.split('?', 1)[0] ?? '', reply.headers, body)
    noteIssued(report, operation, reply.text)
    await judgeTime(asking, reply, violate)
  } catch (error) {
    violate(`no answer: ${error instanceof Error ? error.message : error}`)
  }
}

const isJson = ({ headers }: Reply): boolean => /json/.test(headers['content-type'] ?? '')

function parsed(reply: Reply): unknown {
  try {
    return isJson(reply) && reply.text !== '' ? JSON.parse(reply.text) : null
  } catch {
    return null
  }
}

/** Internal details that no response may show: places in the code, and error messages of the database. */
const inner =
  /\bat [^\s]+ \(?(?:file:|\/)|node_modules|\.ts:\d+|syntax error at or near|violates \w+(?: \w+)? constraint|relation "\w+"/

function faultsOf(fuzzing: Fuzzing, { operation, request }: Asking, reply: Reply): string[] {
  const { status, headers, text } = reply
  const isFile = operation.id === 'getFile' && status < 300
  const faults: string[] = []
  if (status >= 500 && !(status === 503 && headers['retry-after'])) faults.push('a server error')
  if (!isFile && operation.kind !== 'page') faults.push(...faultsOfForm(fuzzing, operation, request, reply))
  const mayTell = operation.id === 'createToken' || operation.id === 'createSignInLink' || isFile
  if (!mayTell && fuzzing.secrets.some((secret) => text.includes(secret))) faults.push('a secret in an answer')
  return faults
}

function faultsOfForm({ vocabulary }: Fuzzing, operation: Operation, request: Request, reply: Reply): string[] {
  const { status, headers, text } = reply
  const type = headers['content-type'] ?? ''
  const faults: string[] = []
  if (
    status === 422
      ? !type.startsWith('application/json')
      : status >= 400 && !type.startsWith('application/problem+json')
  )
    faults.push(`a refusal as ${type}`)
  if (status === 422 && request.method !== 'HEAD' && !Array.isArray(Object(parsed(reply)).detail))
    faults.push('a 422 of another form')
  if (inner.test(text) && operation.id !== 'openapi') faults.push('something of our inside')
  const isDescribed = request.method === operation.method && operation.kind === 'plain'
  return isDescribed ? [...faults, ...offDocument(vocabulary, request, reply)] : faults
}

function offDocument(vocabulary: Vocabularies, { method, path }: Request, reply: Reply): string[] {
  if (reply.status === 304 || reply.status === 431) return []
  const type = reply.headers['content-type'] ?? ''
  try {
    documentOf(vocabulary).check({ ...{ method, path, status: reply.status, type, sent: null }, body: parsed(reply) })
    return []
  } catch (error) {
    return [error instanceof Error ? error.message.slice(0, 600) : String(error)]
  }
}

function noteIssued(report: FuzzReport, { id }: Operation, text: string): void {
  if (id !== 'createToken' && id !== 'createSignInLink') return
  const found = /"token":"([^"]{20,})"|[?&]code=([\w-]{16,})/.exec(text)
  const secret = found?.[1] ?? found?.[2]
  if (secret !== undefined) report.issued.push(secret)
}

/** On a busy machine one request may be slow; only a request that is slow each time it is repeated is a fault. */
async function judgeTime({ operation, request, send, report }: Asking, reply: Reply, violate: (why: string) => void) {
  if (operation.kind === 'stream' || operation.kind === 'upload') return
  let { ms } = reply
  for (let again = 0; again < 3 && ms > longestMs; again += 1) {
    ms = Math.min(ms, (await send(request, false)).ms)
  }
  if (ms > report.slowest.ms) report.slowest = { ms, what: `${operation.id} ${request.path.slice(0, 100)}` }
  if (ms > longestMs) violate(`took ${Math.round(ms)} ms, three times`)
}
