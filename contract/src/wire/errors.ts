// In charge of every refusal that the API can return: code, status, title, and the schemas of error bodies.
import Type, { type TSchema } from 'typebox'
import { CreativeConflict } from '../creatives.ts'
import { Scope } from '../enums.ts'
import { MissingLabel } from '../marks.ts'
import { guestRefusals } from './guest-refusals.ts'
import { launchRefusals } from './launch-refusals.ts'
import { moneyRefusals } from './money-refusals.ts'
import { providerRefusals } from './provider-refusals.ts'
import { requestRefusals } from './request-refusals.ts'
import { reviewRefusals } from './review-refusals.ts'
import { type ErrorLoc, type ErrorWords, errorAt } from './validation-errors.ts'
import { workspaceRefusals } from './workspace-refusals.ts'

/** One entry in the body of a 422 response; types and messages are those of Pydantic v2. */
export const ValidationError = Type.Object(
  {
    type: Type.String({ description: 'Stable kind of the error, e.g. `missing`, `enum`, `extra_forbidden`.' }),
    loc: Type.Array(Type.Unsafe<string | number>({ type: ['string', 'integer'] }), {
      description:
        'Where: starts with `query`, `path`, `header` or `body`, or with `definition` for a definition that is kept here and broken; array positions are integers.',
    }),
    msg: Type.String({ description: 'What is wrong, in a sentence.' }),
    input: Type.Optional(Type.Unsafe<unknown>({ description: 'The value that was refused.' })),
    ctx: Type.Optional(
      Type.Record(Type.String(), Type.Unsafe<unknown>({}), { description: 'The limits behind `msg`.' }),
    ),
  },
  { $id: 'ValidationError', additionalProperties: false, description: 'One thing that is wrong with a request.' },
)
export type ValidationError = Type.Static<typeof ValidationError>

/** The texts of a refusal; `when` and `action` are sentences for the person or program that receives the refusal. */
type RefusalInfo = { status: number; title: string; when: string; action: string }

/**
 * All refusal codes. Clients should decide by `code`, never by a message.
 * `docs/errors.md` lists the codes too; a test compares that list with this one.
 */
