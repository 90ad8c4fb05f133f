// In charge of the small table of routes in the page: method, path and framing, taken from the contract at build time, so that
// neither the schemas nor their library are sent to browsers.
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

const tableOf = () =>
  Object.fromEntries(Object.entries(routes).map(([id, { method, path, framing }]) => [id, { method, path, framing }]))
