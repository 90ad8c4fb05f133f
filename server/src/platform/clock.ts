// In charge of the process's clock, which is used for caches, rate limits and the expiry of tokens. Nearly all stored times come
// from the database's clock instead.

export type Clock = { now(): number }

export const systemClock: Clock = { now: () => Date.now() }
