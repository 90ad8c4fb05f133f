// In charge of telling whether a sign-in link can be sent to somebody.
import { leadsToOwnMachine } from '../lib/machine-only.ts'

/**
 * Whether a link opens on the machine of the service only. `pageOrigin`: the origin of the page that shows the link. The links of
 * a service that does not let them be opened from elsewhere lead, without TLS, to the address of the service on its own machine.
 */
export function isForMachineOnly(link: string, pageOrigin: string): boolean {
  const { protocol, origin } = new URL(link)
  if (protocol !== 'http:') return false
  return origin !== pageOrigin || leadsToOwnMachine(link)
}