export const refusals = {
  malformed_request: {
    status: 400,
    title: 'Malformed request',
    when: 'What arrived is not an HTTP request, or none that can be read; or it has no `Host`, or more than one.',
    action: 'Look at what the client, or a proxy on the way, sends. What is no HTTP request closes the connection.',
  },
  unauthenticated: {
    status: 401,
    title: 'Authentication required',
    when: 'The request carries no `Authorization` header.',
    action: 'Send `Authorization: Bearer <token>`.',
  },
  invalid_token: {
    status: 401,
    title: 'Invalid token',
    when: 'The token is unknown, revoked or expired, its person is deactivated, it is from before their access ended, or the header is not `Bearer <token>`.',
    action: 'Ask an admin for a new token, or sign in again. Repeating the request does not help.',
  },
  not_signed_in: {
    status: 401,
    title: 'Not signed in',
    when: 'The browser has no session, or it is over: signed out, expired, or its person is deactivated.',
    action: 'Sign in; `GET /session` says how.',
  },
  invalid_link: {
    status: 401,
    title: 'Link not valid',
    when: 'The signed link to a file has expired, was changed, or whoever asked for it has no access any more.',
    action: 'Ask for another: `POST /api/v1/files/links`.',
  },
  invalid_signature: {
    status: 401,
    title: 'Signature not valid',
    when: 'A webhook message carries no signature, or none that a secret of ours made over these bytes within five minutes.',
    action: 'Check the signing secret on both sides and the clock; the sender tries again by itself.',
  },
  insufficient_scope: {
    status: 403,
    title: 'Insufficient scope',
    when: 'The token, or the role of its person, lacks the scope the route needs.',
    action: 'Use a token that has `scope`; an admin can issue one.',
  },
  foreign_origin: {
    status: 403,
    title: 'Foreign origin',
    when: 'A request that goes by the session cookie does not say that it comes from a page of this service (`Origin`).',
    action:
      'Send it from the web app. Where that is what happened, the operator sets `PUBLIC_URL` to the address in the browser.',
  },
  not_owner: {
    status: 403,
    title: 'Only the owner may do this',
    when: 'The record belongs to someone else, and only its owner may do this.',
    action: 'Ask its owner, or an admin where the route says that an admin may.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    when: 'No record has this id, the caller may not know of it, or it was deleted longer ago than the retention window; or the bytes of a file are gone, which the detail says.',
    action: 'Check the id; drop the record from what you keep.',
  },
  route_not_found: {
    status: 404,
    title: 'No such route',
    when: 'The path is none of this API.',
    action: 'Compare the path with `GET /openapi.json`; every route of the API begins with `/api/v1`.',
  },
  retention_over: {
    status: 404,
    title: 'Retention window is over',
    when: 'The record was deleted longer ago than the retention window, so that it cannot be restored.',
    action: 'Create it anew. An operator can lengthen the window for later deletes with `ATELIER_RETENTION`.',
  },
  no_checkpoint: {
    status: 404,
    title: 'No checkpoint',
    when: 'The history of the graph or run does not reach back to the time that was asked for.',
    action: 'Take an `at` from its history, or a later time.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    when: 'The path exists, but not with this method.',
    action: 'Use one of the methods in the `Allow` header.',
  },
  request_timeout: {
    status: 408,
    title: 'Request timeout',
    when: 'The request did not arrive whole in time.',
    action: 'Send it again. The connection is closed.',
  },
  graph_deleted: {
    status: 409,
    title: 'Graph is deleted',
    when: 'The graph is deleted; while it is, it cannot be changed, forked or promoted to, and no run is made of it: no new one, no fork of an exported one that is started, no take for a comment. Its other runs can be started.',
    action: 'Its owner restores the graph, then repeat the request.',
  },
  run_busy: {
    status: 409,
    title: 'Run is busy',
    when: 'The run is queued or running, and what was asked needs it at rest.',
    action: 'Wait until it has come to rest, or cancel it.',
  },
  run_not_at_rest: {
    status: 409,
    title: 'Run is not at rest',
    when: 'The run has not come to rest yet: it is a draft, waits for an answer, or executes.',
    action: 'Start it, answer what it asks, or cancel it; then repeat the request.',
  },
  run_exported: {
    status: 409,
    title: 'Run has exported',
    when: 'The run put a file on a card; its definition, states and answers are the record of what made it.',
    action: 'Start it: that forks a run of its own, which can be changed.',
  },
  run_deleted: {
    status: 409,
    title: 'Run is deleted',
    when: 'The run is deleted, and what was asked needs it live.',
    action: 'Undelete it first.',
  },
  node_types_missing: {
    status: 409,
    title: 'Node types are missing',
    when: 'The run waits for a person, and nothing that runs here has all the node types it needs, in their versions. Nothing was changed.',
    action:
      'Change the definition of the run and start it, or start a version of the product that has them and answer again.',
  },
  take_outdated: {
    status: 409,
    title: 'Take is outdated',
    when: 'What the take was made of is another by now, or is not there, so that going back to it would pay for a new one. Nothing was changed.',
    action: 'Bring back what it was made of (a checkpoint of the run has it), or roll the node or item again.',
  },
  ...launchRefusals,
  ...moneyRefusals,
  ...providerRefusals,
  no_open_question: {
    status: 409,
    title: 'No open question',
    when: 'The gate does not ask anything now: it has been answered, its question was superseded, or it has not been reached.',
    action: 'Read the run again, and answer what its nodes ask.',
  },
  question_changed: {
    status: 409,
    title: 'Question changed',
    when: 'The answer names in `asked` the question that it is for, and the gate asks another by now: what it asks about was made anew, or has changed. Nothing was answered.',
    action: 'Read the run again, look at what the gate asks now, and answer that.',
  },
  creative_name_taken: {
    status: 409,
    title: 'Creative name taken',
    when: 'Another live creative has the name that this one would get, or had before its delete.',
    action:
      'Rename one of the two creatives that each of the `conflicts` names (a deleted one too), then repeat the request. Where `creative_id` is null the creative was to be created: choose another name.',
  },
  label_missing: {
    status: 409,
    title: 'Label missing',
    when: 'The task would be done, and creatives of it lack a visible label that its market demands on what models made (in a bulk change: told in `failed`).',
    action:
      'Say what each of the `creatives` shows, confirm the label that stands on it (`PATCH /creatives/{id}/marks`) or render it again with its market. An admin can let them pass with a reason (`POST /tasks/{id}/label-waiver`).',
  },
  task_deleted: {
    status: 409,
    title: 'Task is deleted',
    when: 'The task, or the task of the creative or comment, is deleted; while it is, nothing about it can change, except that launches are recorded and corrected.',
    action: 'Restore the task, then repeat the request.',
  },
  ...guestRefusals,
  ...reviewRefusals,
  creative_deleted: {
    status: 409,
    title: 'Creative is deleted',
    when: 'The creative is deleted, and the request would change more of it than its name.',
    action: 'Restore the creative, then repeat the request.',
  },
  ...workspaceRefusals,
  ...requestRefusals,
  internal_error: {
    status: 500,
    title: 'Internal error',
    when: 'Something failed here that should not have.',
    action: 'Report it with the request id; the log has the cause under the same id.',
  },
  database_unavailable: {
    status: 503,
    title: 'Database unavailable',
    when: 'The database cannot be reached, or takes no writes (its disk is full, or it only reads). Nothing was changed unless the connection broke while a write was committed.',
    action: 'Wait for `Retry-After` seconds and repeat; a write with an `Idempotency-Key` is safe to repeat.',
  },
  issuer_unavailable: {
    status: 503,
    title: 'Issuer unavailable',
    when: 'The issuer of access tokens cannot be asked for its keys, and the token needs one that is not known here.',
    action: 'Try again after `Retry-After`. Static tokens go on working; the operator looks at the issuer.',
  },
  webhook_not_configured: {
    status: 503,
    title: 'Webhook not configured',
    when: 'A webhook message arrived and no signing secret is set, so none can be trusted.',
    action: 'The operator sets `ATELIER_WEBHOOK_SECRETS`; the sender tries again by itself.',
  },
  overloaded: {
    status: 503,
    title: 'Temporarily overloaded',
    when: 'The database took too long over this, or too many requests are writing the same records.',
    action: 'Wait for `Retry-After` seconds and repeat; if it stays, ask for less at once.',
  },
  files_unavailable: {
    status: 503,
    title: 'Files unavailable',
    when: 'The place where files are kept cannot be written or read: a full disk, or object storage that is away.',
    action: 'Wait for `Retry-After` seconds and repeat. An operator finds the cause in the log.',
  },
  shutting_down: {
    status: 503,
    title: 'Shutting down',
    when: 'This process is being stopped and takes no more requests. Nothing was changed.',
    action: 'Wait for `Retry-After` seconds and repeat; another process will answer.',
  },
} as const satisfies Record<string, RefusalInfo>

