// In charge of the statuses a run may have, in their order; by themselves, so that pages have them without the schemas.

export const runStatuses = ['draft', 'queued', 'running', 'awaiting_input', 'succeeded', 'failed', 'cancelled'] as const
