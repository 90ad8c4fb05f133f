// In charge of opening the viewer, with the review, at the creative that the address names, or at the first creative that waits for
// the user's decision. Links in notices and mails contain such addresses.
import { awaitingMe } from '@atelier/contract/notice-kinds.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { viewedCreatives } from '../board/open-pictures.ts'
import { callerQuery, creativesQuery } from '../lib/queries.ts'
import { taskReviewQuery } from '../review/queries.ts'
import { openViewer } from '../ui/viewer-store.ts'

/** Opens the viewer only once for each address: if the user closes the viewer, it stays closed. */
export function useOpenedCreative(taskId: string, wanted: string | undefined): void {
  const creatives = useQuery(creativesQuery(taskId)).data
  const isMine = wanted === awaitingMe
  const reviews = useQuery({ ...taskReviewQuery(taskId), enabled: isMine }).data
  const me = useQuery(callerQuery).data?.user?.id
  const last = useRef<string>(undefined)
  useEffect(() => {
    if (!creatives || wanted === undefined || last.current === wanted || (isMine && !(reviews && me))) return
    last.current = wanted
    const pictures = viewedCreatives(creatives)
    const awaited = new Set(reviews?.flatMap((one) => (me && one.awaited.includes(me) ? [one.creative_id] : [])))
    const at = pictures.findIndex(({ creativeId = '' }) => (isMine ? awaited.has(creativeId) : creativeId === wanted))
    if (at !== -1) openViewer(pictures, at, { reviewed: true })
  }, [creatives, isMine, me, reviews, wanted])
}
