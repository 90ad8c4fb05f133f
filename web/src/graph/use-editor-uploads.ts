// In charge of the files that are being uploaded for the open editor. Until they are put into the graph, they are not saved.
import { createContext, useCallback, useContext, useEffect, useRef, useState } from 'react'
import { askBeforeClosing } from '../lib/ask-before-closing.ts'
import { createStore, useStore } from '../lib/store.ts'
import type { Sending } from '../lib/upload.ts'
import { useStable } from '../lib/use-stable.ts'
import { tellProgress } from '../ui/toasts.tsx'

/** Performs an upload, which counts as in progress until the returned promise is settled: to whether all its files were put in. */
type Upload = (upload: () => Promise<boolean>) => Promise<unknown>

/** An upload in progress: the field that it is for, the name that the field's node had when it began, and how far it is. */
type FieldUpload = { node: string; field: string; sending: Sending }
const createFieldUploads = () => createStore<readonly FieldUpload[]>([])

type FormUploads = {
  upload: Upload
  inFields: ReturnType<typeof createFieldUploads>
  /** The node whose form it is. */
  node: string
  /** The present name of a node that had this name; null if the node is gone. */
  nameNow: (node: string) => string | null
}

/** By this, the forms in the editor upload their files. */
export const UploadContext = createContext<FormUploads>({
  upload: askBeforeClosing,
  inFields: createFieldUploads(),
  node: '',
  nameNow: (node) => node,
})

/**
 * The upload for a field of the form. The editor keeps how far it is, because the form is closed when the user selects another node,
 * and the upload goes on. `show` sets it; null means that no upload is in progress.
 */
export function useFieldUpload(field: string) {
  const { upload, inFields, node, nameNow } = useContext(UploadContext)
  const found = useStore(inFields, (all) => all.find((one) => one.field === field && nameNow(one.node) === node))
  const show = (sending: Sending | null) => {
    const others = inFields.get().filter((one) => one.field !== field || one.node !== node)
    inFields.set(sending === null ? others : [...others, { node, field, sending }])
  }
  return { upload, sending: found?.sending ?? null, show }
}

export type Uploads = ReturnType<typeof useEditorUploads>

export function useEditorUploads() {
  const [inFields] = useState(createFieldUploads)
  /** How many uploads are in progress, and how many have failed or were cancelled since the editor was opened, at least in part. */
  const [{ running, failed }, setCounts] = useState({ running: 0, failed: 0 })
  const upload = useCallback<Upload>(async (act) => {
    setCounts((before) => ({ ...before, running: before.running + 1 }))
    let isDone = false
    try {
      isDone = await askBeforeClosing(act)
    } finally {
      setCounts((before) => ({ running: before.running - 1, failed: before.failed + (isDone ? 0 : 1) }))
    }
  }, [])
  /** Settled when no upload is in progress any more, to how many have failed by then; null while nothing waits for that. */
  const waiting = useRef<PromiseWithResolvers<number> | null>(null)
  // In an effect, because only then the document of the editor has the files.
  useEffect(() => {
    if (running === 0) waiting.current?.resolve(failed)
  }, [running, failed])
  useEffect(() => () => waiting.current?.reject(new Error('The editor has been left since.')), [])
  const waitUntilDone = useStable(async (left?: AbortSignal): Promise<void> => {
    if (running === 0) return
    // Otherwise, a second press of the same button would do everything twice.
    if (waiting.current) throw new Error('Something else waits for the upload already.')
    const wait = Promise.withResolvers<number>()
    waiting.current = wait
    const stop = () => wait.reject(new Error('You did not wait for the upload, so nothing was done.'))
    left?.addEventListener('abort', stop)
    const progress = tellProgress('Waiting for the upload …', { label: 'Do not wait', act: stop })
    try {
      const failedNow = await wait.promise
      if (failedNow > failed) throw new Error('A file was not uploaded, and would be missing.')
    } finally {
      waiting.current = null
      progress.end()
    }
  })
  return {
    isUploading: running > 0,
    failed,
    upload,
    inFields,
    /**
     * Waits until no upload is in progress, and says so meanwhile. Throws an error if a file was not uploaded, or if the editor
     * is left before, the user does not want to wait any longer, or `left` is aborted. What is done after this has to look at the
     * document again.
     */
    waitUntilDone,
  }
}
