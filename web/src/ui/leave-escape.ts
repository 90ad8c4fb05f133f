// In charge of who handles Escape: the viewer, where a dialog is open below it.

/** Escape closes the viewer alone: a dialog of Mantine's under it would take it for its own. */
export const leaveEscape = { 'data-mantine-stop-propagation': 'true' }
