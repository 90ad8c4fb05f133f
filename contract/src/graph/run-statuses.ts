// In charge of the statuses of a run, in order. They have their own file, so that web pages can use them without the schemas.

export const runStatuses = ['draft', 'queued', 'running', 'awaiting_input', 'succeeded', 'failed', 'cancelled'] as const
