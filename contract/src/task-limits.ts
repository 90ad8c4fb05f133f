// In charge of the limits that bound what one task may ask for. Apart from the schemas: the browser does not load those.

export const taskLimits = { count: 100, variants: 100, variation_num: 10_000, sources: 100, bulk: 100 } as const
