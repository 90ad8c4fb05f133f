// In charge of a client whose calls are typed by the route table. The client needs only `fetch`, so it runs in browsers and in
// Node.js.
import { routes } from '../routes/routes.ts'
import { type Caller, type CallerOptions, createCaller } from './calls.ts'

type ClientOptions = Omit<CallerOptions, 'table' | 'token'> & { token: string }

/** Creates a client for the service at `url`; a call looks like `client.call('lookupCreatives', { body: { names } })`. */
export function createClient(options: ClientOptions): Caller {
  return createCaller({ table: routes, ...options })
}
