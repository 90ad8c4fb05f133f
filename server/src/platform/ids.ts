// In charge of the format of ids: all are UUIDs as text; those that this service makes are version 7.

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether a text has the format of an id; any other text cannot be the id of anything. */
export const isUuid = (text: string): boolean => uuid.test(text)
