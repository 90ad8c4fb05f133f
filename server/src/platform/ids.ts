// In charge of what an id looks like: UUIDs as text, version 7 where we make them.

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Text of any other shape names nothing. */
export const isUuid = (text: string): boolean => uuid.test(text)
