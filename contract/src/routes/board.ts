// In charge of the routes for the board: the feeds of cards, the columns, and the fields by which feeds can be filtered and sorted.
import Type from 'typebox'
import { TaskStatus } from '../enums.ts'
import { examples } from '../examples/examples.ts'
import { TasksBoardPage } from '../tasks.ts'
import { pageSizes } from '../wire/envelope.ts'
import { Closed } from '../wire/schema.ts'
import { Column, TaskSchema } from '../workspace.ts'
import { cursor, limit, route } from './building.ts'
import type { Route } from './route.ts'

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
      maxLength: 1000,
      description: '`{"field", "direction"}` as JSON; direction 1 or -1. Nulls come last both ways.',
      examples: ['{"field":"deadline_at","direction":1}'],
    }),
  ),
  limit: limit(pageSizes.feed),
  cursor,
  search: Type.Optional(
    Type.String({
      maxLength: 255,
      description: 'Case-insensitive part of name or generated_name; a term of only digits is the task number.',
    }),
  ),
}

export const boardRoutes = {
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
} as const satisfies Record<string, Route>
