// In charge of telling whether an address leads to the machine on which it is opened.

/** Whether an address leads to the machine on which it is opened, so that nobody else can open the service by it. */
export const leadsToOwnMachine = (address: string): boolean =>
  /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(new URL(address).hostname)
