// In charge of asking whether the service can be reached at this moment, and whether it sends a file.

export async function isReachable(): Promise<boolean> {
  const answer = await ask('/healthz')
  return answer?.ok === true
}

/** `gone`: the service has answered that it does not have the file; `unreached`: it has not answered, or cannot send it now. */
export type Delivery = 'sent' | 'gone' | 'unreached'

/**
 * Whether the file at this address is sent. Browsers do not say of a file that they could not show whether it came. So this requests
 * its first byte.
 */
export async function askForFile(url: string): Promise<Delivery> {
  return deliveryOf(await ask(url, { headers: { range: 'bytes=0-0' } }))
}

/**
 * What an answer says of a file; null if there was no answer. An empty file has no first byte: 416. That there is no file is believed
 * only of the service, whose refusals are of type `application/problem+json`: a proxy may say so while the service restarts.
 */
export function deliveryOf(answer: Pick<Response, 'status' | 'headers'> | null): Delivery {
  if (answer === null) return 'unreached'
  const { status, headers } = answer
  const isRefusal = headers.get('content-type')?.startsWith('application/problem+json') === true
  if (isRefusal && (status === 404 || status === 410)) return 'gone'
  return status === 416 || (status >= 200 && status < 300) ? 'sent' : 'unreached'
}

/** `decoded`: all of a picture has come, and the browser can decode it. Of other files, and of SVG, this is not known. */
export type PictureDelivery = Delivery | 'decoded'

/** Like `askForFile`, but requests the whole file if it is a picture: that its first byte is sent does not mean that all of it comes. */
export async function askForPicture(url: string): Promise<PictureDelivery> {
  const stop = new AbortController()
  // The browser keeps the answer, and so need not request the file again to show it.
  const answer = await ask(url, { cache: 'reload', signal: stop.signal })
  if (answer?.ok !== true) return deliveryOf(answer)
  if (answer.headers.get('content-type')?.startsWith('image/') !== true) {
    stop.abort()
    return 'sent'
  }
  const whole = await answer.blob().catch(() => null)
  if (whole === null) return 'unreached'
  const picture = await createImageBitmap(whole, { resizeWidth: 1, resizeHeight: 1 }).catch(() => null)
  picture?.close()
  return picture === null ? 'sent' : 'decoded'
}

const ask = (url: string, options: RequestInit = {}): Promise<Response | null> =>
  fetch(url, { cache: 'no-store', ...options }).catch(() => null)
