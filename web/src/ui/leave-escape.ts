// In charge of what the Escape key closes while the viewer is open above a dialog.

/** With this attribute, Escape closes only the viewer; without it, a Mantine dialog below the viewer would close too. */
export const leaveEscape = { 'data-mantine-stop-propagation': 'true' }
