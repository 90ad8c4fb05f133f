// In charge of the refusals for recording launches.

export const launchRefusals = {
  launch_recorded: {
    status: 422,
    title: 'Launch date follows from launches',
    when: 'Only in `failed` of a bulk change: it sets `launched_at` of a task that does not keep it by hand. By itself such a change is a 422 at `launched_at`.',
    action: 'Set `manual_launch` to true in the same change, or leave `launched_at` to recorded launches.',
  },
  launch_corrected: {
    status: 409,
    title: 'Launch was corrected already',
    when: 'Somebody has corrected this launch before.',
    action: 'Read the launches of the task, and correct the one that took its place.',
  },
} as const
