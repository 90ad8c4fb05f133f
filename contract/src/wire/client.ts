// In charge of a client whose calls are typed by the route table. `fetch` is all it needs, so it runs wherever that is.
import { routes } from '../routes/routes.ts'
import { type Caller, createCaller } from './calls.ts'

type ClientOptions = { url: string; token: string; fetch?: typeof fetch }

/** Makes a client of the service at `url`: `client.call('lookupCreatives', { body: { names } })`. */
export function createClient(options: ClientOptions): Caller {
  return createCaller({ table: routes, ...options })
}
