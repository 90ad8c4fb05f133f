// In charge of the refusals that only guests receive: those of a guest link, its password and its rights.
export const guestRefusals = {
  invalid_guest_link: {
    status: 401,
    title: 'Link not valid any more',
    when: 'The link for guests is unknown, revoked or over, its task is deleted, or 1,000 guests have come by it already.',
    action: 'Ask whoever sent the link for another one.',
  },
  guest_password: {
    status: 403,
    title: 'Password needed',
    when: 'The link for guests asks for a password, and none or another one was sent.',
    action: 'Send the password that came with the link. After ten wrong ones it takes none for ten minutes.',
  },
  guest_right: {
    status: 403,
    title: 'The link does not allow this',
    when: 'A guest comments or decides by a link that does not give this right.',
    action: 'Ask whoever sent the link.',
  },
} as const
