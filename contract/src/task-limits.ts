// In charge of the limits of one task. A separate file, because the browser does not load the schemas.

export const taskLimits = { count: 100, variants: 100, variation_num: 10_000, sources: 100, bulk: 100 } as const
