// In charge of showing one notice: what happened, when, and a link to where it happened. Following the link marks it as read.
import { ActionIcon, Tooltip } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { agoWords, fullWords } from '../lib/dates.ts'
import type { Notice } from '../lib/types.ts'
import { useNow } from '../lib/use-now.ts'
import { Icon } from '../ui/icons.tsx'

export function NoticeRow({ notice, mark }: { notice: Notice; mark: (isRead: boolean) => void }) {
  const now = useNow()
  const { sentence, excerpt, unread, at, path } = notice
  const [to = '/', hash] = path.split('#')
  const label = unread ? 'Mark as read' : 'Mark as unread'
  return (
    <li className="notice" data-unread={unread || undefined}>
      <div className="notice-text">
        <Link to={to} {...(hash ? { hash } : {})} onClick={() => (unread ? mark(true) : undefined)}>
          {unread ? <span className="visually-hidden">Unread: </span> : null}
          {sentence}
        </Link>
        <time dateTime={at} title={fullWords(at)}>
          {agoWords(at, now)}
        </time>
        {excerpt ? <p className="hint">{excerpt}</p> : null}
      </div>
      <Tooltip label={label}>
        <ActionIcon aria-label={`${label}: ${sentence}`} onClick={() => mark(unread)}>
          <Icon name={unread ? 'check' : 'restore'} />
        </ActionIcon>
      </Tooltip>
    </li>
  )
}
