// In charge of requesting the data that pages wait for before the app is loaded: the caller, and the data of the address.
import { callerQuery } from './lib/queries.ts'
import { queryClient } from './lib/query-client.ts'
import { openBoard, openGraph, openRun } from './openings.ts'

const [, place, id] = /^\/(\w*)(?:\/([^/]+))?$/.exec(location.pathname) ?? []
// Guests are left out, since they are not members of the workspace and may not read this.
if (place !== 'guest') void queryClient.prefetchQuery(callerQuery)
if (place === '' || place === 'tasks') openBoard()
else if (place === 'graphs' && id !== undefined) openGraph(id)
else if (place === 'runs' && id !== undefined) openRun(id)
