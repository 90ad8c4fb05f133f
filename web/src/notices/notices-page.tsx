// In charge of the page “For me”: the user's notices, newest first, each with a link to the page where the user can react.

import { Button, Switch } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { callerQuery } from '../lib/queries.ts'
import { Empty, Failed, Loading } from '../ui/states.tsx'
import { useReloadPages, useReloadScroll } from '../ui/use-reload-scroll.ts'
import { NoticeRow } from './notice-row.tsx'
import { noticesQuery } from './queries.ts'
import { useRead } from './use-read.ts'
import './notices.css'

export function NoticesPage() {
  useDocumentTitle('For me · Atelier')
  useReloadScroll()
  const caller = useQuery(callerQuery)
  if (caller.isPending) return <Loading what="what is for you" />
  if (!caller.data) return <Failed error={caller.error} retry={() => void caller.refetch()} />
  const { user } = caller.data
  if (user) return <Notices userId={user.id} />
  return (
    <Empty icon="bell" title="Notices are for people">
      You use the token of an integration.
    </Empty>
  )
}

/** How each key moves the focus in the list of notices: 1 means to the next notice, -1 to the previous one. */
const steps: Record<string, number> = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }

function Notices({ userId }: { userId: string }) {
  const [onlyUnread, setOnlyUnread] = useState(false)
  const notices = useInfiniteQuery(noticesQuery(userId, onlyUnread))
  useReloadPages(notices)
  const read = useRead(userId)
  const list = useRef<HTMLUListElement>(null)
  const filter = useRef<HTMLInputElement>(null)
  /** The notice that was marked last, and its place in the list. */
  const marked = useRef<{ id: string; at: number } | null>(null)
  const walk = (event: KeyboardEvent) => {
    const step = steps[event.key]
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    const links: (Element | null)[] = [...(list.current?.querySelectorAll('a') ?? [])]
    const at = links.indexOf(document.activeElement)
    const next = links[at + step]
    if (at < 0 || !(next instanceof HTMLElement)) return
    event.preventDefault()
    next.focus()
  }
  const found = notices.data?.pages.flatMap(({ items }) => items) ?? []
  // A notice that was marked may leave the list, and with it the button that had the focus of the keyboard. The notice that is now
  // in its place gets the focus then.
  useEffect(() => {
    if (!notices.data || marked.current === null) return
    const { id, at } = marked.current
    if (notices.data.pages.some(({ items }) => items.some((one) => one.id === id))) return
    marked.current = null
    if (document.activeElement !== document.body) return
    const rows = list.current?.children ?? []
    const button = rows[Math.min(at, rows.length - 1)]?.querySelector('button')
    ;(button ?? filter.current)?.focus()
  }, [notices.data])
  return (
    <div className="page">
      <div className="page-head">
        <div>
          <h1>For me</h1>
          <p>Gates that wait, mentions, decisions asked, failed runs and deadlines.</p>
        </div>
        <div className="notices-acts">
          <Switch
            ref={filter}
            label="Only unread"
            checked={onlyUnread}
            onChange={({ currentTarget }) => setOnlyUnread(currentTarget.checked)}
          />
          <Link to="/notices/settings">Settings</Link>
          <Button variant="default" loading={read.isPending} onClick={() => read.mutate({})}>
            Mark all as read
          </Button>
        </div>
      </div>
      {notices.isPending ? <Loading what="what is for you" /> : null}
      {notices.isError ? <Failed error={notices.error} retry={() => void notices.refetch()} /> : null}
      {notices.data && found.length === 0 ? (
        <Empty icon="bell" title={onlyUnread ? 'You have read everything' : 'Nothing is waiting for you'}>
          Here you see when a run waits for your answer or fails, when somebody mentions you, asks for your decision or
          makes you responsible, and when a deadline comes near.
        </Empty>
      ) : null}
      {found.length > 0 ? (
        <ul ref={list} className="notices" aria-label="Notices" onKeyDown={walk}>
          {found.map((notice, at) => (
            <NoticeRow
              key={notice.id}
              notice={notice}
              mark={(isRead) => {
                marked.current = { id: notice.id, at }
                read.mutate({ ids: [notice.id], read: isRead })
              }}
            />
          ))}
        </ul>
      ) : null}
      {notices.hasNextPage ? (
        <Button variant="default" loading={notices.isFetchingNextPage} onClick={() => void notices.fetchNextPage()}>
          Earlier
        </Button>
      ) : null}
    </div>
  )
}
