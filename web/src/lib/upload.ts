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
    request.addEventListener('error', () => reject(new TypeError('The upload was broken off.')))
    request.addEventListener('load', () => {
      if (request.status >= 400) reject(refused(request.status, request.responseText))
      else resolve(JSON.parse(request.responseText).data)
    })
    request.send(file)
  })
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