export type RefusalCode = keyof typeof refusals

/** Members that the bodies of some refusals have in addition to the members of `Problem`. */
export const refusalMembers: Partial<Record<RefusalCode, Record<string, TSchema>>> = {
  insufficient_scope: { scope: Scope },
  creative_name_taken: {
    conflicts: Type.Array(CreativeConflict, {
      description: 'Every creative that lost its name, or would get one that is taken, and who has it.',
    }),
  },
  approval_needed: {
    digest: Type.String({ description: 'Of the run, what was asked and its plan.' }),
    most: Type.Integer({ description: 'What it may cost, in millionths.' }),
  },
  label_missing: {
    creatives: Type.Array(MissingLabel, { description: 'The labels that are missing, of 100 at most.' }),
  },
  precondition_failed: { etag: Type.String({ description: 'The ETag the record has now.', examples: ['"7"'] }) },
  body_too_large: { limit: Type.Integer({ description: 'Bytes a body may have on this route.' }) },
  file_too_large: { limit: Type.Integer({ description: 'Bytes a file may have.' }) },
  rate_limited: { retry_after: Type.Integer({ description: 'Seconds, as in the `Retry-After` header.' }) },
}

/** Problem details as in RFC 9457: the body of every error response except 422. */
export const Problem = Type.Object(
  {
    type: Type.String({ format: 'uri-reference', description: 'Where the code is explained.' }),
    title: Type.String({ description: 'The code in words.' }),
    status: Type.Integer({ description: 'The HTTP status.' }),
    detail: Type.String({ description: 'What happened and what to do, in a sentence.' }),
    instance: Type.String({ description: 'The path that was asked.' }),
    code: Type.String({ description: 'Stable, snake_case; switch on this.' }),
  },
  { $id: 'Problem', additionalProperties: true, description: 'RFC 9457 problem details: every error but 422.' },
)
export type Problem = Type.Static<typeof Problem>

export const HTTPValidationError = Type.Object(
  { detail: Type.Array(Type.Ref('ValidationError')) },
  {
    $id: 'HTTPValidationError',
    additionalProperties: false,
    description: 'All that is wrong with a request, at once.',
  },
)

/**
 * Thrown if a request is refused for any other reason than invalid values: because of a record's state, the caller's rights or an
 * overloaded server, for example. One handler turns this error into a response.
 */
export class Refusal extends Error {
  readonly code: RefusalCode
  readonly members: Record<string, unknown>
  /** `cause`: the original error, which is only logged. */
  constructor(code: RefusalCode, detail: string, members: Record<string, unknown> = {}, cause?: unknown) {
    super(detail, cause === undefined ? {} : { cause })
    this.code = code
    this.members = members
  }
}

/** Thrown if values in a request are invalid (status 422); contains all errors of the request at once. */
export class Invalid extends Error {
  readonly detail: ValidationError[]
  constructor(detail: ValidationError[]) {
    super(detail.map((e) => `${e.loc.join('.')}: ${e.msg}`).join('; '))
    this.detail = detail
  }
}

/** Creates the error for a request in which one value is refused. */
export const invalidAt = (loc: ErrorLoc, words: ErrorWords, input: unknown): Invalid =>
  new Invalid([errorAt(loc, words, input)])

/** The kinds of records that a request can name by id. */
export type Findable =
  | 'task'
  | 'template'
  | 'creative'
  | 'launch'
  | 'comment'
  | 'take'
  | 'graph'
  | 'run'
  | 'automation'
  | 'product'
  | 'provider'
  | 'person'
  | 'token'
  | 'budget'
  | 'approval'

/** Creates the refusal for an id that belongs to no record, or to a record that the caller may not see. */
export const notFound = (what: Findable, id: string): Refusal =>
  new Refusal('not_found', `There is no ${what} with the id ${id}.`)
