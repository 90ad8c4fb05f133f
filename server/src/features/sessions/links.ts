// In charge of the addresses of sign-in links: each has a host at which the link will be accepted.
import { outsideRoutes } from '@atelier/contract/routes/outside-routes.ts'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../platform/config.ts'
import { isLoopback } from './callers.ts'

/** The process's own address, for callers on this machine. */
export function ownAddress(server: FastifyInstance, { host, port }: Config): string {
  const actual = server.addresses().find((address) => typeof address !== 'string')?.port ?? port
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${actual}`
}

/** Uses the public address, unless links are accepted on this machine only and the public address is that of another machine. */
export function linkTo({ publicUrl, signInLinks }: Config, own: string, code: string): string {
  const base = publicUrl !== null && (signInLinks === 'anywhere' || isHere(publicUrl)) ? publicUrl : own
  return `${base}${outsideRoutes.signIn.path}?code=${code}`
}

function isHere(url: string): boolean {
  const name = new URL(url).hostname.replaceAll(/[[\]]/g, '')
  return name === 'localhost' || isLoopback(name)
}
