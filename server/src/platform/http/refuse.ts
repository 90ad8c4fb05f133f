// In charge of every unsuccessful response: a refusal as problem+json, invalid input as a 422, a bug as a 500 with the request id.
import { Invalid, invalidAt, Refusal, refusals } from '@atelier/contract/wire/errors.ts'
import { valueError } from '@atelier/contract/wire/validation-errors.ts'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { unavailable } from '../availability.ts'
import { isHangUp, isOverloaded, isUnavailable } from '../db.ts'

/** How many seconds a client should wait before it tries again, for some refusals. */
const retryAfterSeconds: Partial<Record<Refusal['code'], number>> = {
  database_unavailable: 2,
  overloaded: 1,
  shutting_down: 5,
  issuer_unavailable: 5,
  webhook_not_configured: 300,
  files_unavailable: 5,
}

/**
 * Turns anything that was thrown into a refusal or a list of input errors; null means that it was a bug. `bodyLimit`: how many bytes
 * a body may have on the route; it is told to who sent more.
 */
export function classify(error: unknown, bodyLimit?: BodyLimit): Refusal | Invalid | null {
  if (error instanceof Refusal || error instanceof Invalid) return error
  // The client has disconnected and cannot read this response, which only keeps the log from reporting a bug or an outage.
  if (isHangUp(error)) return bodyError('the body is shorter or longer than Content-Length says')
  if (isUnavailable(error)) return unavailable(error)
  if (isOverloaded(error)) {
    return new Refusal('overloaded', 'The database took too long over this; try again in a moment.')
  }
  return isOfFastify(error) ? ofFastify(error, bodyLimit) : null
}

/** Whether an error was made by Fastify itself. */
export const isOfFastify = (error: unknown): error is FastifyError =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('FST_')

function ofFastify(error: FastifyError, bodyLimit: BodyLimit | undefined): Refusal | Invalid | null {
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return bodyTooLarge(bodyLimit)
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
    case 'FST_ERR_CTP_EMPTY_TYPE':
      return new Refusal('unsupported_media_type', 'Send the body as Content-Type: application/json.')
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return bodyError('the body is shorter or longer than Content-Length says')
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new Refusal('not_found', 'There is nothing with an id as long as this.')
    case 'FST_ERR_BAD_URL':
      return invalidAt(['path'], valueError('the path is not valid percent-encoded UTF-8'), null)
    default:
      return ofStatus(error)
  }
}

/** What Fastify holds against the request is never a bug, also where a later version of it finds something new. */
function ofStatus({ statusCode = 500, message }: FastifyError): Refusal | null {
  return statusCode >= 400 && statusCode < 500 ? new Refusal('malformed_request', message) : null
}

/** How many bytes a body may have on a route, and what sent that many: an operator sets the limit of JSON, and none of a form. */
type BodyLimit = { bytes: number; isForm: boolean }

function bodyTooLarge(limit: BodyLimit | undefined): Refusal {
  if (limit === undefined) return new Refusal('body_too_large', 'The body is larger than is taken here.')
  const { bytes, isForm } = limit
  const most = isForm
    ? `A form may have ${bytes} bytes at most here.`
    : `A body may have ${bytes} bytes at most here (ATELIER_BODY_LIMIT).`
  return new Refusal('body_too_large', most, { limit: bytes })
}

/** The limit of a route is one for JSON, or for the form that it takes. Bodies of other types have their own. */
function bodyLimitOf({ headers, routeOptions }: FastifyRequest): BodyLimit | undefined {
  const type = headers['content-type']?.toLowerCase() ?? ''
  const isForm = type.includes('x-www-form-urlencoded')
  const bytes = isForm || type.includes('json') ? routeOptions.bodyLimit : undefined
  return bytes === undefined ? undefined : { bytes, isForm }
}

const bodyError = (why: string): Invalid => invalidAt(['body'], valueError(why), null)

/** Sends the response for anything that was thrown. */
export function refuse(error: unknown, request: FastifyRequest, reply: FastifyReply, challenge: string): FastifyReply {
  const known = classify(error, bodyLimitOf(request))
  if (known instanceof Invalid) {
    return reply
      .status(422)
      .type('application/json')
      .send(JSON.stringify({ detail: known.detail.map((error) => ({ ...error, input: error.input ?? null })) }))
  }
  if (known?.cause !== undefined) request.log.error({ err: known.cause }, known.message)
  if (known === null) request.log.error({ err: error }, 'a bug: this request ended in a 500')
  const refusal =
    known ??
    new Refusal('internal_error', `Something went wrong here. The log has it under the request id ${request.id}.`)
  return sendProblem(refusal, request, reply, challenge)
}

function sendProblem(refusal: Refusal, request: FastifyRequest, reply: FastifyReply, challenge: string): FastifyReply {
  const { status } = refusals[refusal.code]
  if (status === 401 || status === 403) reply.header('www-authenticate', challengeFor(refusal, challenge))
  const wait = refusal.members.retry_after ?? retryAfterSeconds[refusal.code]
  if (wait !== undefined) reply.header('retry-after', String(wait))
  const body = problemOf(refusal, request.url.split('?', 1)[0] ?? '')
  return reply.status(status).type('application/problem+json').send(JSON.stringify(body))
}

/** Returns the problem details (RFC 9457) of a refusal; `instance` is the path of the request. */
export function problemOf(refusal: Refusal, instance: string): Record<string, unknown> {
  const { status, title } = refusals[refusal.code]
  const { code, message: detail, members } = refusal
  return { type: `/docs/errors#${code}`, title, status, detail, instance, code, ...members }
}

/**
 * The text in the characters that RFC 6750 allows in an `error_description`. It may quote a token, so it may contain any others, and
 * may be longer than a header can be.
 */
const describable = (text: string): string =>
  text
    .slice(0, 200)
    .replaceAll('"', "'")
    .replace(/[^\x20-\x5b\x5d-\x7e]/g, '?')

/** Returns the `WWW-Authenticate` header, without an error code if the request had no credentials (RFC 6750 §3). */
function challengeFor(refusal: Refusal, challenge: string): string {
  switch (refusal.code) {
    case 'invalid_token':
      return `${challenge}, error="invalid_token", error_description="${describable(refusal.message)}"`
    case 'insufficient_scope':
      return `${challenge}, error="insufficient_scope", scope="${refusal.members.scope}"`
    default:
      return challenge
  }
}
