// In charge of calling the API from the guest page, with the token that this browser received for the guest link.
import { wireTable } from 'virtual:wire-table'
import { CallError, type CallResult, createCaller } from '@atelier/contract/wire/calls.ts'

export type Entered = CallResult<'enterAsGuest'>
export type Shown = CallResult<'listGuestCreatives'>['items'][number]
export type GuestSaid = CallResult<'createGuestComment'>

const keyOf = (secret: string): string => `atelier guest ${secret}`

/** The secret of the guest link, from the fragment (`#…`) of the address, which browsers do not send to servers. */
export const secretOfAddress = (): string => location.hash.slice(1)

export function kept(secret: string): Entered | null {
  try {
    return JSON.parse(localStorage.getItem(keyOf(secret)) ?? 'null')
  } catch {
    return null
  }
}

export function keep(secret: string, entered: Entered): void {
  try {
    localStorage.setItem(keyOf(secret), JSON.stringify(entered))
  } catch {
    // If the storage is full or blocked, the guest has to enter the name again at the next visit.
  }
}

/** Forgets the token, so that the guest can enter by the link again. */
export function forget(secret: string): void {
  try {
    localStorage.removeItem(keyOf(secret))
  } catch {
    // A blocked storage has kept nothing.
  }
}

/** Whether the browser knows of nobody who has entered by another link. */
export function isOnlyLink(secret: string): boolean {
  try {
    return Object.keys(localStorage).every((key) => !key.startsWith(keyOf('')) || key === keyOf(secret))
  } catch {
    // A blocked storage has kept nothing of other links either.
    return true
  }
}

export const guestCaller = (token: string) =>
  createCaller({ table: wireTable, url: location.origin, token, fetch: (input, init) => fetch(input, init) })
export type GuestCaller = ReturnType<typeof guestCaller>

export async function allShown({ call }: GuestCaller): Promise<Shown[]> {
  const items: Shown[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: CallResult<'listGuestCreatives'> = await call('listGuestCreatives', {
      query: { limit: 100, ...(cursor === '' ? {} : { cursor }) },
    })
    items.push(...page.items)
    cursor = page.meta.next_cursor
  }
  return items
}

export async function allSaid({ call }: GuestCaller, creativeId: string): Promise<GuestSaid[]> {
  const items: GuestSaid[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: CallResult<'listGuestComments'> = await call('listGuestComments', {
      params: { creative_id: creativeId },
      query: { limit: 100, ...(cursor === '' ? {} : { cursor }) },
    })
    items.push(...page.items)
    cursor = page.meta.next_cursor
  }
  return items
}

export const codeOf = (error: unknown): string | null => (error instanceof CallError ? error.code : null)
