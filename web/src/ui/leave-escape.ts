// In charge of what the Escape key closes while the viewer is open above a dialog.

/** On the focused element, this attribute stops a Mantine dialog below the viewer from closing together with the viewer. */
export const leaveEscape = { 'data-mantine-stop-propagation': 'true' }
