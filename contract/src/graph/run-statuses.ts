// In charge of the statuses of a run, in order. They have a file of their own, so that web pages can use them without the schemas.

export const runStatuses = ['draft', 'queued', 'running', 'awaiting_input', 'succeeded', 'failed', 'cancelled'] as const
