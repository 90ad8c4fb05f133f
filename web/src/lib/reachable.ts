// In charge of asking whether the service can be reached at this moment, and whether it sends a file.

export async function isReachable(): Promise<boolean> {
  const answer = await fetch('/healthz', { cache: 'no-store' }).catch(() => null)
  return answer?.ok === true
}

/**
 * Whether the file at this address is sent. Browsers do not say of a file that they could not show whether it came. So this requests
 * its first byte; of an empty file, which has none, the service says so by the status 416.
 */
export async function isSent(url: string): Promise<boolean> {
  const answer = await fetch(url, { headers: { range: 'bytes=0-0' }, cache: 'no-store' }).catch(() => null)
  return answer?.ok === true || answer?.status === 416
}
