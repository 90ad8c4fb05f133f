// In charge of reading the search parameters of the guest page; parameters that cannot be read are ignored. Pure.

/** `creative`: the id of the creative that is open. The id is in the address, so that a phone's Back button returns to the list. */
export type GuestSearch = { creative?: string }

export const readGuestSearch = ({ creative }: Record<string, unknown>): GuestSearch =>
  typeof creative === 'string' && creative !== '' ? { creative } : {}
