// In charge of the process's own time: caches and expiry of tokens. What is stored is dated by the database.

export type Clock = { now(): number }

export const systemClock: Clock = { now: () => Date.now() }
