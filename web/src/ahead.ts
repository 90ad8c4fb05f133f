// In charge of sending the first requests before the app's scripts are loaded: who is signed in, and the data for this address.
import { callerQuery } from './lib/queries.ts'
import { queryClient } from './lib/query-client.ts'
import { openBoard, openGraph, openRun } from './openings.ts'

const [, place, id] = /^\/(\w*)(?:\/([^/]+))?$/.exec(location.pathname) ?? []
// Not for guests: they are not members of the workspace, so the service would refuse this request.
if (place !== 'guest') void queryClient.prefetchQuery(callerQuery)
if (place === '' || place === 'tasks') openBoard()
else if (place === 'graphs' && id !== undefined) openGraph(id)
else if (place === 'runs' && id !== undefined) openRun(id)
