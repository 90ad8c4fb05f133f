// In charge of the dialog in which the user chooses another run of the same graph, to compare it with the open run.
import { Button, TextInput, UnstyledButton } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { RunMark } from '../canvas/status-mark.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Icon } from '../ui/icons.tsx'
import { Empty, Failed, Loading } from '../ui/states.tsx'
import { type Choice, choicesLike } from './compare-choices.ts'
import { type Run, runsQuery } from './queries.ts'
import { useRunChoices } from './use-run-choices.ts'
import './compare-dialog.css'

export function CompareDialog({ run, close }: { run: Run; close: () => void }) {
  const navigate = useNavigate()
  const [wanted, setWanted] = useState('')
  const runs = useInfiniteQuery(runsQuery(run.graph_id === null ? {} : { graph_id: run.graph_id }))
  const others = (runs.data?.pages.flatMap(({ items }) => items) ?? []).filter(({ id }) => id !== run.id)
  const found = choicesLike(useRunChoices(others), wanted)
  return (
    <Dialog onClose={close} title="Compare with another run" closeButtonProps={{ 'aria-label': 'Close' }}>
      {runs.isPending ? <Loading what="the runs" /> : null}
      {runs.error && !runs.data ? <Failed error={runs.error} retry={() => void runs.refetch()} /> : null}
      {runs.data && others.length === 0 ? (
        <Empty icon="run" title={run.graph_id === null ? 'There are no other runs' : 'This graph has no other runs'} />
      ) : null}
      {others.length > 1 ? (
        <TextInput
          aria-label="Find a run"
          placeholder="Task, owner, time or end of the id"
          leftSection={<Icon name="search" size={14} />}
          value={wanted}
          onChange={(event) => setWanted(event.currentTarget.value)}
        />
      ) : null}
      {others.length > 0 && found.length === 0 ? (
        <Empty icon="run" title="No run is like that">
          {runs.hasNextPage ? 'There are earlier runs, which have not been read yet.' : null}
        </Empty>
      ) : null}
      <ul className="node-list">
        {found.map((choice) => (
          <Row
            key={choice.id}
            choice={choice}
            choose={(id) => void navigate({ to: '/runs/$run_id', params: { run_id: run.id }, search: { with: id } })}
          />
        ))}
      </ul>
      {runs.hasNextPage ? (
        <Button variant="subtle" loading={runs.isFetchingNextPage} onClick={() => void runs.fetchNextPage()}>
          More
        </Button>
      ) : null}
    </Dialog>
  )
}

function Row({ choice, choose }: { choice: Choice; choose: (id: string) => void }) {
  return (
    <li>
      <UnstyledButton className="node-list-entry compare-choice" onClick={() => choose(choice.id)}>
        <span className="node-names">
          <strong>{choice.title}</strong>
          <span>{choice.facts}</span>
        </span>
        <RunMark status={choice.status} />
      </UnstyledButton>
    </li>
  )
}
