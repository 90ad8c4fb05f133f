// In charge of the link to the page “For me” in the top bar; the link shows the number of unread notices.

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { noticeCountQuery } from '../notices/queries.ts'
import { Icon } from '../ui/icons.tsx'

const most = 99

export function NoticeBadge({ userId }: { userId: string }) {
  const unread = useQuery(noticeCountQuery(userId)).data?.unread ?? 0
  const shown = unread > most ? `${most}+` : String(unread)
  return (
    <Link to="/notices" className="notice-badge" aria-label={unread === 0 ? 'For me' : `For me, ${shown} unread`}>
      <Icon name="bell" />
      {unread === 0 ? null : <span aria-hidden="true">{shown}</span>}
    </Link>
  )
}
