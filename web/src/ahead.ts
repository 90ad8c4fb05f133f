// In charge of requesting data before the app's scripts are loaded: who is signed in, and what the page at this address needs.
import { callerQuery } from './lib/queries.ts'
import { queryClient } from './lib/query-client.ts'
import { openBoard, openGraph, openRun } from './openings.ts'

const [, place, id] = /^\/(\w*)(?:\/([^/]+))?$/.exec(location.pathname) ?? []
// The guest page does not need to know who is signed in: a guest is not a member of the workspace, so this request would fail.
if (place !== 'guest') void queryClient.prefetchQuery(callerQuery)
if (place === '' || place === 'tasks') openBoard()
else if (place === 'graphs' && id !== undefined) openGraph(id)
else if (place === 'runs' && id !== undefined) openRun(id)
