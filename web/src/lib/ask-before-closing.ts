// In charge of work that would be broken off if its page were closed.

/** Makes the browser ask before it closes or reloads the page while `work` is in progress, because that would break `work` off. */
export async function askBeforeClosing<T>(work: () => Promise<T>): Promise<T> {
  const ask = (event: Event) => event.preventDefault()
  addEventListener('beforeunload', ask)
  try {
    return await work()
  } finally {
    removeEventListener('beforeunload', ask)
  }
}
