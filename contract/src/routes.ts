// In charge of the whole API on one page: every route, who may call it, what it takes, answers and refuses.
// (over 400 lines because the whole API is read on one page)
import Type, { type TSchema } from 'typebox'
import { Creative, CreativeCreate, CreativeLookupResult, CreativePatch } from './creatives.ts'
import { TaskStatus } from './enums.ts'
import { Envelope, Page } from './envelope.ts'
import { examplePage, examples } from './examples.ts'
import { CreativeLaunches, CreativeLaunchResult, CreativeLookup, PackLaunches, PackLaunchResult } from './launches.ts'
import type { Route } from './route.ts'
import { Closed, Id } from './schema.ts'
import { BulkPatch, BulkResult, Task, TaskCreate, TaskPatch, TasksBoardPage, TaskWithIncludes } from './tasks.ts'
import {
  Activity,
  Caller,
  Column,
  Comment,
  CommentWrite,
  IssuedToken,
  Product,
  ProductCreate,
  ProductPatch,
  TaskSchema,
  Token,
  TokenCreate,
  User,
  UserCreate,
  UserPatch,
} from './workspace.ts'

/** The groups that routes are documented in, in their order. */
export const tags = {
  Board: 'The feeds the board is drawn from, its columns, and what can be filtered and sorted.',
  Tasks: 'The work: creating, changing, deleting and restoring tasks.',
  'Comments and activity': 'What people say about a task, and who did what to it.',
  Creatives: 'The advertising assets that tasks produce; the names of live ones are unique.',
  'Launches and lookup': 'For other systems: what went live under which campaign id, and what a creative is.',
  People: 'Who works here, and who a token speaks for.',
  Products: 'What is advertised; a product stands in the names of its tasks.',
  Tokens: 'Static bearer tokens for people and integrations.',
  Service: 'For operators and for those who write clients. No token needed.',
} as const

const None = Closed({})
type Required = Pick<Route, 'id' | 'method' | 'path' | 'tag' | 'summary' | 'description' | 'access'>

/** Fills a route's silent members: no parameters, no body, 200 in the envelope, nothing more refused. */
function route<
  P extends TSchema = typeof None,
  Q extends TSchema = typeof None,
  B extends TSchema = never,
  D extends TSchema = TSchema,
>(
  given: Required & { data: D; params?: P; query?: Q; body?: B } & Partial<
      Omit<Route, 'params' | 'query' | 'body' | 'data'>
    >,
) {
  return {
    effect: given.method === 'GET' ? ('read' as const) : ('write' as const),
    bodyOptional: false,
    status: 200 as const,
    framing: 'envelope' as const,
    refuses: [],
    idempotent: false,
    tagged: false,
    examples: {},
    ...given,
    params: given.params ?? None,
    query: given.query ?? None,
    body: given.body ?? null,
  } as Omit<Route, 'params' | 'query' | 'body' | 'data'> & {
    // The defaults above are what the type parameters default to; spreading optional members loses that.
    params: P
    query: Q
    body: [B] extends [never] ? null : B
    data: D
  }
}

const limit = (fallback: number) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: fallback, description: 'Rows to a page.' }))
const cursor = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 2000,
    description:
      'Opaque keyset cursor: `meta.next_cursor` of the previous page. Good only with the same route, filter, sort and search.',
  }),
)
const feedQuery = {
  query: Type.Optional(
    Type.String({
      description:
        'A rule group as react-querybuilder writes it, as JSON: at most 16 KB, 5 levels, 50 rules. Fields and operators: `GET /tasks/schema`.',
      examples: ['{"combinator":"and","rules":[{"field":"priority","operator":"<=","value":2}]}'],
    }),
  ),
  sort: Type.Optional(
    Type.String({
      description: '`{"field", "direction"}` as JSON; direction 1 or -1. Nulls come last both ways.',
      examples: ['{"field":"deadline_at","direction":1}'],
    }),
  ),
  limit: limit(24),
  cursor,
  search: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'Case-insensitive part of name or generated_name; a term of only digits is the task number.',
    }),
  ),
}
const listQuery = Closed({ limit: limit(50), cursor })
const taskId = Closed({ task_id: Id({ description: 'Task id.' }) })
const creativeId = Closed({ creative_id: Id({ description: 'Creative id.' }) })
const commentId = Closed({ comment_id: Id({ description: 'Comment id.' }) })
const NoData = Type.Null()

