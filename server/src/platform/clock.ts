// In charge of the process's clock, for caches and the expiry of tokens. Stored times come from the database's clock.

export type Clock = { now(): number }

export const systemClock: Clock = { now: () => Date.now() }
