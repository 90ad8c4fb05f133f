// In charge of the limits of a task and of its templates. They have their own file, so that the browser can use them without loading the schemas.

export const taskLimits = { count: 100, variants: 100, variation_num: 10_000, sources: 100, bulk: 100 } as const

/** How many characters the name of a task may have at most. */
export const longestTaskName = 255
/** How many characters the name of a task template may have at most. */
export const longestTemplateName = 120
