// In charge of asking for what every page waits for, before the rest of the app is there: who asks, and what the address shows.
import { callerQuery } from './lib/queries.ts'
import { queryClient } from './lib/query-client.ts'
import { openBoard, openGraph, openRun } from './openings.ts'

const [, place, id] = /^\/(\w*)(?:\/([^/]+))?$/.exec(location.pathname) ?? []
// A guest is not a member of the workspace and may not read this.
if (place !== 'guest') void queryClient.prefetchQuery(callerQuery)
if (place === '' || place === 'tasks') openBoard()
else if (place === 'graphs' && id !== undefined) openGraph(id)
else if (place === 'runs' && id !== undefined) openRun(id)
