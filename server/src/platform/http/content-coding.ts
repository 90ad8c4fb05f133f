// In charge of recognizing bodies that were compressed for the way (`Content-Encoding`), which no route takes. Pure.
import type { IncomingHttpHeaders } from 'node:http'

/** Whether the bytes of a body are not the body itself, but a compressed or otherwise encoded form of it. */
export const isEncoded = (headers: IncomingHttpHeaders): boolean =>
  (headers['content-encoding'] ?? 'identity').trim().toLowerCase() !== 'identity'
