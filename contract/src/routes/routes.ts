// In charge of the table of all API routes: access, request, response and refusals of each. `docs/routes.md` lists the routes.
import type { TSchema } from 'typebox'
import { Envelope } from '../wire/envelope.ts'
import { automationsRoutes } from './automations.ts'
import { boardRoutes } from './board.ts'
import { creativesRoutes } from './creatives.ts'
import { filesRoutes } from './files.ts'
import { graphsRoutes } from './graphs.ts'
import { guestsRoutes } from './guests.ts'
import { moneyRoutes } from './money.ts'
import { noticesRoutes } from './notices.ts'
import { providersRoutes } from './providers.ts'
import { reviewRoutes } from './review.ts'
import type { Route } from './route.ts'
import { runRecordRoutes } from './run-record.ts'
import { runsRoutes } from './runs.ts'
import { taskTemplatesRoutes } from './task-templates.ts'
import { tasksRoutes } from './tasks.ts'
import { workspaceRoutes } from './workspace.ts'

export const tags = {
  Board: 'The feeds the board is drawn from, its columns, and what can be filtered and sorted.',
  Tasks: 'The work: creating, changing, deleting and restoring tasks.',
  'Comments and activity': 'What people say about a task, and who did what to it.',
  Creatives: 'The advertising assets that tasks produce; the names of live ones are unique.',
  Review: 'Versions of the files of creatives, what is said of them, and who accepts them.',
  Guests: 'Links to creatives for people without an account, and what those may see, say and decide.',
  Files: 'What creatives are made of: content-addressed and immutable. One that nothing refers to goes after 48 hours.',
  Graphs: 'What runs are started from: definitions of nodes and edges, their history, and the node types there are.',
  Runs: 'Instances of graphs: executed, answered, rolled again, rewound, put on cards, and promoted back.',
  Notices: 'What the caller is to know: gates that wait, mentions, decisions asked, failed runs, deadlines.',
  Live: 'What changes while one looks at it.',
  'Launches and lookup': 'For other systems: what went live under which campaign id, and what a creative is.',
  Automations:
    'What happens by itself when a task enters a status: a graph runs for it, files land on its card, it moves on.',
  Money: 'What runs may cost, who approves dear ones, and what was spent.',
  Providers: 'Whose models nodes ask, and the keys that admins give for them.',
  People: 'Who works here, and who a token speaks for.',
  Products: 'What is advertised; a product stands in the names of its tasks.',
  Tokens: 'Static bearer tokens for people and integrations.',
  Service: 'For operators and for those who write clients. No token needed.',
} as const

export const routes = {
  ...boardRoutes,
  ...tasksRoutes,
  ...taskTemplatesRoutes,
  ...creativesRoutes,
  ...reviewRoutes,
  ...guestsRoutes,
  ...filesRoutes,
  ...graphsRoutes,
  ...workspaceRoutes,
  ...runsRoutes,
  ...runRecordRoutes,
  ...automationsRoutes,
  ...moneyRoutes,
  ...noticesRoutes,
  ...providersRoutes,
} as const satisfies Record<string, Route>

export type RouteName = keyof typeof routes

/** The schema of the body of a route's successful response, with the envelope if there is one; null if the response has no body. */
export function answerSchema(route: Route): TSchema | null {
  if (route.framing === 'empty') return null
  return route.framing === 'envelope' ? Envelope(route.data) : route.data
}
