// In charge of the uploads whose node the user has removed meanwhile: their fields are gone, so they are listed above the canvas, where
// they can be cancelled. If the removal is undone, they are in their fields again.
import { useStore } from '../lib/store.ts'
import { UploadProgress } from '../ui/upload-progress.tsx'
import { nameNow } from './edit.ts'
import type { Editor } from './use-editor.ts'

/** What gets the focus if an upload ends whose button had it. */
const back = {
  get current() {
    return document.querySelector<HTMLButtonElement>('.studio-tools button:enabled')
  },
}

export function RemovedUploads({ editor: { uploads, state } }: { editor: Editor }) {
  const all = useStore(uploads.inFields, (value) => value)
  const left = all.filter(({ node }) => nameNow(state, node) === null)
  return left.map(({ node, field, sending }) => (
    <div key={JSON.stringify([node, field])} className="banner" data-tone="quiet">
      <p role="status">
        “{sending.file}” is uploading for the node “{node}”, which is removed. It is put in only if you undo that
        before.
      </p>
      <div className="banner-upload">
        <UploadProgress label={`Upload for ${node}`} sending={sending} size="sm" back={back} />
      </div>
    </div>
  ))
}
