// In charge of the refusals for reviews, for example if the version is not the current one or a take cannot be made.

export const reviewRefusals = {
  version_not_current: {
    status: 409,
    title: 'Another version is current',
    when: 'The file that was decided about is not the one that the creative has now.',
    action: 'Look at the current version, then decide about that one.',
  },
  take_impossible: {
    status: 409,
    title: 'No new take can be made',
    when: 'Nothing that a run could do anew stands behind the version that was commented on.',
    action: 'The detail says why: the file was uploaded, its run is gone, or no node before it takes words.',
  },
  take_under_way: {
    status: 409,
    title: 'A take is under way',
    when: 'A comment is deleted while a take because of it is being made, which may be paid for and which nobody would get. Nothing was changed.',
    action: 'Wait until the take is proposed or has failed, or cancel its run; then delete the comment.',
  },
  take_not_proposed: {
    status: 409,
    title: 'The take is not proposed',
    when: 'A take is used or dismissed that is under way, has failed, or was decided about already.',
    action: 'Read the comment again: it says what became of its take.',
  },
} as const
