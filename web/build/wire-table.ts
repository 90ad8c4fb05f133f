// In charge of making the table of routes that the web app uses: each route's method, its path, the form of its response, and whether
// it takes an Idempotency-Key. The build copies these members from the contract, so that browsers receive neither the schemas nor
// the schema library.
import { routes } from '@atelier/contract/routes/routes.ts'
import type { Plugin } from 'vite'

const name = 'virtual:wire-table'
const resolved = `\0${name}`

export function wireTable(): Plugin {
  return {
    name: 'atelier-wire-table',
    resolveId: (id) => (id === name ? resolved : null),
    load: (id) => (id === resolved ? `export const wireTable = ${JSON.stringify(tableOf())}` : null),
  }
}

/** `idempotent` is left out where it is false, since the table is part of what a browser loads first. */
const tableOf = () =>
  Object.fromEntries(
    Object.entries(routes).map(([id, { method, path, framing, idempotent }]) => [
      id,
      { method, path, framing, ...(idempotent ? { idempotent } : {}) },
    ]),
  )
