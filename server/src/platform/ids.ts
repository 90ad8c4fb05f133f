// In charge of the format of ids: UUIDs as text; the ones made by this service are version 7.

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Text in another format cannot be the id of anything. */
export const isUuid = (text: string): boolean => uuid.test(text)
