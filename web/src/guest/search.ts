// In charge of reading the search parameters of the guest page. Pure; unreadable parameters are ignored.

/** `creative`: the open creative. It is in the address, so that the Back button of a phone returns to the list. */
export type GuestSearch = { creative?: string }

export const readGuestSearch = ({ creative }: Record<string, unknown>): GuestSearch =>
  typeof creative === 'string' && creative !== '' ? { creative } : {}
