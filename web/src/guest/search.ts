// In charge of what the address of a guest's page says besides the secret of the link. Pure; what cannot be read is left out.

/** `creative`: the one that is open, so that a phone's Back leads to all of them. */
export type GuestSearch = { creative?: string }

export const readGuestSearch = ({ creative }: Record<string, unknown>): GuestSearch =>
  typeof creative === 'string' && creative !== '' ? { creative } : {}
