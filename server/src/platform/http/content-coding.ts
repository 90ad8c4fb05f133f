// In charge of recognizing bodies that were compressed for the way (`Content-Encoding`, or `Transfer-Encoding` besides `chunked`), which
// no route takes. Pure.
import type { IncomingHttpHeaders } from 'node:http'

/**
 * Whether the bytes of a body are not the body itself, but a compressed or otherwise encoded form of it. Node undoes `chunked`, and
 * leaves every other transfer coding as it is.
 */
export const isEncoded = (headers: IncomingHttpHeaders): boolean =>
  (headers['content-encoding'] ?? 'identity').trim().toLowerCase() !== 'identity' ||
  (headers['transfer-encoding'] ?? 'chunked').trim().toLowerCase() !== 'chunked'
