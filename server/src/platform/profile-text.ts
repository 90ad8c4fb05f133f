// In charge of the addresses in a person's profile, as an identity provider states them in its messages and at a sign-in. Pure.

const mostOfEmail = 255
const mostOfPicture = 2048

/** Returns an email address; null if the value is none that can be stored whole. */
export const emailOf = (value: unknown): string | null => addressOf(value, mostOfEmail)

/** Returns the https address of a picture; null if the value is none that can be stored whole. */
export function pictureOf(value: unknown): string | null {
  const address = addressOf(value, mostOfPicture)
  return address?.startsWith('https:') ? address : null
}

/** A part of an address, or one with other characters, is another address. So an address is returned as it is, or not at all. */
function addressOf(value: unknown, most: number): string | null {
  if (typeof value !== 'string') return null
  const address = value.trim()
  const isWhole = address.length <= most && address.isWellFormed() && !/\p{Cc}/u.test(address)
  return address !== '' && isWhole ? address : null
}
