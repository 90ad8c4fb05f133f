// In charge of building sign-in links with an address at which this service accepts them.
import { outsideRoutes } from '@atelier/contract/routes/outside-routes.ts'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../platform/config.ts'
import { isLoopback } from './callers.ts'

/** Returns the address at which callers on the same machine reach this process. */
export function ownAddress(server: FastifyInstance, { host, port }: Config): string {
  const actual = server.addresses().find((address) => typeof address !== 'string')?.port ?? port
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${actual}`
}

/**
 * Builds the sign-in link for a code. The link begins with the public address. If no public address is set, or if links work only
 * on this machine and the public address is not a loopback address, the link begins with the process's own address (`own`).
 */
export function linkTo({ publicUrl, signInLinks }: Config, own: string, code: string): string {
  const base = publicUrl !== null && (signInLinks === 'anywhere' || isHere(publicUrl)) ? publicUrl : own
  return `${base}${outsideRoutes.signIn.path}?code=${code}`
}

function isHere(url: string): boolean {
  const name = new URL(url).hostname.replaceAll(/[[\]]/g, '')
  return name === 'localhost' || isLoopback(name)
}
