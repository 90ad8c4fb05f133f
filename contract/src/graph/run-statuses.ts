// In charge of the statuses a run may have, in order; a separate file, so that pages can use them without the schemas.

export const runStatuses = ['draft', 'queued', 'running', 'awaiting_input', 'succeeded', 'failed', 'cancelled'] as const
