// In charge of opening the viewer for the creatives of a task from the task's card.
import type { Cover } from '@atelier/contract/files.ts'
import { creativesQuery } from '../lib/queries.ts'
import { queryClient } from '../lib/query-client.ts'
import type { Creative } from '../lib/types.ts'
import { openViewer, type Viewed } from '../ui/viewer-store.ts'

/** The creatives that have a file, as the objects that the viewer needs. */
export const viewedCreatives = (creatives: readonly Creative[]): Viewed[] =>
  creatives.flatMap(({ id, name, file }) =>
    file === null ? [] : [{ digest: file, name, mediaType: null, size: null, creativeId: id }],
  )

/**
 * Opens the viewer with the files of all creatives of the task, starting at the cover. If the creatives cannot be read, or the
 * cover is not among them, the viewer shows the cover alone.
 */
export async function openPicturesOf(taskId: string, cover: Cover): Promise<void> {
  const { creative_id, name, digest, media_type, size } = cover
  const alone: Viewed = { digest, name, mediaType: media_type, size, creativeId: creative_id }
  const pictures = await queryClient.fetchQuery(creativesQuery(taskId)).then(viewedCreatives, () => [])
  const at = pictures.findIndex(({ creativeId }) => creativeId === creative_id)
  if (at === -1) openViewer([alone], 0)
  else openViewer(pictures, at)
}
