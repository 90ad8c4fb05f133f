// In charge of uploading files, of reporting how much has been sent, and of cancelling that.
import type { StoredFile } from '@atelier/contract/files.ts'
import { refused } from '@atelier/contract/wire/calls.ts'
import { bearer } from './session.ts'

/**
 * How far the upload of one or more files is. `share`: how much of all of them has been sent, as a share of 1; `file`: the name of
 * the file that is being sent, which is the one with the number `at` of `count`. `cancel` cancels only this file, and `cancelAll`
 * also those that follow.
 */
export type Sending = {
  share: number
  file: string
  at: number
  count: number
  cancel: () => void
  cancelAll: () => void
}

/**
 * Uploads a file. Fails with `UploadCancelled` if the user cancels the file; `cancelled` tells this also after the upload, while
 * something else has to end before the file is used.
 */
export type Send = (file: File) => Promise<{ stored: StoredFile; cancelled: AbortSignal }>

/** Why an upload has failed that the user has cancelled. The user knows that, so it is not shown as an error. */
export class UploadCancelled extends Error {
  constructor() {
    super('The upload was cancelled.')
  }
}

/** Creates a function that uploads `count` files, one after the other; `show` is told at once, and whenever more has been sent. */
export function createSend(count: number, show: (sending: Sending) => void): Send {
  const all = new AbortController()
  let at = 0
  return async (file) => {
    all.signal.throwIfAborted()
    const one = new AbortController()
    const cancelled = AbortSignal.any([one.signal, all.signal])
    at += 1
    const sending = {
      ...{ file: file.name, at, count },
      cancel: () => one.abort(new UploadCancelled()),
      cancelAll: () => all.abort(new UploadCancelled()),
    }
    const told = (share: number) => show({ ...sending, share: (sending.at - 1 + share) / count })
    told(0)
    return { stored: await uploadFile(file, told, cancelled), cancelled }
  }
}

/** Uses `XMLHttpRequest`, because `fetch` does not report how much has been sent. `onProgress` gets this as a share of 1. */
async function uploadFile(
  file: File,
  onProgress: (share: number) => void,
  cancelled: AbortSignal,
): Promise<StoredFile> {
  const token = await bearer()
  cancelled.throwIfAborted()
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', '/api/v1/files')
    request.setRequestHeader('authorization', `Bearer ${token}`)
    request.setRequestHeader('content-type', file.type || 'application/octet-stream')
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0))
    // This event comes at the end in any case, also if the upload is broken off. An error thrown in a listener would reach nobody.
    request.addEventListener('loadend', () => {
      try {
        cancelled.throwIfAborted()
        resolve(storedIn(request.status, request.responseText))
      } catch (error) {
        reject(error)
      }
    })
    cancelled.addEventListener('abort', () => request.abort())
    request.send(file)
  })
}

/** Returns the stored file in the answer to an upload; throws if there is none. `status` is 0 if no answer came. */
export function storedIn(status: number, text: string): StoredFile {
  if (status === 0) throw new TypeError('The upload was broken off.')
  if (status >= 400) throw refused(status, text)
  const file = dataIn(text)
  if (typeof file?.digest === 'string') return file
  throw new Error('Something else than the service has answered. Check your connection, then upload the file again.')
}

function dataIn(text: string) {
  try {
    return JSON.parse(text)?.data
  } catch {
    return null
  }
}
