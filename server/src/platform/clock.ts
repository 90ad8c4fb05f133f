// In charge of the process's clock, which is used for caches and for the expiry of tokens. Stored times come from the database.

export type Clock = { now(): number }

export const systemClock: Clock = { now: () => Date.now() }
