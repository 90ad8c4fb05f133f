// In charge of whose Escape is: the viewer's, where a dialog lies under it.

/** Escape closes the viewer alone: a dialog of Mantine's under it would take it for its own. */
export const leaveEscape = { 'data-mantine-stop-propagation': 'true' }