export const routes = {
  tasksBoard: route({
    id: 'tasksBoard',
    method: 'GET',
    path: '/api/v1/tasks/board',
    tag: 'Board',
    summary: 'A page of the board',
    description: 'Live tasks of one column, or of all, as cards. Newest first unless sorted otherwise.',
    access: 'read',
    query: Closed({ status: Type.Optional(TaskStatus), ...feedQuery }),
    data: TasksBoardPage,
    examples: { data: examples.boardPage },
  }),
  tasksDeleted: route({
    id: 'tasksDeleted',
    method: 'GET',
    path: '/api/v1/tasks/deleted',
    tag: 'Board',
    summary: "A page of the board's Deleted column",
    description: 'Soft-deleted tasks still inside the retention window, newest first, in the shape of the board feed.',
    access: 'read',
    query: Closed(feedQuery),
    data: TasksBoardPage,
  }),
  tasksColumns: route({
    id: 'tasksColumns',
    method: 'GET',
    path: '/api/v1/tasks/columns',
    tag: 'Board',
    summary: 'The seven columns, in order',
    description:
      'Status, label, workflow group and number of tasks of each. Deleted is not a status and not among them.',
    access: 'read',
    data: Type.Array(Column),
    examples: { data: [{ status: 'backlog', label: 'Backlog', group: 'todo', total: 1 }] },
  }),
  tasksSchema: route({
    id: 'tasksSchema',
    method: 'GET',
    path: '/api/v1/tasks/schema',
    tag: 'Board',
    summary: 'Filter, sort and status schemas',
    description:
      'Fields with types and operators, sort fields, statuses, vocabularies with labels, the retention window.',
    access: 'read',
    data: TaskSchema,
  }),
  createTask: route({
    id: 'createTask',
    method: 'POST',
    path: '/api/v1/tasks',
    tag: 'Tasks',
    summary: 'Create a task',
    description: 'Everything but `name` is optional.',
    access: 'tasks:write',
    body: TaskCreate,
    data: Task,
    idempotent: true,
    tagged: true,
    examples: {
      body: { name: 'Glow serum, summer hooks', language: 'en-GB', count: 2, priority: 2 },
      data: examples.task,
    },
  }),
  getTask: route({
    id: 'getTask',
    method: 'GET',
    path: '/api/v1/tasks/{task_id}',
    tag: 'Tasks',
    summary: 'The full record of a task',
    description:
      'With `included=true`: `{task, included}` with its people, product, lineage and own creatives. A deleted task is readable while its retention window lasts.',
    access: 'read',
    params: taskId,
    query: Closed({
      included: Type.Optional(Type.Boolean({ default: false, description: 'Also what the task refers to.' })),
    }),
    data: Type.Unsafe<unknown>({ anyOf: [Task, TaskWithIncludes] }),
    tagged: true,
    examples: { data: examples.task },
  }),
  patchTask: route({
    id: 'patchTask',
    method: 'PATCH',
    path: '/api/v1/tasks/{task_id}',
    tag: 'Tasks',
    summary: 'Change a task',
    description: 'Members left out stay; null clears a nullable member. Any status may follow any other.',
    access: 'tasks:write',
    params: taskId,
    body: TaskPatch,
    data: Task,
    refuses: ['task_deleted'],
    tagged: true,
    examples: { body: { status: 'in_progress', task_owner_id: null }, data: examples.task },
  }),
  deleteTask: route({
    id: 'deleteTask',
    method: 'DELETE',
    path: '/api/v1/tasks/{task_id}',
    tag: 'Tasks',
    summary: 'Delete a task, restorably',
    description: 'Takes its live creatives with it and frees their names. Deleting again answers the same.',
    access: 'tasks:write',
    params: taskId,
    data: Task,
    tagged: true,
    examples: { data: { ...examples.task, deleted_at: '2026-03-04T12:00:00.000Z' } },
  }),
  restoreTask: route({
    id: 'restoreTask',
    method: 'POST',
    path: '/api/v1/tasks/{task_id}/restore',
    tag: 'Tasks',
    summary: 'Undo a delete',
    description:
      'Inside the retention window the task returns to the status it held, with exactly the creatives that delete took down. 409 names every creative whose name was taken meanwhile. A live task is answered as it is.',
    access: 'tasks:write',
    params: taskId,
    data: Task,
    refuses: ['creative_name_taken', 'retention_over'],
    tagged: true,
    examples: { data: examples.task },
  }),
  bulkPatchTasks: route({
    id: 'bulkPatchTasks',
    method: 'POST',
    path: '/api/v1/tasks/bulk',
    tag: 'Tasks',
    summary: 'Change up to 100 tasks alike',
    description: 'Tasks that cannot take the patch are told in `failed`; the others are changed.',
    access: 'tasks:write',
    body: BulkPatch,
    data: BulkResult,
    idempotent: true,
    examples: {
      body: { ids: [examples.ids.task], patch: { status: 'in_progress' } },
      data: { updated: [examples.task], failed: [] },
    },
  }),
  listComments: route({
    id: 'listComments',
    method: 'GET',
    path: '/api/v1/tasks/{task_id}/comments',
    tag: 'Comments and activity',
    summary: 'Comments of a task',
    description: 'Oldest first.',
    access: 'read',
    params: taskId,
    query: listQuery,
    data: Page(Comment),
    examples: { data: examplePage(examples.comment) },
  }),
  createComment: route({
    id: 'createComment',
    method: 'POST',
    path: '/api/v1/tasks/{task_id}/comments',
    tag: 'Comments and activity',
    summary: 'Comment on a task',
    description: 'Plain text.',
    access: 'tasks:write',
    params: taskId,
    body: CommentWrite,
    data: Comment,
    refuses: ['task_deleted'],
    idempotent: true,
    examples: { body: { text: 'The second hook reads better.' }, data: examples.comment },
  }),
  patchComment: route({
    id: 'patchComment',
    method: 'PATCH',
    path: '/api/v1/comments/{comment_id}',
    tag: 'Comments and activity',
    summary: 'Change a comment',
    description: 'Its author only.',
    access: 'tasks:write',
    params: commentId,
    body: CommentWrite,
    data: Comment,
    refuses: ['not_owner', 'task_deleted'],
    examples: {
      body: { text: 'The first hook reads better.' },
      data: { ...examples.comment, text: 'The first hook reads better.' },
    },
  }),
  deleteComment: route({
    id: 'deleteComment',
    method: 'DELETE',
    path: '/api/v1/comments/{comment_id}',
    tag: 'Comments and activity',
    summary: 'Delete a comment',
    description: 'Its author, or an admin.',
    access: 'tasks:write',
    params: commentId,
    data: NoData,
    refuses: ['not_owner', 'task_deleted'],
    examples: { data: null },
  }),
  listActivity: route({
    id: 'listActivity',
    method: 'GET',
    path: '/api/v1/tasks/{task_id}/activity',
    tag: 'Comments and activity',
    summary: 'Who did what to a task, when',
    description: 'Newest first.',
    access: 'read',
    params: taskId,
    query: listQuery,
    data: Page(Activity),
    examples: { data: examplePage(examples.activity) },
  }),
  listCreatives: route({
    id: 'listCreatives',
    method: 'GET',
    path: '/api/v1/tasks/{task_id}/creatives',
    tag: 'Creatives',
    summary: 'Creatives of a task',
    description: 'By name. Of a deleted task: those its restore would bring back.',
    access: 'read',
    params: taskId,
    query: listQuery,
    data: Page(Creative),
    examples: { data: examplePage(examples.creative) },
  }),
  createCreative: route({
    id: 'createCreative',
    method: 'POST',
    path: '/api/v1/tasks/{task_id}/creatives',
    tag: 'Creatives',
    summary: 'Put a creative on a task',
    description: 'Without `name` it gets the next canonical one.',
    access: 'tasks:write',
    params: taskId,
    body: CreativeCreate,
    bodyOptional: true,
    data: Creative,
    refuses: ['task_deleted', 'creative_name_taken'],
    idempotent: true,
    tagged: true,
    examples: { body: { variation_num: 1 }, data: examples.creative },
  }),
  getCreative: route({
    id: 'getCreative',
    method: 'GET',
    path: '/api/v1/creatives/{creative_id}',
    tag: 'Creatives',
    summary: 'A creative',
    description: 'Deleted ones are readable while their retention window lasts.',
    access: 'read',
    params: creativeId,
    data: Creative,
    tagged: true,
    examples: { data: examples.creative },
  }),
  patchCreative: route({
    id: 'patchCreative',
    method: 'PATCH',
    path: '/api/v1/creatives/{creative_id}',
    tag: 'Creatives',
    summary: 'Change a creative',
    description:
      'Of a deleted creative only `name` may change: that resolves a conflict which keeps its task from being restored.',
    access: 'tasks:write',
    params: creativeId,
    body: CreativePatch,
    data: Creative,
    refuses: ['task_deleted', 'creative_deleted', 'creative_name_taken'],
    tagged: true,
    examples: { body: { name: 'T42_Glow_V1_01_b' }, data: { ...examples.creative, name: 'T42_Glow_V1_01_b' } },
  }),
  deleteCreative: route({
    id: 'deleteCreative',
    method: 'DELETE',
    path: '/api/v1/creatives/{creative_id}',
    tag: 'Creatives',
    summary: 'Delete a creative, restorably',
    description: 'Frees its name. A later delete and restore of its task leave it deleted.',
    access: 'tasks:write',
    params: creativeId,
    data: Creative,
    refuses: ['task_deleted'],
    tagged: true,
    examples: { data: { ...examples.creative, deleted_at: '2026-03-04T12:00:00.000Z' } },
  }),
  restoreCreative: route({
    id: 'restoreCreative',
    method: 'POST',
    path: '/api/v1/creatives/{creative_id}/restore',
    tag: 'Creatives',
    summary: 'Undo the delete of a creative',
    description: 'Inside the retention window, and only while its task is live. A live creative is answered as it is.',
    access: 'tasks:write',
    params: creativeId,
    data: Creative,
    refuses: ['task_deleted', 'creative_name_taken', 'retention_over'],
    tagged: true,
    examples: { data: examples.creative },
  }),
  recordCreativeLaunches: route({
    id: 'recordCreativeLaunches',
    method: 'POST',
    path: '/api/v1/integrations/creative-tests/creatives/launches',
    tag: 'Launches and lookup',
    summary: 'Record that creatives went live',
    description:
      'A row for each entry, in order. Repeatable: a launch that is there already is not added again. A name no live creative has keeps its launch until one gets it.',
    access: 'launches:write',
    body: CreativeLaunches,
    data: Type.Array(CreativeLaunchResult),
    idempotent: true,
    examples: {
      body: { launches: [{ name: examples.creative.name, ad_id: '23852150404470549' }] },
      data: [
        {
          name: examples.creative.name,
          ad_id: '23852150404470549',
          creative_id: examples.ids.creative,
          recorded: true,
        },
      ],
    },
  }),
  recordPackLaunches: route({
    id: 'recordPackLaunches',
    method: 'POST',
    path: '/api/v1/integrations/creative-tests/packs/launches',
    tag: 'Launches and lookup',
    summary: 'Record that packs went live',
    description:
      'A pack is a task seen as the set of creatives it launches together. Sets the `ad_id` of the task, and of its creatives that have no launch of their own. Repeatable.',
    access: 'launches:write',
    body: PackLaunches,
    data: Type.Array(PackLaunchResult),
    idempotent: true,
    examples: {
      body: { launches: [{ task_id: examples.ids.task, ad_id: '23852150404470549' }] },
      data: [
        {
          task_id: examples.ids.task,
          ad_id: '23852150404470549',
          creative_ids: [examples.ids.creative],
          recorded: true,
        },
      ],
    },
  }),
  lookupCreatives: route({
    id: 'lookupCreatives',
    method: 'POST',
    path: '/api/v1/integrations/creative-tests/creatives/lookup',
    tag: 'Launches and lookup',
    summary: 'What creatives are, by name or campaign id',
    description:
      'A bare array with one row for each handle, in the order asked: names first, then ad_ids. A handle that nothing carries has an empty `creatives`. Only live creatives resolve: a name exactly, an ad_id to every creative whose own launch or whose pack’s launch ever carried it, oldest first.',
    access: 'creatives:lookup',
    effect: 'read',
    framing: 'bare',
    body: CreativeLookup,
    data: Type.Array(CreativeLookupResult),
    examples: {
      body: { names: [examples.creative.name], ad_ids: ['23852150404470549'] },
      data: [{ query: examples.creative.name, handle: 'name', creatives: [] }],
    },
  }),
  listUsers: route({
    id: 'listUsers',
    method: 'GET',
    path: '/api/v1/users',
    tag: 'People',
    summary: 'People of the workspace',
    description: 'By name; people without one last.',
    access: 'read',
    query: listQuery,
    data: Page(User),
    examples: { data: examplePage(examples.user) },
  }),
  createUser: route({
    id: 'createUser',
    method: 'POST',
    path: '/api/v1/users',
    tag: 'People',
    summary: 'Add a person',
    description: 'Without any identity provider; `POST /tokens` with the `user_id` gives access.',
    access: 'admin',
    body: UserCreate,
    data: User,
    idempotent: true,
    examples: { body: { name: examples.user.name, role: 'writer' }, data: examples.user },
  }),
  patchUser: route({
    id: 'patchUser',
    method: 'PATCH',
    path: '/api/v1/users/{user_id}',
    tag: 'People',
    summary: 'Change a person: name, role, active',
    description:
      'A role chosen here outlives what an identity provider says. Deactivating ends every access at once; rows keep the person. The last active admin stays one.',
    access: 'admin',
    params: Closed({ user_id: Id({ description: 'Person id.' }) }),
    body: UserPatch,
    data: User,
    refuses: ['last_admin'],
    examples: { body: { active: false }, data: { ...examples.user, active: false } },
  }),
  getCaller: route({
    id: 'getCaller',
    method: 'GET',
    path: '/api/v1/users/me',
    tag: 'People',
    summary: 'Who this token speaks for',
    description: 'The person or integration, and what it may do.',
    access: 'read',
    data: Caller,
    examples: {
      data: { kind: 'person', name: examples.user.name, user: examples.user, scopes: ['read', 'tasks:write'] },
    },
  }),
  listProducts: route({
    id: 'listProducts',
    method: 'GET',
    path: '/api/v1/products',
    tag: 'Products',
    summary: 'Products',
    description: 'By name.',
    access: 'read',
    query: listQuery,
    data: Page(Product),
    examples: { data: examplePage(examples.product) },
  }),
  createProduct: route({
    id: 'createProduct',
    method: 'POST',
    path: '/api/v1/products',
    tag: 'Products',
    summary: 'Add a product',
    description: 'Its `code` stands in names; made from the name unless given.',
    access: 'tasks:write',
    body: ProductCreate,
    data: Product,
    refuses: ['product_exists'],
    idempotent: true,
    examples: { body: { name: 'Glow Serum' }, data: examples.product },
  }),
  patchProduct: route({
    id: 'patchProduct',
    method: 'PATCH',
    path: '/api/v1/products/{product_id}',
    tag: 'Products',
    summary: 'Rename a product',
    description: 'Names built from its code stay as they are.',
    access: 'tasks:write',
    params: Closed({ product_id: Id({ description: 'Product id.' }) }),
    body: ProductPatch,
    data: Product,
    refuses: ['product_exists'],
    examples: { body: { name: 'Glow Serum' }, data: examples.product },
  }),
  listTokens: route({
    id: 'listTokens',
    method: 'GET',
    path: '/api/v1/tokens',
    tag: 'Tokens',
    summary: 'Static tokens',
    description: 'Your own; an admin sees all. Never the token itself.',
    access: 'read',
    query: listQuery,
    data: Page(Token),
    examples: { data: examplePage(examples.token) },
  }),
  createToken: route({
    id: 'createToken',
    method: 'POST',
    path: '/api/v1/tokens',
    tag: 'Tokens',
    summary: 'Issue a static token',
    description: 'For a person (`user_id`) or, without one, for an integration. Shown once.',
    access: 'admin',
    body: TokenCreate,
    data: IssuedToken,
    examples: {
      body: { name: 'Ad platform', scopes: ['creatives:lookup'] },
      data: { ...examples.token, last_used_at: null, token: 'atl_…' },
    },
  }),
  revokeToken: route({
    id: 'revokeToken',
    method: 'DELETE',
    path: '/api/v1/tokens/{token_id}',
    tag: 'Tokens',
    summary: 'Revoke a token',
    description: 'At once, on every process. Your own, or any as an admin. Again: the same answer.',
    access: 'read',
    params: Closed({ token_id: Id({ description: 'Token id.' }) }),
    data: Token,
    examples: { data: { ...examples.token, revoked_at: '2026-03-04T12:00:00.000Z' } },
  }),
} as const satisfies Record<string, Route>

export type RouteName = keyof typeof routes

/** The schema of a route's successful body, envelope included; null where there is none. */
export function answerSchema(route: Route): TSchema | null {
  if (route.framing === 'empty') return null
  return route.framing === 'envelope' ? Envelope(route.data) : route.data
}
