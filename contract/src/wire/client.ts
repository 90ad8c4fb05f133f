// In charge of a client whose calls are typed by the route table. It needs only `fetch`, so it runs in browsers and in
// Node.
import { routes } from '../routes/routes.ts'
import { type Caller, createCaller } from './calls.ts'

type ClientOptions = { url: string; token: string; fetch?: typeof fetch }

/** Creates a client of the service at `url`: `client.call('lookupCreatives', { body: { names } })`. */
export function createClient(options: ClientOptions): Caller {
  return createCaller({ table: routes, ...options })
}
