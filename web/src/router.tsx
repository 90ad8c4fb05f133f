// In charge of the addresses of the app: all are in this file. `contract/src/wire/web-paths.ts` lists the same addresses for the
// server.
import { createRootRoute, createRoute, createRouter } from '@tanstack/react-router'
import { parseAddress, readBoardSearch, writeAddress } from './board/search-params.ts'
import { readGraphSearch, readGraphsSearch } from './graph/search.ts'
import { readGuestSearch } from './guest/search.ts'
import { readLookupSearch } from './lookup/search.ts'
import { openGraph, openRun } from './openings.ts'
import { readRunSearch, readRunsSearch } from './run/search.ts'
import { Root } from './shell/root.tsx'
import { lazyPage } from './ui/lazy-page.ts'
import { NoSuchPage, PageComes, PageFailed } from './ui/route-states.tsx'

const root = createRootRoute({ component: Root, notFoundComponent: NoSuchPage, errorComponent: PageFailed })

/** The parent of the home page and of a task's page, so that the board stays in place while a task is open beside it. */
const boardRoute = createRoute({
  getParentRoute: () => root,
  id: 'board',
  component: lazyPage(() => import('./board/board-page.tsx'), 'BoardPage'),
  validateSearch: readBoardSearch,
})
const home = createRoute({ getParentRoute: () => boardRoute, path: '/' })
const taskRoute = createRoute({
  getParentRoute: () => boardRoute,
  path: '/tasks/$task_id',
  component: lazyPage(() => import('./task/task-page.tsx'), 'TaskPage'),
})
const lookup = createRoute({
  getParentRoute: () => root,
  path: '/lookup',
  validateSearch: readLookupSearch,
  component: lazyPage(() => import('./lookup/lookup-page.tsx'), 'LookupPage'),
})
const graphs = createRoute({
  getParentRoute: () => root,
  path: '/graphs',
  validateSearch: readGraphsSearch,
  component: lazyPage(() => import('./graph/graphs-page.tsx'), 'GraphsPage'),
})
/** When a user opens the page, `loader` requests its data at once, without waiting for its scripts or for the sign-in check. */
const graph = createRoute({
  getParentRoute: () => root,
  path: '/graphs/$graph_id',
  validateSearch: readGraphSearch,
  loader: ({ params, cause }) => {
    if (cause === 'enter') openGraph(params.graph_id)
  },
  component: lazyPage(() => import('./studio/graph-page.tsx'), 'GraphPage'),
})
const runs = createRoute({
  getParentRoute: () => root,
  path: '/runs',
  validateSearch: readRunsSearch,
  component: lazyPage(() => import('./run/runs-page.tsx'), 'RunsPage'),
})
const run = createRoute({
  getParentRoute: () => root,
  path: '/runs/$run_id',
  loader: ({ params, cause }) => {
    if (cause === 'enter') openRun(params.run_id)
  },
  validateSearch: readRunSearch,
  component: lazyPage(() => import('./run/run-page.tsx'), 'RunPage'),
})
const automations = createRoute({
  getParentRoute: () => root,
  path: '/automations',
  component: lazyPage(() => import('./automations/automations-page.tsx'), 'AutomationsPage'),
})
const money = createRoute({
  getParentRoute: () => root,
  path: '/money',
  component: lazyPage(() => import('./money/money-page.tsx'), 'MoneyPage'),
})
const notices = createRoute({
  getParentRoute: () => root,
  path: '/notices',
  component: lazyPage(() => import('./notices/notices-page.tsx'), 'NoticesPage'),
})
const noticeSettings = createRoute({
  getParentRoute: () => root,
  path: '/notices/settings',
  component: lazyPage(() => import('./notices/settings-page.tsx'), 'NoticeSettingsPage'),
})
const people = createRoute({
  getParentRoute: () => root,
  path: '/people',
  component: lazyPage(() => import('./people/people-page.tsx'), 'PeoplePage'),
})
const products = createRoute({
  getParentRoute: () => root,
  path: '/products',
  component: lazyPage(() => import('./people/products-page.tsx'), 'ProductsPage'),
})
const templates = createRoute({
  getParentRoute: () => root,
  path: '/templates',
  component: lazyPage(() => import('./people/templates-page.tsx'), 'TemplatesPage'),
})
const tokens = createRoute({
  getParentRoute: () => root,
  path: '/tokens',
  component: lazyPage(() => import('./people/tokens-page.tsx'), 'TokensPage'),
})
const providers = createRoute({
  getParentRoute: () => root,
  path: '/providers',
  component: lazyPage(() => import('./people/providers-page.tsx'), 'ProvidersPage'),
})

/** Guests see this page without the top bar and its links, since a guest is not a member of the workspace. */
const guest = createRoute({
  getParentRoute: () => root,
  path: '/guest',
  validateSearch: readGuestSearch,
  component: lazyPage(() => import('./guest/guest-page.tsx'), 'GuestPage'),
})

export const router = createRouter({
  routeTree: root.addChildren([
    boardRoute.addChildren([home, taskRoute]),
    lookup,
    graphs,
    graph,
    runs,
    run,
    automations,
    money,
    notices,
    noticeSettings,
    people,
    products,
    templates,
    tokens,
    providers,
    guest,
  ]),
  parseSearch: parseAddress,
  stringifySearch: writeAddress,
  defaultPreload: 'intent',
  defaultPendingComponent: PageComes,
  // An error is shown in place of the page that failed, below the top bar, so that the user can still open the other pages.
  defaultErrorComponent: PageFailed,
  // `useKeptScroll` does this.
  scrollRestoration: false,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
