// In charge of counting the files that are being uploaded for the open editor. Until they are put into the graph, they are not saved.
import { createContext, useCallback, useState } from 'react'
import { askBeforeClosing } from '../lib/upload.ts'

/** Performs an upload, which counts as in progress until the returned promise is settled. */
type Upload = (upload: () => Promise<void>) => Promise<void>

/** By this, the forms in the editor upload their files. */
export const UploadContext = createContext<Upload>(askBeforeClosing)

export function useUploads(): { isUploading: boolean; upload: Upload } {
  const [count, setCount] = useState(0)
  const upload = useCallback<Upload>(async (act) => {
    setCount((before) => before + 1)
    try {
      await askBeforeClosing(act)
    } finally {
      setCount((before) => before - 1)
    }
  }, [])
  return { isUploading: count > 0, upload }
}
