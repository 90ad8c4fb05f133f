// In charge of uploading files that were dropped on cards: they become creatives of the card's task, as files that are dropped on the
// creatives of the opened task do.
import { useEffect } from 'react'
import { type Dropped, takeDropped } from '../board/dropped-files.ts'
import { tellProgress } from '../ui/toasts.tsx'
import { cancelUpload, places, uploadInTurn } from './uploads.ts'
import { type CreativeActions, useCreatives } from './use-creatives.ts'

export function CardUploads({ dropped }: { dropped: readonly Dropped[] }) {
  return dropped.map((one) => <CardUpload key={one.key} dropped={one} />)
}

/** Is gone as soon as the upload has begun, which goes on without it. */
function CardUpload({ dropped }: { dropped: Dropped }) {
  const actions = useCreatives(dropped.card.id)
  useEffect(() => {
    if (takeDropped(dropped)) void uploadTo(dropped, actions)
  }, [dropped, actions])
  return null
}

async function uploadTo({ card, files }: Dropped, actions: CreativeActions): Promise<void> {
  const task = { taskId: card.id, taskName: card.name }
  /** These files may have to wait for earlier ones of the task; to cancel them then must not cancel those. */
  let state: 'waiting' | 'begun' | 'cancelled' = 'waiting'
  const cancel = () => {
    if (state === 'begun') cancelUpload(card.id, places.nextNames)
    state = 'cancelled'
  }
  const [only] = files
  const what = only && files.length === 1 ? `“${only.name}”` : `${files.length} files`
  const progress = tellProgress(`Uploading ${what} to “${card.name}” …`, { label: 'Cancel', act: cancel })
  try {
    await uploadInTurn(task, files.length, async (send) => {
      if (state === 'cancelled') return 0
      state = 'begun'
      return actions.addFiles(files, send)
    })
  } finally {
    progress.end()
  }
}
