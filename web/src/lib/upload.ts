// In charge of uploading a file and of reporting how much has been sent.
import type { StoredFile } from '@atelier/contract/files.ts'
import { refused } from '@atelier/contract/wire/calls.ts'
import { bearer } from './session.ts'

/** Uses `XMLHttpRequest`, because `fetch` does not report how much has been sent. `onProgress` gets this as a share of 1. */
export async function uploadFile(file: File, onProgress: (share: number) => void): Promise<StoredFile> {
  const token = await bearer()
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', '/api/v1/files')
    request.setRequestHeader('authorization', `Bearer ${token}`)
    request.setRequestHeader('content-type', file.type || 'application/octet-stream')
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0))
    // This event comes at the end in any case, also if the upload is broken off. An error thrown in a listener would reach nobody.
    request.addEventListener('loadend', () => {
      try {
        resolve(storedIn(request.status, request.responseText))
      } catch (error) {
        reject(error)
      }
    })
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
