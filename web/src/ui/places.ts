// In charge of the list of pages that the top bar and the command palette offer.
import type { IconName } from './icons.tsx'

export const places = [
  { to: '/', label: 'Board', icon: 'board' },
  { to: '/graphs', label: 'Graphs', icon: 'graph' },
  { to: '/runs', label: 'Runs', icon: 'run' },
  { to: '/automations', label: 'Automations', icon: 'bolt' },
  { to: '/lookup', label: 'Lookup', icon: 'lookup' },
  { to: '/money', label: 'Money', icon: 'money' },
  { to: '/products', label: 'Products', icon: 'product' },
  { to: '/templates', label: 'Templates', icon: 'bookmark' },
  { to: '/people', label: 'People', icon: 'people' },
  { to: '/tokens', label: 'Tokens', icon: 'key' },
  { to: '/providers', label: 'Providers', icon: 'key' },
] as const satisfies readonly { to: string; label: string; icon: IconName }[]

export type Place = (typeof places)[number]
