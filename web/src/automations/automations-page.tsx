// In charge of the page that lists all automations, each with a sentence and a switch. Only admins can change them.

import { Button } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { automationsQuery, callerQuery } from '../lib/queries.ts'
import type { Automation } from '../lib/types.ts'
import { Icon } from '../ui/icons.tsx'
import { Empty, Failed, Loading } from '../ui/states.tsx'
import { useReloadScroll } from '../ui/use-reload-scroll.ts'
import { useRowsFocus } from '../ui/use-rows-focus.ts'
import { AutomationForm } from './automation-form.tsx'
import { AutomationRow } from './automation-row.tsx'
import './automations.css'

export function AutomationsPage() {
  useDocumentTitle('Automations · Atelier')
  useReloadScroll()
  const automations = useQuery(automationsQuery)
  const isAdmin = useQuery(callerQuery).data?.scopes.includes('admin') ?? false
  const [editing, setEditing] = useState<Automation | 'new' | null>(null)
  const rows = useRowsFocus<HTMLUListElement>()
  if (automations.isPending) return <Loading what="the automations" />
  if (!automations.data) return <Failed error={automations.error} retry={() => void automations.refetch()} />
  const create = (
    <Button leftSection={<Icon name="plus" size={14} />} onClick={() => setEditing('new')}>
      New automation
    </Button>
  )
  return (
    <div className="page">
      <div className="page-head">
        <div>
          <h1>Automations</h1>
          <p>
            What happens by itself when a task enters a column. Where several fit a task, the oldest starts.
            {isAdmin ? '' : ' Admins write them.'}
          </p>
        </div>
        {isAdmin && automations.data.length > 0 ? create : null}
      </div>
      {automations.data.length === 0 ? (
        <Empty icon="bolt" title="Nothing happens by itself yet" action={isAdmin ? create : undefined}>
          An automation runs a graph for every task that enters a column, puts the files on its card, and moves the task
          on. At a gate the run waits, and the card says “Needs an answer”.
        </Empty>
      ) : (
        <ul className="automations" aria-label="Automations" {...rows}>
          {automations.data.map((automation) => (
            <AutomationRow
              key={automation.id}
              automation={automation}
              edit={isAdmin ? () => setEditing(automation) : null}
            />
          ))}
        </ul>
      )}
      {editing === null ? null : (
        <AutomationForm
          automation={editing === 'new' ? null : (automations.data.find(({ id }) => id === editing.id) ?? editing)}
          close={() => setEditing(null)}
        />
      )}
    </div>
  )
}
