// In charge of the page of static tokens, with which programs call the API: it lists, creates and revokes tokens.

import { Button } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { byId } from '../board/board-context.ts'
import { call } from '../lib/api.ts'
import { agoWords, dateWords } from '../lib/dates.ts'
import { callerQuery, peopleQuery, tokensQuery } from '../lib/queries.ts'
import type { Token } from '../lib/types.ts'
import { useNow } from '../lib/use-now.ts'
import { Icon } from '../ui/icons.tsx'
import { Empty, Failed, Loading } from '../ui/states.tsx'
import { SureButton } from '../ui/sure-button.tsx'
import { tell } from '../ui/toasts.tsx'
import { useReloadScroll } from '../ui/use-reload-scroll.ts'
import { useRowsFocus } from '../ui/use-rows-focus.ts'
import { NewToken } from './new-token.tsx'
import '../ui/people.css'
import { useWrite } from '../ui/use-write.ts'

export function TokensPage() {
  useDocumentTitle('Tokens · Atelier')
  useReloadScroll()
  const tokens = useQuery(tokensQuery)
  const isAdmin = useQuery(callerQuery).data?.scopes.includes('admin') ?? false
  const [making, setMaking] = useState(false)
  const rows = useRowsFocus<HTMLTableSectionElement>()
  if (tokens.isPending) return <Loading what="the tokens" />
  if (!tokens.data) return <Failed error={tokens.error} retry={() => void tokens.refetch()} />
  return (
    <div className="page">
      <div className="page-head">
        <div>
          <h1>Tokens</h1>
          <p>
            For programs that ask over the API.{' '}
            {isAdmin ? 'You see all of them.' : 'You see your own; an admin makes them.'}
          </p>
        </div>
        {isAdmin ? (
          <Button leftSection={<Icon name="plus" size={14} />} onClick={() => setMaking(true)}>
            New token
          </Button>
        ) : null}
      </div>
      {tokens.data.length === 0 ? (
        <Empty icon="key" title="No tokens">
          An integrating platform gets one that may only look creatives up.
        </Empty>
      ) : (
        <div className="panel">
          <table className="rows">
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col" className="wide-cell">
                  Speaks for
                </th>
                <th scope="col">May</th>
                <th scope="col" className="wide-cell">
                  Last used
                </th>
                <th scope="col" className="wide-cell">
                  Ends
                </th>
                <th scope="col">
                  <span className="visually-hidden">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody {...rows}>
              {tokens.data.map((token) => (
                <Row key={token.id} token={token} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {making ? <NewToken close={() => setMaking(false)} /> : null}
    </div>
  )
}

function Row({ token }: { token: Token }) {
  const people = byId(useQuery(peopleQuery).data)
  const now = useNow()
  const revoke = useWrite({
    write: () => call('revokeToken', { params: { token_id: token.id } }),
    list: tokensQuery.queryKey,
    done: () => tell(`Revoked “${token.name}”`),
  })
  const ended = token.revoked_at !== null || (token.expires_at !== null && Date.parse(token.expires_at) <= now)
  return (
    <tr data-off={ended || undefined}>
      <th scope="row">
        {token.name} <span className="hint mono">…{token.hint}</span>
      </th>
      <td className="wide-cell">
        {token.user_id ? (people.get(token.user_id)?.name ?? 'Unknown person') : 'An integration'}
      </td>
      <td>
        <span className="scopes">
          {token.scopes.map((scope) => (
            <span key={scope} className="mark">
              {scope}
            </span>
          ))}
        </span>
      </td>
      <td className="wide-cell">{token.last_used_at ? agoWords(token.last_used_at, now) : 'never'}</td>
      <td className="wide-cell">
        {token.revoked_at
          ? `revoked ${agoWords(token.revoked_at, now)}`
          : token.expires_at
            ? dateWords(token.expires_at)
            : 'never'}
      </td>
      <td className="row-actions">
        {ended ? null : (
          <SureButton
            words="Revoke"
            sureWords="Really revoke"
            label={`Revoke ${token.name}`}
            isPending={revoke.isPending}
            act={() => revoke.mutate(undefined)}
          />
        )}
      </td>
    </tr>
  )
}
