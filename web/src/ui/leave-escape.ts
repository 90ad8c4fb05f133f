// In charge of the Escape key while the viewer is over an open dialog.

/** Escape closes the viewer only: without this, a Mantine dialog below it would close too. */
export const leaveEscape = { 'data-mantine-stop-propagation': 'true' }
